#include "runners/topology/nic.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/runners/topology/card_machine.hpp"

using namespace netsettle;
using namespace netsettle::runners;
using tests::Machine;
using tests::numbers;

namespace {

const std::string kCard = "/sys/devices/pci0000:00/0000:00:1c.0/0000:01:00.0";

}  // namespace

TEST_CASE("queue interrupts are those of the function that a queue is named in") {
  Machine machine;
  machine.add("eth0", kCard, "pci", "ixgbe");
  machine.add_irq(40, "eth0", kCard);
  machine.add_irq(41, "eth0-TxRx-1", kCard);
  machine.add_irq(42, "eth0-TxRx-0", kCard);
  machine.add_irq(43, "ahci");
  machine.host.add_file(kCard + "/msi_irqs/44", "msix\n");  // allocated, without handler
  machine.host.add_file(kCard + "/numa_node", "1\n");
  machine.host.add_file(kCard + "/local_cpulist", "2-3\n");
  const Nic nic = machine.nic("eth0");
  CHECK(nic.device.driver == "ixgbe");
  CHECK(nic.device.pci == "0000:01:00.0");
  CHECK(numbers(nic.irqs.queues) == std::vector<int>{42, 41});
  REQUIRE(nic.irqs.others.size() == 1);
  CHECK(nic.irqs.others.front().irq == 40);
  CHECK(nic.irqs.evidence == IrqEvidence::msi_irqs);
  CHECK(nic.node == 1);
  CHECK(nic.placement_cpus == CpuSet{2, 3});
  CHECK(!nic.placement_fallback);
  CHECK(nic.problems.empty());
}

TEST_CASE("the message interrupts of a bridge above a card are not the card's") {
  Machine machine;
  machine.add("eth0", kCard, "pci", "ixgbe");
  machine.add_irq(24, "PCIe PME", "/sys/devices/pci0000:00/0000:00:1c.0");
  const Nic nic = machine.nic("eth0");
  CHECK(nic.irqs.queues.empty());
  CHECK(nic.irqs.others.empty());
}

TEST_CASE("no interrupt where there should be some is said loudly") {
  Machine machine;
  machine.add("eth0", kCard, "pci", "ixgbe");
  const Nic nic = machine.nic("eth0");
  CHECK(nic.irqs.evidence == IrqEvidence::none);
  REQUIRE(!nic.problems.empty());
  CHECK(nic.problems.front().starts_with("no queue interrupt was found"));
  machine.host.remove_file("/proc/interrupts");
  CHECK(machine.nic("eth0").problems.front().find("/proc/interrupts") != std::string::npos);
}

TEST_CASE("handlers are found in the folders of /proc/irq where /proc/interrupts cannot be read") {
  Machine machine;
  machine.add("eth0", kCard, "pci", "ixgbe");
  machine.host.add_file(kCard + "/msi_irqs/50", "msix\n");
  machine.host.add_file(kCard + "/msi_irqs/51", "msix\n");
  machine.host.remove_file("/proc/interrupts");
  machine.host.add_file("/proc/irq/50/eth0-TxRx-0/x", "");
  machine.host.add_file("/proc/irq/50/smp_affinity_list", "0-3\n");
  machine.host.add_file("/sys/kernel/irq/51/actions", "eth0-TxRx-1\n");
  CHECK(numbers(machine.nic("eth0").irqs.queues) == std::vector<int>{50, 51});
}

TEST_CASE("an unknown node is unknown, not node 0") {
  Machine machine;
  machine.add("eth0", kCard, "pci", "ena");
  machine.host.add_file(kCard + "/numa_node", "-1\n");
  machine.host.add_file(kCard + "/local_cpulist", "0-3\n");
  Nic nic = machine.nic("eth0");
  CHECK(nic.node_file == -1);
  CHECK(!nic.node);
  CHECK(nic.node_source == NodeSource::unknown);
  SECTION("local CPUs that are those of one node tell it") {
    machine.host.add_file(kCard + "/local_cpulist", "2-3\n");
    nic = machine.nic("eth0");
    CHECK(nic.node == 1);
    CHECK(nic.node_source == NodeSource::local_cpulist);
  }
  SECTION("a machine with one node has no other") {
    machine.host.remove_file("/sys/devices/system/node/node1/cpulist");
    nic = machine.nic("eth0");
    CHECK(nic.node == 0);
    CHECK(nic.node_source == NodeSource::single_node);
  }
}

TEST_CASE("a single message interrupt with the bare name of the interface serves all queues") {
  Machine machine;
  machine.add("eth0", kCard, "pci", "r8169");
  machine.add_irq(45, "eth0", kCard);
  const Nic nic = machine.nic("eth0");
  REQUIRE(numbers(nic.irqs.queues) == std::vector<int>{45});
  CHECK(!nic.irqs.queues.front().queue);
  CHECK(nic.irqs.others.empty());
}

