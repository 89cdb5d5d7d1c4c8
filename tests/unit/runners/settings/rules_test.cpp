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
  CHECK(apply_rank("nic.channels") < apply_rank("irq.affinity"));
  CHECK(apply_rank("irq.affinity") < apply_rank("queues.rps.count"));
  CHECK(apply_rank("queues.rps.count") < apply_rank("sysctl.net.ipv4.udp_mem"));
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
