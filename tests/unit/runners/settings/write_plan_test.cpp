#include "runners/settings/write_plan.hpp"

#include <catch2/catch.hpp>

#include "tests/support/fake_settings_machine.hpp"

using namespace netsettle;
using namespace netsettle::runners;
using Machine = netsettle::tests::FakeSettingsMachine;

namespace {

std::vector<std::string> lines_of(const WritePlan& plan) {
  std::vector<std::string> lines;
  for (const auto& write : plan.writes)
    lines.push_back(fmt::format("{}{} {} -> {}", write.netns.empty() ? "" : write.netns + ":", write.path, write.from, write.to));
  return lines;
}

}  // namespace

TEST_CASE("a plan says the writes in the order in which the guard makes them, and makes none") {
  Machine machine;
  machine.add_card();
  const std::map<std::string, std::string> wanted = {{"sysctl.net.core.rmem_max", "4194304"},
                                                     {"interrupts.count", "2"},
                                                     {"interrupts.node", "remote"},
                                                     {"napi.threaded", "1"},
                                                     {"queues.rps.count", "as-found"}};
  const auto plan = plan_writes(machine.card_context(), wanted);
  CHECK(plan.problems.empty());
  CHECK(lines_of(plan) == std::vector<std::string>{"/proc/irq/41/smp_affinity_list 0-3 -> 0", "/proc/irq/42/smp_affinity_list 0-3 -> 1",
                                                   "/proc/irq/43/smp_affinity_list 0-3 -> 0", "/proc/irq/44/smp_affinity_list 0-3 -> 1",
                                                   "nss-test:/sys/class/net/nic0/threaded 0 -> 1",
                                                   "/proc/sys/net/core/rmem_max 212992 -> 4194304"});
  std::vector<std::string> planned, made;
  for (const auto& write : plan.writes) planned.push_back(write.path);
  for (const auto& operation : machine.log->operations()) CHECK(operation.kind != tests::OperationKind::write);
  const auto guard = SettingsGuard::open(machine.guard_options()).value();
  guard->apply(machine.card_context(), wanted);
  for (const auto& operation : machine.log->operations())
    if (operation.kind == tests::OperationKind::write && operation.text.back() != '\n') made.push_back(operation.subject);
  CHECK(made == planned);  // texts that end a line are the trial of each interrupt, as it is
}

TEST_CASE("what cannot be planned is named, all of it") {
  Machine machine;
  const auto plan = plan_writes(
      machine.context(),
      {{"cpu.governor", "performance"}, {"interrupts.count", "1"}, {"queues.rps.count", "99"}, {"sysctl.net.core.rmem_max", "500000"}});
  CHECK(plan.problems.size() == 3);
  CHECK(plan.writes.size() == 1);
}

TEST_CASE("queues that fewer channels take away are not written") {
  Machine machine;
  machine.add_card();
  const auto plan =
      plan_writes(machine.card_context(), {{"nic.channels.combined", "2"}, {"queues.rps.mask", "1"}, {"queues.xps.count", "4"}});
  std::vector<std::string> paths;
  for (const auto& write : plan.writes) paths.push_back(write.path);
  const std::string queues = "/sys/class/net/nic0/queues/";
  CHECK(paths == std::vector<std::string>{"ethtool -l nic0 combined", queues + "rx-0/rps_cpus", queues + "rx-1/rps_cpus",
                                          queues + "tx-0/xps_cpus", queues + "tx-1/xps_cpus"});
}