TEST_CASE("names of an unknown form are kept as queues where no other vector of the device is one") {
  Machine machine;
  machine.add("eth0", kCard, "pci", "sfc");
  machine.add_irq(60, "eth0-0", kCard);
  machine.add_irq(61, "eth0-1", kCard);
  machine.add_irq(62, "eth0-misc", kCard);
  CHECK(numbers(machine.nic("eth0").irqs.queues) == std::vector<int>{60, 61});
  machine.add_irq(63, "eth0-TxRx-0", kCard);
  CHECK(numbers(machine.nic("eth0").irqs.queues) == std::vector<int>{63});
}

TEST_CASE("without msi_irqs names count, eth1 beside eth10 and eth1.5") {
  Machine machine;
  machine.add("eth1", "/sys/devices/pci0000:00/0000:01:00.0", "pci", "igb");
  machine.add("eth10", "/sys/devices/pci0000:00/0000:02:00.0", "pci", "igb");
  machine.add_irq(30, "eth1-TxRx-0");
  machine.add_irq(31, "eth10-TxRx-0");
  machine.add_irq(32, "eth1.5-TxRx-0");
  machine.add_irq(33, "igb-0000:01:00.0:misc");
  machine.host.add_file("/sys/devices/pci0000:00/0000:01:00.0/irq", "0\n");
  const Nic nic = machine.nic("eth1");
  CHECK(numbers(nic.irqs.queues) == std::vector<int>{30});
  REQUIRE(nic.irqs.others.size() == 1);
  CHECK(nic.irqs.others.front().irq == 33);
  CHECK(nic.irqs.evidence == IrqEvidence::names);
  CHECK(numbers(machine.nic("eth10").irqs.queues) == std::vector<int>{31});
}

TEST_CASE("a virtio card has the vectors of its own function only, an entropy device beside it or not") {
  Machine machine;
  const std::string function = "/sys/devices/pci0000:00/0000:00:03.0", other = "/sys/devices/pci0000:00/0000:00:04.0";
  machine.add("eth0", function + "/virtio1", "virtio", "virtio_net");
  machine.add_irq(38, "virtio1-input.0", function);
  machine.add_irq(39, "virtio1-output.0", function);
  machine.add_irq(40, "virtio10-input", other);
  machine.host.add_file(function + "/numa_node", "-1\n");
  Nic nic = machine.nic("eth0");
  CHECK(nic.irqs.evidence == IrqEvidence::msi_irqs_of_parent);
  CHECK(numbers(nic.irqs.queues) == std::vector<int>{38, 39});
  CHECK(nic.device.kind == NicKind::virtio);
  CHECK(nic.device.pci == "0000:00:03.0");
  CHECK(nic.node_file == -1);
  SECTION("by its index where msi_irqs is empty") {
    machine.host.remove_file(function + "/msi_irqs/38");
    machine.host.remove_file(function + "/msi_irqs/39");
    nic = machine.nic("eth0");
    CHECK(nic.irqs.evidence == IrqEvidence::names);
    CHECK(numbers(nic.irqs.queues) == std::vector<int>{38, 39});
  }
}

TEST_CASE("a virtual interface has the interrupts of the devices below") {
  Machine machine;
  machine.add("eth0", kCard, "pci", "ixgbe");
  machine.add_irq(41, "eth0-TxRx-0", kCard);
  machine.host.add_file(kCard + "/local_cpulist", "2-3\n");
  machine.add_virtual("eth0.7", {"eth0"});
  machine.add_virtual("br0", {"eth0.7", "veth1"});
  machine.add_virtual("veth1");
  const Nic vlan = machine.nic("eth0.7");
  CHECK(vlan.device.driver == "8021q");
  CHECK(vlan.irqs.evidence == IrqEvidence::lower_devices);
  CHECK(vlan.leaf_devices == std::vector<std::string>{"eth0"});
  REQUIRE(numbers(vlan.irqs.queues) == std::vector<int>{41});
  CHECK(vlan.irqs.queues.front().interface == "eth0");
  CHECK(vlan.placement_cpus == CpuSet{2, 3});
  CHECK(vlan.node_source == NodeSource::none);
  const Nic bridge = machine.nic("br0");
  CHECK(bridge.leaf_devices == std::vector<std::string>{"eth0"});
  CHECK(numbers(bridge.irqs.queues) == std::vector<int>{41});
  const Nic veth = machine.nic("veth1");
  CHECK(veth.device.driver == "veth");
  CHECK(veth.irqs.evidence == IrqEvidence::none);
  CHECK(veth.placement_fallback);
  CHECK(veth.problems.empty());
}

