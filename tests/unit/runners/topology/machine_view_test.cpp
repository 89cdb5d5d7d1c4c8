#include "runners/topology/machine_view.hpp"

#include <catch2/catch.hpp>

#include "runners/hosts/tree_host.hpp"
#include "tests/support/fake_host.hpp"

using namespace netsettle;
using namespace netsettle::runners;
using tests::FakeHost;

namespace {

/// A machine whose files have what must not be sent to others.
void add_personal_machine(FakeHost& host) {
  host.add_file("/sys/devices/system/cpu/online", "0-1\n");
  host.add_file("/sys/devices/system/node/node0/cpulist", "0-1\n");
  host.add_file("/sys/devices/system/node/node0/memory12/state", "online\n");
  host.add_file("/proc/sys/kernel/osrelease", "6.1.0\n");
  host.add_file("/proc/self/status", "Name:\tnetsettle\nPid:\t4711\nGroups:\t0 1234\nCpus_allowed:\t3\nCpus_allowed_list:\t0-1\n");
  host.add_file("/proc/self/cgroup", "0::/user.slice/somebody.slice\n");
  host.add_file("/proc/self/mountinfo",
                "25 1 0:22 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n26 1 8:1 / /srv/secret rw - ext4 /dev/sda1 rw\n");
  host.add_file("/sys/fs/cgroup/user.slice/cpuset.cpus.effective", "1\n");
  host.add_file("/proc/interrupts", "  CPU0 CPU1\n 30: 7 0  PCI-MSI 1-edge      eth0-TxRx-0\n");
  host.add_file("/proc/irq/30/smp_affinity", "3\n");
  host.add_file("/proc/irq/30/effective_affinity_list", "0\n");
  const std::string card = "/sys/devices/pci0000:00/0000:01:00.0", folder = card + "/net/eth0";
  host.add_link("/sys/class/net/eth0", "../../devices/pci0000:00/0000:01:00.0/net/eth0");
  host.add_link(folder + "/device", "../..");
  host.add_link(card + "/driver", "/sys/bus/pci/drivers/igb");
  host.add_file("/sys/bus/pci/drivers/igb/bind", "");
  host.add_file(card + "/msi_irqs/30", "msix\n");
  host.add_file(card + "/serial_number", "00-11-22\n");
  host.add_file(folder + "/address", "02:00:00:12:34:56\n");
  host.add_file(folder + "/queues/rx-0/rps_cpus", "2\n");
}

}  // namespace

TEST_CASE("a captured machine looks as the machine does") {
  FakeHost host;
  add_personal_machine(host);
  const MachineView view = read_machine(host).value();
  const auto tree = make_tree_host(capture_machine(host).value());
  const MachineView again = read_machine(*tree).value();
  CHECK(again.kernel == "6.1.0");
  CHECK(again.cpus.allowed == CpuSet{1});
  CHECK(again.cpus.cpuset == view.cpus.cpuset);
  CHECK(again.cpus.affinity == view.cpus.affinity);
  CHECK(again.nodes == view.nodes);
  CHECK(again.interrupts == view.interrupts);
  const Nic& nic = again.interfaces.at("eth0");
  CHECK(nic.device.driver == "igb");
  CHECK(nic.device.folder == view.interfaces.at("eth0").device.folder);
  REQUIRE(nic.irqs.queues.size() == 1);
  CHECK(nic.irqs.queues.front().action == "eth0-TxRx-0");
  CHECK(nic.rps_cpus.at(0) == CpuSet{1});
  CHECK(again.affinity.at(30).asked == CpuSet{0, 1});
  CHECK(again.affinity.at(30).effective == CpuSet{0});
}

TEST_CASE("a captured machine tells nothing of persons, places and serial numbers") {
  FakeHost host;
  add_personal_machine(host);
  const FileTree tree = capture_machine(host).value();
  for (const auto& [path, node] : tree) {
    INFO(path);
    const auto* file = std::get_if<TreeFile>(&node);
    const std::string text = path + "\n" + (file ? file->content : "");
    for (const char* word : {"somebody", "secret", "sda1", "4711", "1234", "Groups", "00-11-22", "/address", "02:00", "memory12"})
      CHECK(text.find(word) == std::string::npos);
  }
  CHECK(tree.contains("/proc/self/status"));
}

TEST_CASE("to capture changes nothing and starts nothing") {
  FakeHost host;
  add_personal_machine(host);
  REQUIRE(capture_machine(host));
  for (const auto& operation : host.log().operations())
    CHECK((operation.kind == tests::OperationKind::read || operation.kind == tests::OperationKind::list));
}

TEST_CASE("what is no interface among the interfaces is none after capturing either") {
  FakeHost host;
  add_personal_machine(host);
  host.add_file("/sys/class/net/bonding_masters", "bond0\n");
  host.add_link("/sys/class/net/gone", "../../devices/virtual/net/gone");
  CHECK(read_machine(host).value().interfaces.size() == 1);
  const auto tree = make_tree_host(capture_machine(host).value());
  CHECK(read_machine(*tree).value().interfaces.size() == 1);
}

TEST_CASE("a node has its CPUs that are off line where a device, or what is left, tells them") {
  FakeHost host;
  host.add_file("/sys/devices/system/cpu/online", "0-1,4-5,7\n");
  host.add_file("/sys/devices/system/cpu/present", "0-7\n");
  host.add_file("/sys/devices/system/node/node0/cpulist", "0-1\n");
  host.add_file("/sys/devices/system/node/node1/cpulist", "4-5,7\n");
  const std::string card = "/sys/devices/pci0000:00/0000:01:00.0";
  host.add_link("/sys/class/net/eth0", card + "/net/eth0");
  host.add_link(card + "/net/eth0/device", "../..");
  host.add_file(card + "/net/eth0/mtu", "1500\n");
  host.add_file(card + "/numa_node", "1\n");
  CHECK(read_machine(host).value().nodes.at(0) == CpuSet{0, 1});
  host.add_file(card + "/local_cpulist", "4-7\n");
  const MachineView view = read_machine(host).value();
  CHECK(view.nodes.at(0) == CpuSet{0, 1, 2, 3});
  CHECK(view.nodes.at(1) == CpuSet{4, 5, 6, 7});
}

TEST_CASE("counters that make no sense are a problem, missing ones are absent") {
  FakeHost host;
  host.add_file("/sys/devices/system/cpu/online", "0\n");
  host.add_file("/sys/class/net/lo/type", "772\n");
  MachineView view = read_machine(host).value();
  CHECK(view.problems.empty());
  CHECK(view.softnet.empty());
  CHECK(!view.kernel);
  host.add_file("/proc/net/softnet_stat", "zz\n");
  host.add_file("/proc/interrupts", "nonsense\n");
  CHECK(read_machine(host).value().problems.size() == 2);
  host.remove_file("/sys/class/net/lo/type");
  CHECK(!read_machine(host));
}
