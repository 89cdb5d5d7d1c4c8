#include <catch2/catch.hpp>

#include "runners/settings/catalogue.hpp"
#include "tests/support/fake_settings_machine.hpp"

using namespace netsettle;
using namespace netsettle::runners;
using Machine = netsettle::tests::FakeSettingsMachine;

namespace {

std::vector<std::string> order_of(std::vector<SettingChange> changes) {
  std::vector<std::string> names;
  for (const auto& change : in_order(std::move(changes))) names.push_back(change.setting);
  return names;
}

}  // namespace

TEST_CASE("queues come before sysctls, and the flow table before the queues that use it") {
  CHECK(order_of({{"sysctl.net.core.netdev_budget", "300", "600"},
                  {"queues.rps.count", "0", "2"},
                  {"sysctl.net.core.rps_sock_flow_entries", "0", "32768"}}) ==
        std::vector<std::string>{"sysctl.net.core.rps_sock_flow_entries", "queues.rps.count", "sysctl.net.core.netdev_budget"});
}

TEST_CASE("settings are applied in the order in which the kernel takes them apart") {
  const std::vector<std::string> order = {"nic.channels",     "nic.ring",      "nic.coalesce",
                                          "nic.features",     "nic.rss",       "interrupts.spread",
                                          "queues.xps.count", "napi.threaded", "sysctl.net.ipv4.udp_mem",
                                          "cpu.governor"};
  for (std::size_t i = 1; i < order.size(); ++i) CHECK(apply_rank(order[i - 1]) < apply_rank(order[i]));
  CHECK(apply_rank("cpu.governor") == apply_rank("sched.nr_migrate"));
}

TEST_CASE("a buffer's limit goes first when it grows and last when it shrinks") {
  const std::string max = "sysctl.net.core.rmem_max", value = "sysctl.net.core.rmem_default";
  CHECK(order_of({{value, "212992", "4194304"}, {max, "212992", "4194304"}}) == std::vector<std::string>{max, value});
  CHECK(order_of({{max, "4194304", "212992"}, {value, "4194304", "212992"}}) == std::vector<std::string>{value, max});
}

TEST_CASE("udp_wmem_min never matters, udp_rmem_min only above udp_mem") {
  Machine machine;
  CHECK(inert_reason(machine.context(), "sysctl.net.ipv4.udp_wmem_min", {}));
  CHECK(inert_reason(machine.context(), "sysctl.net.ipv4.udp_rmem_min", {}));
  CHECK(!inert_reason(machine.context(), "sysctl.net.core.netdev_budget", {}));
}

TEST_CASE("the backlog matters on veth, and on a NIC only with RPS") {
  Machine machine;
  const std::string backlog = "sysctl.net.core.netdev_max_backlog";
  CHECK(!inert_reason(machine.context(), backlog, {}));
  machine.server.add_file("/sys/class/net/nss0/device/vendor", "0x8086\n");
  CHECK(inert_reason(machine.context(), backlog, {}));
  CHECK(!inert_reason(machine.context(), backlog, {"queues.rps.count"}));
  machine.server.set_content(Machine::kQueue1, "2\n");
  CHECK(!inert_reason(machine.context(), backlog, {}));
}

TEST_CASE("rmem_max alone does nothing for a server that never asks") {
  Machine machine;
  auto context = machine.context();
  CHECK(!inert_reason(context, "sysctl.net.core.rmem_max", {}));
  context.server_buffers = ServerBuffers::kernel_default;
  CHECK(inert_reason(context, "sysctl.net.core.rmem_max", {"sysctl.net.core.rmem_max"}));
  CHECK(inert_reason(context, "sysctl.net.core.rmem_max", {"sysctl.net.core.wmem_default"}));
  CHECK(!inert_reason(context, "sysctl.net.core.rmem_max", {"sysctl.net.core.rmem_default"}));
  CHECK(!inert_reason(context, "sysctl.net.core.rmem_default", {}));
  context.server_buffers = ServerBuffers::asked_for;
  CHECK(!inert_reason(context, "sysctl.net.core.rmem_max", {}));
  CHECK(inert_reason(context, "sysctl.net.core.rmem_default", {}));
}

TEST_CASE("what belongs to TCP, to later devices or to later namespaces cannot matter") {
  Machine machine;
  for (const std::string name :
       {"sysctl.net.ipv4.tcp_rmem", "sysctl.net.core.somaxconn", "sysctl.net.core.optmem_max", "sysctl.net.core.default_qdisc",
        "sysctl.net.core.rps_default_mask", "sysctl.net.ipv4.udp_child_hash_entries"}) {
    CAPTURE(name);
    CHECK(inert_reason(machine.context(), name, {}));
  }
  CHECK(!inert_reason(machine.context(), "sysctl.net.ipv4.udp_mem", {}));
  CHECK(!inert_reason(machine.context(), "sysctl.net.ipv4.udp_early_demux", {}));
}

TEST_CASE("flow steering matters only with packet steering, its table only with its queues") {
  Machine machine;
  const std::string both = "queues.rfs.entries", table = "sysctl.net.core.rps_sock_flow_entries";
  CHECK(inert_reason(machine.context(), both, {}));
  CHECK(!inert_reason(machine.context(), both, {"queues.rps.mask"}));
  CHECK(inert_reason(machine.context(), table, {"queues.rps.count"}).value().find("rps_flow_cnt") != std::string::npos);
  machine.server.set_content(Machine::kQueue0, "1\n");
  CHECK(!inert_reason(machine.context(), both, {}));
  machine.server.add_file("/sys/class/net/nss0/queues/rx-0/rps_flow_cnt", "1024\n");
  CHECK(!inert_reason(machine.context(), table, {}));
}

