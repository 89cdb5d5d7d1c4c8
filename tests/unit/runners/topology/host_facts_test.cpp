#include "runners/topology/host_facts.hpp"

#include <catch2/catch.hpp>

#include "runners/hosts/local_host.hpp"
#include "tests/support/fake_host.hpp"

namespace netsettle::runners {
namespace {

using tests::FakeHost;

Topology two_cpus() {
  Topology topology;
  topology.online = topology.allowed = {0, 1};
  topology.nodes = {{0, {0}}, {1, {1}}};
  topology.cores = 2;
  return topology;
}

HostFacts facts_of_machine(FakeHost& host) { return read_host_facts(host, two_cpus()); }

TEST_CASE("facts of the CPUs name model, firmware, power saving and nodes") {
  FakeHost host;
  host.add_file("/proc/cpuinfo",
                "cpu family\t: 6\nmodel\t\t: 143\nmodel name\t: Fast\nstepping\t: 8\nmicrocode\t: 0x2b\nflags\t: fpu avx\n");
  host.add_file("/sys/devices/system/node/node0/distance", "10 21\n");
  host.add_file("/sys/devices/system/node/node1/distance", "21 10\n");
  host.add_file("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n");
  host.add_file("/sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "powersave\n");
  host.add_file("/sys/devices/system/cpu/cpu0/cpuidle/state0/name", "POLL\n");
  host.add_file("/sys/devices/system/cpu/cpu0/cpuidle/state1/name", "C6\n");
  host.add_file("/sys/devices/system/cpu/cpu0/cpuidle/state1/disable", "1\n");
  host.add_file("/sys/devices/system/cpu/nohz_full", "  (null)\n");
  host.add_file("/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
  host.add_file("/proc/meminfo", "HugePages_Total:       4\nHugepagesize:       2048 kB\n");
  const HostFacts facts = facts_of_machine(host);
  CHECK(facts.at("cpu_family") == "family 6 model 143 stepping 8");
  CHECK(facts.at("cpu_microcode") == "0x2b");
  CHECK(facts.at("virtual_machine") == "no");
  CHECK(facts.at("node_distances") == "10 21 / 21 10");
  CHECK(facts.at("governor") == "performance, powersave");
  CHECK(facts.at("idle_states") == "POLL, C6 (off)");
  CHECK(facts.at("transparent_hugepages") == "madvise");
  CHECK(facts.at("hugepages") == "4 of 2048 kB");
  CHECK_FALSE(facts.contains("cpus_nohz_full"));
}

TEST_CASE("boot parameters that change speed are shown, the others are in the hash only") {
  FakeHost host;
  host.add_file("/proc/cmdline", "root=/dev/secret isolcpus=2-3 user=somebody mitigations=off\n");
  const HostFacts facts = facts_of_machine(host);
  CHECK(facts.at("boot_parameters") == "isolcpus=2-3 mitigations=off");
  CHECK(facts.at("boot_line_sha256").size() == 64);
  for (const auto& [name, text] : facts) CHECK(text.find("secret") == std::string::npos);
}

TEST_CASE("the kernel's configuration is a hash, its tick and its preemption are words") {
  FakeHost host;
  host.add_file("/proc/sys/kernel/osrelease", "6.1.0-18-amd64\n");
  host.add_file("/proc/sys/kernel/version", "#1 SMP PREEMPT_DYNAMIC Debian 6.1\n");
  host.add_file("/boot/config-6.1.0-18-amd64", "CONFIG_HZ_250=y\nCONFIG_HZ=250\n");
  host.add_file("/sys/devices/system/cpu/vulnerabilities/mds", "Not affected\n");
  const HostFacts facts = facts_of_machine(host);
  CHECK(facts.at("kernel_hz") == "250");
  CHECK(facts.at("kernel_preemption") == "PREEMPT_DYNAMIC");
  CHECK(facts.at("kernel_config_sha256").size() == 64);
  CHECK(facts.at("mitigation.mds") == "Not affected");
}

TEST_CASE("network settings are facts, and a hash of all of them finds a change of any") {
  FakeHost host;
  host.add_file("/proc/sys/net/core/rmem_max", "212992\n");
  host.add_file("/proc/sys/net/ipv4/udp_mem", "1\t2\t3\n");
  host.add_file("/proc/sys/net/ipv4/conf/eth0/forwarding", "0\n");
  host.add_file("/proc/sys/net/netfilter/nf_conntrack_count", "17\n");
  const HostFacts before = facts_of_machine(host);
  CHECK(before.at("sysctl.net.core.rmem_max") == "212992");
  CHECK(before.at("sysctl.net.ipv4.udp_mem") == "1 2 3");
  host.set_content("/proc/sys/net/netfilter/nf_conntrack_count", "18\n");
  host.set_content("/proc/sys/net/ipv4/conf/eth0/forwarding", "1\n");
  CHECK(facts_of_machine(host) == before);
  host.set_content("/proc/sys/net/ipv4/udp_mem", "1\t2\t4\n");
  CHECK(facts_of_machine(host).at("sysctl_net_sha256") != before.at("sysctl_net_sha256"));
}

TEST_CASE("interfaces with a device are facts, virtual ones are not") {
  FakeHost host;
  host.add_file("/sys/class/net/eth0/device/uevent", "DRIVER=virtio_net\nMODALIAS=virtio:d1\n");
  host.add_file("/sys/class/net/eth0/mtu", "1500\n");
  host.add_file("/sys/class/net/eth0/queues/rx-0/rps_cpus", "0\n");
  host.add_file("/sys/class/net/eth0/queues/tx-0/xps_cpus", "0\n");
  host.add_file("/sys/class/net/eth0/queues/tx-1/xps_cpus", "0\n");
  host.add_file("/sys/class/net/eth0/device/../msi_irqs/38", "msix\n");
  host.add_file("/proc/irq/38/effective_affinity_list", "1\n");
  host.add_file("/sys/class/net/eth0/speed", "-1\n");
  host.add_file("/sys/class/net/lo/mtu", "65536\n");
  host.add_program("ethtool", [](const ProcessSpec& spec) {
    return spec.argv.at(1) == "-i" ? tests::FakeProgram{.standard_output = "driver: virtio_net\nversion: 1.0.0\nfirmware-version: 22.1\n"}
                                   : tests::FakeProgram{.standard_output = "rx 256"};
  });
  const HostFacts facts = facts_of_machine(host);
  CHECK(facts.at("nic.eth0.driver") == "virtio_net");
  CHECK(facts.at("nic.eth0.mtu") == "1500");
  CHECK(facts.at("nic.eth0.queues") == "1 receive, 2 transmit");
  CHECK(facts.at("nic.eth0.interrupts") == "38 on 1");
  CHECK(facts.at("nic.eth0.firmware") == "22.1");
  CHECK(facts.at("nic.eth0.rings_sha256").size() == 64);
  CHECK_FALSE(facts.contains("nic.lo.mtu"));
  CHECK_FALSE(facts.contains("nic.eth0.speed_mbit"));
  host.set_content("/sys/class/net/eth0/speed", "25000\n");
  CHECK(facts_of_machine(host).at("nic.eth0.speed_mbit") == "25000");
}

TEST_CASE("queueing disciplines, attached programs and packet filters are asked of their programs") {
  FakeHost host;
  host.add_program("tc", {.standard_output = R"([{"kind":"mq","root":true,"dev":"eth0"},{"kind":"fq","parent":"1:1","dev":"eth0"}])"});
  host.add_program("ip", {.standard_output = R"([{"ifname":"lo"},{"ifname":"eth0","xdp":{"mode":1}}])"});
  host.add_program("iptables-save", {.standard_output = "# at noon\n:INPUT ACCEPT [5:10]\n"});
  const HostFacts facts = facts_of_machine(host);
  CHECK(facts.at("queueing_disciplines") == "eth0 mq");
  CHECK(facts.at("xdp_interfaces") == "eth0");
  host.add_program("iptables-save", {.standard_output = "# at one\n:INPUT ACCEPT [6:12]\n"});
  CHECK(facts_of_machine(host).at("packet_filter_sha256") == facts.at("packet_filter_sha256"));
  host.add_program("nft", {.standard_output = ""});
  CHECK(facts_of_machine(host).at("packet_filter") == "no rules");
}

TEST_CASE("a program says its version on either output, unless it only complains") {
  FakeHost host;
  host.add_program("dnsperf", {.standard_output = "DNS Performance Testing Tool\nVersion 2.10.0\n", .exit = {1, std::nullopt}});
  host.add_program("ssh", {.standard_error = "OpenSSH_9.2p1 Debian-2, OpenSSL 3.0.19\n"});
  host.add_program("broken", {.standard_error = "broken: cannot open shared object file\n", .exit = {127, std::nullopt}});
  CHECK(program_version(host, {"dnsperf", "-h"}) == "Version 2.10.0");
  CHECK(program_version(host, {"ssh", "-V"}) == "OpenSSH_9.2p1 Debian-2, OpenSSL 3.0.19");
  CHECK(program_version(host, {"broken", "-V"}) == std::nullopt);
  CHECK(program_version(host, {"missing", "-V"}) == std::nullopt);
}

TEST_CASE("programs that write nonsense leave no facts") {
  FakeHost host;
  for (const char* name : {"tc", "ip"}) host.add_program(name, {.standard_output = "[1, \"x\", {\"root\":"});
  const HostFacts facts = facts_of_machine(host);
  CHECK_FALSE(facts.contains("queueing_disciplines"));
  CHECK_FALSE(facts.contains("xdp_interfaces"));
}

TEST_CASE("services and limits that may interfere are facts") {
  FakeHost host;
  host.add_file("/proc/17/comm", "tuned\n");
  host.add_file("/etc/tuned/active_profile", "network-latency\n");
  host.add_file("/proc/self/cgroup", "9:name=x:/\n0::/user\n");
  host.add_file("/sys/fs/cgroup/user/cpu.max", "200000 100000\n");
  host.add_file("/proc/self/limits", "Limit  Soft Limit  Hard Limit  Units\nMax open files            1024   524288   files\n");
  const HostFacts facts = facts_of_machine(host);
  CHECK(facts.at("tuned") == "running");
  CHECK(facts.at("tuned_profile") == "network-latency");
  CHECK(facts.at("irqbalance") == "not running");
  CHECK_FALSE(facts.contains("bpftune"));
  CHECK(facts.at("cgroup.cpu.max") == "200000 100000");
  CHECK(facts.at("limit.open_files") == "1024");
}

TEST_CASE("a machine that is another one is told by the facts that differ") {
  const HostFacts before{{"cpu_model", "X"}, {"cpus_online", "0-7"}, {"nodes", "2"}, {"kernel_release", "6.1"}, {"boot_id", "1"}};
  HostFacts now = before;
  CHECK(changed_facts(before, now, FactRole::identity).empty());
  now["cpus_online"] = "0-3";
  now.erase("nodes");
  now["cores"] = "4";
  now["kernel_release"] = "6.2";
  now["boot_id"] = "2";
  now["governor"] = "performance";
  CHECK(to_text(changed_facts(before, now, FactRole::identity)) ==
        "cpus_online was 0-7 and is 0-3; nodes was 2 and is unknown; cores was unknown and is 4");
  CHECK(to_text(changed_facts(before, now, FactRole::environment)) == "kernel_release was 6.1 and is 6.2");
  CHECK(to_text(changed_facts(before, now, FactRole::moment)) == "boot_id was 1 and is 2");
}

TEST_CASE("bytes of the firmware that are no text do not get into the record") {
  FakeHost host;
  host.add_file("/sys/class/dmi/id/product_name", "Box\xae\x01 9\n");
  CHECK(facts_of_machine(host).at("machine_product") == "Box?? 9");
}

TEST_CASE("facts of a record are read as far as they are texts") {
  CHECK(facts_from_json(R"({"a":"1","b":2,"c":{}})") == HostFacts{{"a", "1"}});
  for (const char* text : {"", "[]", "{", "3"}) CHECK(facts_from_json(text).empty());
}

TEST_CASE("two readings of this machine have one fingerprint") {
  const auto host = make_local_host();
  const Topology topology = read_topology(*host).value();
  const HostFacts first = read_host_facts(*host, topology), second = read_host_facts(*host, topology);
  CHECK(changed_facts(first, second, FactRole::identity).empty());
  CHECK(first.contains("kernel_release"));
  CHECK(first.contains("sysctl.net.core.rmem_max"));
  CHECK(fingerprint(first) == fingerprint(second));
}

}  // namespace
}  // namespace netsettle::runners