TEST_CASE("interfaces that stand on each other in a circle end the search") {
  Machine machine;
  machine.add_virtual("a", {"b"});
  machine.add_virtual("b", {"a", "b", "gone"});
  const Nic nic = machine.nic("a");
  CHECK(nic.leaf_devices.empty());
  CHECK(nic.irqs.queues.empty());
}

TEST_CASE("the drivers of virtual interfaces, by what only they have") {
  Machine machine;
  const auto driver = [&](const std::string& name, const std::string& file, const std::string& content) {
    machine.host.add_file(machine.add_virtual(name) + "/" + file, content);
    return machine.nic(name).device.driver;
  };
  CHECK(driver("lo", "type", "772\n") == "loopback");
  CHECK(driver("lan", "bridge/stp_state", "0\n") == "bridge");
  CHECK(driver("pair", "bonding/mode", "802.3ad 4\n") == "bonding");
  CHECK(driver("vpn", "tun_flags", "0x1001\n") == "tun");
  CHECK(driver("v6", "uevent", "DEVTYPE=vxlan\nINTERFACE=v6\n") == "vxlan");
  CHECK(driver("dummy3", "mtu", "1500\n") == "dummy");
  CHECK(driver("something", "mtu", "1500\n") == std::nullopt);
  machine.host.add_file("/proc/net/vlan/guests", "");
  CHECK(driver("guests", "mtu", "1500\n") == "8021q");
  machine.host.add_file("/sys/devices/virtual/net/end/ifindex", "3\n");
  CHECK(driver("end", "iflink", "4\n") == "veth");
}

TEST_CASE("a USB card has no interrupts of its own, a platform device those with its name") {
  Machine machine;
  machine.add("usb0", "/sys/devices/pci0000:00/0000:00:1d.7/usb1/1-4/1-4:1.0", "usb", "cdc_ether");
  machine.host.add_file("/sys/devices/pci0000:00/0000:00:1d.7/irq", "23\n");
  machine.add_irq(23, "ehci_hcd:usb1");
  const Nic usb = machine.nic("usb0");
  CHECK(usb.irqs.evidence == IrqEvidence::none);
  CHECK(usb.node_source == NodeSource::none);
  CHECK(!usb.device.pci);
  CHECK(usb.problems.size() == 1);
  machine.add("end0", "/sys/devices/platform/soc/8000000.ethernet", "platform", "st_gmac");
  machine.add_irq(51, "end0");
  const Nic platform = machine.nic("end0");
  CHECK(platform.device.kind == NicKind::platform);
  CHECK(numbers(platform.irqs.queues) == std::vector<int>{51});
}

TEST_CASE("a line shared with other devices is no queue, and all its handlers are named") {
  Machine machine;
  machine.add("eth0", kCard, "pci", "e1000");
  machine.host.add_file(kCard + "/irq", "19\n");
  machine.add_irq(19, "uhci_hcd:usb3, eth0, ahci");
  const Nic nic = machine.nic("eth0");
  CHECK(nic.irqs.evidence == IrqEvidence::irq_file);
  CHECK(nic.irqs.queues.empty());
  REQUIRE(nic.irqs.others.size() == 1);
  CHECK(nic.irqs.others.front().action == "eth0");
  CHECK(nic.irqs.shared_actions == std::vector<std::string>{"uhci_hcd:usb3", "eth0", "ahci"});
  CHECK(nic.problems.front().find("ahci") != std::string::npos);
}

TEST_CASE("two ports of one function keep apart what names a port and share the rest") {
  Machine machine;
  machine.add("eth2", kCard, "pci", "cxgb4");
  const std::string second = kCard + "/net/eth20";
  machine.host.add_link("/sys/class/net/eth20", second);
  machine.host.add_link(second + "/device", "../..");
  machine.host.add_file(second + "/queues/rx-0/rps_cpus", "0\n");
  machine.add_irq(120, "0000:01:00.0", kCard);
  machine.add_irq(121, "eth2 (queue 0)", kCard);
  machine.add_irq(122, "eth20 (queue 0)", kCard);
  CHECK(numbers(machine.nic("eth2").irqs.queues) == std::vector<int>{121});
  CHECK(numbers(machine.nic("eth20").irqs.queues) == std::vector<int>{122});
  CHECK(machine.nic("eth2").shared_with.empty());
  machine.add_irq(123, "mlx4-1@0000:01:00.0", kCard);
  CHECK(machine.nic("eth2").shared_with == std::vector<std::string>{"eth20"});
}

TEST_CASE("an interface that is not there is named with those that are") {
  Machine machine;
  machine.add_virtual("br0");
  const auto nic = read_nic(machine.host, "eth7");
  REQUIRE(!nic);
  CHECK(nic.error().code == ErrorCode::not_found);
  CHECK(nic.error().text.find("br0") != std::string::npos);
}