TEST_CASE("interrupts are put off only by both NAPI settings together") {
  Machine machine;
  const std::string defer = "napi.defer_hard_irqs", timeout = "napi.gro_flush_timeout";
  machine.server.add_file("/sys/class/net/nss0/napi_defer_hard_irqs", "0\n");
  machine.server.add_file("/sys/class/net/nss0/gro_flush_timeout", "0\n");
  CHECK(inert_reason(machine.context(), defer, {defer}));
  CHECK(inert_reason(machine.context(), timeout, {timeout}));
  CHECK(!inert_reason(machine.context(), defer, {defer, timeout}));
  CHECK(!inert_reason(machine.context(), timeout, {defer, timeout}));
  machine.server.set_content("/sys/class/net/nss0/gro_flush_timeout", "20000\n");
  CHECK(!inert_reason(machine.context(), defer, {defer}));
}

TEST_CASE("under threaded NAPI neither interrupts nor the softirq's budget decide, unless the study changes it") {
  Machine machine;
  machine.server.add_file("/sys/class/net/nss0/device/vendor", "0x8086\n");
  machine.server.add_file("/sys/class/net/nss0/threaded", "0\n");
  for (const std::string name : {"interrupts.count", "sysctl.net.core.netdev_budget", "sysctl.net.core.netdev_budget_usecs"}) {
    CAPTURE(name);
    machine.server.set_content("/sys/class/net/nss0/threaded", "0\n");
    CHECK(!inert_reason(machine.context(), name, {}));
    machine.server.set_content("/sys/class/net/nss0/threaded", "1\n");
    CHECK(inert_reason(machine.context(), name, {}));
    CHECK(!inert_reason(machine.context(), name, {"napi.threaded"}));
  }
}

TEST_CASE("busy polling needs a network card, memory nodes need more than one") {
  Machine machine;
  CHECK(inert_reason(machine.context(), "sysctl.net.core.busy_read", {}));
  machine.server.add_file("/sys/class/net/nss0/device/vendor", "0x8086\n");
  CHECK(!inert_reason(machine.context(), "sysctl.net.core.busy_read", {}));
  machine.host.add_file("/sys/devices/system/node/node0/cpulist", "0-1\n");
  CHECK(inert_reason(machine.context(), "sysctl.kernel.numa_balancing", {}));
  machine.host.add_file("/sys/devices/system/node/node1/cpulist", "2-3\n");
  CHECK(!inert_reason(machine.context(), "sysctl.kernel.numa_balancing", {}));
}

TEST_CASE("of two settings that write the same files one is left out") {
  Machine machine;
  CHECK(inert_reason(machine.context(), "queues.rps.mask", {"queues.rps.mask", "queues.rps.count"}));
  CHECK(!inert_reason(machine.context(), "queues.rps.count", {"queues.rps.mask", "queues.rps.count"}));
  CHECK(inert_reason(machine.context(), "interrupts.node", {"interrupts.node", "interrupts.map"}));
  CHECK(!inert_reason(machine.context(), "interrupts.node", {"interrupts.node", "interrupts.count"}));
}

TEST_CASE("flow limits have a table only where a CPU limits flows") {
  Machine machine;
  const std::string table = "sysctl.net.core.flow_limit_table_len", mask = "sysctl.net.core.flow_limit_cpu_bitmap";
  machine.host.add_file("/proc/sys/net/core/flow_limit_cpu_bitmap", "00,00000000\n");
  CHECK(inert_reason(machine.context(), table, {table}));
  CHECK(!inert_reason(machine.context(), table, {table, mask}));
  machine.host.set_content("/proc/sys/net/core/flow_limit_cpu_bitmap", "3\n");
  CHECK(!inert_reason(machine.context(), table, {table}));
}

TEST_CASE("the echo server opens no further port and sends nothing that must be split") {
  Machine machine;
  auto context = machine.context();
  for (const std::string name : {"sysctl.net.ipv4.ip_local_port_range", "nic.features.tx-udp-segmentation"}) {
    context.server_buffers = ServerBuffers::kernel_default;
    CHECK(inert_reason(context, name, {name}));
    context.server_buffers = ServerBuffers::unknown;
    CHECK(!inert_reason(context, name, {name}));
  }
}

TEST_CASE("packets of the loopback device are not joined, packets for this machine are not forwarded") {
  Machine machine;
  auto context = machine.context();
  CHECK(!inert_reason(context, "sysctl.net.core.gro_normal_batch", {}));
  context.interface = "lo";
  CHECK(inert_reason(context, "sysctl.net.core.gro_normal_batch", {}));
  CHECK(inert_reason(context, "nic.features.rx-udp-gro-forwarding", {}));
  CHECK(!inert_reason(context, "nic.features.rx-gro-list", {}));
}

TEST_CASE("the governor performance takes no energy preference, unless the study changes the governor") {
  Machine machine;
  machine.add_processors();
  CHECK(!inert_reason(machine.context(), "cpu.epp", {"cpu.epp"}));
  for (const char* policy : {"policy0", "policy1"})
    machine.host.set_content(std::string("/sys/devices/system/cpu/cpufreq/") + policy + "/scaling_governor", "performance\n");
  CHECK(inert_reason(machine.context(), "cpu.epp", {"cpu.epp"}));
  CHECK(!inert_reason(machine.context(), "cpu.epp", {"cpu.epp", "cpu.governor"}));
}

TEST_CASE("with one CPU there is nothing to choose for interrupts") {
  Machine machine;
  auto context = machine.context();
  CHECK(!inert_reason(context, "interrupts.count", {}));
  context.cpus = {0};
  CHECK(inert_reason(context, "interrupts.count", {}));
}
