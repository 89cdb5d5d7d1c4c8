// interrupts.*: a card with four queues on node 1 of a machine with two nodes of two CPUs.

#include "runners/settings/interrupt_settings.hpp"

#include <cerrno>

#include <catch2/catch.hpp>

#include "runners/settings/guard.hpp"
#include "tests/support/fake_settings_machine.hpp"

using namespace netsettle;
using namespace netsettle::runners;
using Machine = netsettle::tests::FakeSettingsMachine;
using Texts = std::vector<std::string>;
using Wanted = std::map<std::string, std::string>;

namespace {

struct Card {
  Card() {
    machine.add_card();
    guard = SettingsGuard::open(machine.guard_options()).value();
  }
  Texts lists() const {
    Texts lists;
    for (int irq = 41; irq <= 44; ++irq) lists.push_back(machine.host.content(Machine::affinity_path(irq)));
    return lists;
  }
  std::vector<AppliedSetting> apply(const Wanted& wanted) {
    auto context = machine.card_context();
    context.server_cpus = {0, 2};
    return guard->apply(context, wanted);
  }
  /// What interrupts.node says of interrupts that are all there.
  std::string place_of(const std::string& list) {
    const auto setting = resolve_setting(machine.card_context(), "interrupts.node").value();
    return to_text(value_of(machine.card_context(), setting, Texts(4, list)));
  }
  void read_back(std::vector<AppliedSetting>& rows) { guard->read_back(machine.card_context(), rows); }

  Machine machine;
  std::unique_ptr<SettingsGuard> guard;
};

Texts lines(Texts lists) {
  for (auto& list : lists) list += "\n";
  return lists;
}

}  // namespace

TEST_CASE("queues go to the first CPUs of the card's own node, one after the other") {
  Card card;
  auto rows = card.apply({{"interrupts.count", "1"}});
  CHECK(card.lists() == lines({"2", "2", "2", "2"}));
  rows = card.apply({{"interrupts.count", "2"}});
  CHECK(card.lists() == lines({"2", "3", "2", "3"}));
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].setting == "interrupts.count");
  CHECK(rows[0].requested == "2");
  CHECK(rows[0].before == "1");
  CHECK(rows[0].effective == "2");
  CHECK(rows[0].status == SettingStatus::ok);
  CHECK(rows[0].target == Machine::affinity_path(41) + " and 3 more");
}

TEST_CASE("a node says where, a number how many, and both are one spread") {
  struct Row {
    Wanted wanted;
    Texts lists;
  };
  const Row table[] = {
      {{{"interrupts.node", "local"}}, {"2", "3", "2", "3"}},
      {{{"interrupts.node", "remote"}}, {"0", "1", "0", "1"}},
      {{{"interrupts.node", "any"}}, {"0", "1", "2", "3"}},
      {{{"interrupts.node", "with-server"}}, {"0", "2", "0", "2"}},
      {{{"interrupts.node", "away-from-server"}}, {"1", "3", "1", "3"}},
      {{{"interrupts.node", "remote"}, {"interrupts.count", "1"}}, {"0", "0", "0", "0"}},
      {{{"interrupts.node", "any"}, {"interrupts.count", "3"}}, {"0", "1", "2", "0"}},
      {{{"interrupts.node", "as-found"}, {"interrupts.count", "1"}}, {"2", "2", "2", "2"}},
      {{{"interrupts.node", "remote"}, {"interrupts.count", "as-found"}}, {"0", "1", "0", "1"}},
      {{{"interrupts.map", "0 0-1 3 2"}}, {"0", "0-1", "3", "2"}},
  };
  Card card;
  for (const auto& row : table) {
    const auto rows = card.apply(row.wanted);
    CAPTURE(to_text(rows[0].status), rows[0].effective);
    CHECK(rows.size() == row.wanted.size());
    CHECK(card.lists() == lines(row.lists));
  }
  CHECK(card.guard->restore().complete());
  CHECK(card.lists() == lines({"0-3", "0-3", "0-3", "0-3"}));
}

TEST_CASE("the layout found is never taken for a number or a place that would lay it out otherwise") {
  Card card;
  for (int irq = 41; irq <= 44; ++irq) card.machine.host.set_content(Machine::affinity_path(irq), "2\n");
  for (const std::string name : {"interrupts.count", "interrupts.node", "interrupts.map"})
    CHECK(resolve_setting(card.machine.card_context(), name)->as_found == Value(std::string("2 2 2 2")));
}

TEST_CASE("each of the settings is recorded under its own name") {
  Card card;
  auto rows = card.apply({{"interrupts.count", "2"}, {"interrupts.node", "remote"}});
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].setting == "interrupts.count");
  CHECK(rows[0].effective == "2");
  CHECK(rows[1].setting == "interrupts.node");
  CHECK(rows[1].before == "any");
  CHECK(rows[1].effective == "remote");
  card.read_back(rows);
  CHECK(rows[0].at_end == "2");
  CHECK(rows[1].at_end == "remote");
  CHECK(rows[0].status == SettingStatus::ok);
}

TEST_CASE("as-found puts every interrupt back where it was") {
  Card card;
  card.apply({{"interrupts.count", "1"}});
  auto rows = card.apply({{"interrupts.count", "as-found"}});
  CHECK(card.lists() == lines({"0-3", "0-3", "0-3", "0-3"}));
  CHECK(rows[0].effective == "0-3 0-3 0-3 0-3");
  card.read_back(rows);
  CHECK(rows[0].at_end == rows[0].effective);
  card.apply({{"interrupts.count", "1"}});
  CHECK(card.apply({}).empty());
  CHECK(card.lists() == lines({"0-3", "0-3", "0-3", "0-3"}));
}

TEST_CASE("a spread that cannot be is refused and changes nothing") {
  Card card;
  const Wanted refused[] = {{{"interrupts.count", "0"}},     {{"interrupts.count", "5"}},
                            {{"interrupts.node", "nearby"}}, {{"interrupts.map", "0 1"}},
                            {{"interrupts.map", "0 1 2 x"}}, {{"interrupts.map", "0 1 2 3"}, {"interrupts.count", "2"}}};
  for (const auto& wanted : refused) {
    const auto rows = card.apply(wanted);
    CAPTURE(wanted.begin()->second, to_text(rows[0].status));
    CHECK(rows.size() == wanted.size());
    CHECK((rows[0].status == SettingStatus::einval || rows[0].status == SettingStatus::refused));
    CHECK(card.lists() == lines({"0-3", "0-3", "0-3", "0-3"}));
  }
}

TEST_CASE("a place with fewer CPUs than were asked for gives all it has, and the record says so") {
  Card card;
  const auto rows = card.apply({{"interrupts.count", "3"}, {"interrupts.node", "local"}});
  CHECK(card.lists() == lines({"2", "3", "2", "3"}));
  CHECK(rows[0].requested == "3");
  CHECK(rows[0].effective == "2");
  CHECK(rows[0].status == SettingStatus::clamped);
  CHECK(rows[1].effective == "local");
  CHECK(rows[1].status == SettingStatus::ok);
}

TEST_CASE("interrupts that the kernel places itself are found by trying and left out") {
  for (const int error : {EIO, EPERM}) {
    Card card;
    card.machine.make_kernels_own(42, error);
    auto rows = card.apply({{"interrupts.node", "any"}, {"interrupts.count", "4"}});
    CHECK(rows[0].setting == "interrupts.count");
    CHECK(rows[0].status == SettingStatus::clamped);  // three of the four CPUs
    CHECK(rows[1].status == SettingStatus::ok);
    CHECK(rows[0].target.find("left out: /proc/irq/42/smp_affinity_list (the kernel places this interrupt itself)") != std::string::npos);
    CHECK(card.lists() == lines({"0", "0-3", "2", "3"}));
    card.read_back(rows);
    CHECK(rows[0].status == SettingStatus::clamped);
    CHECK(card.guard->restore().complete());
    CHECK(card.lists() == lines({"0-3", "0-3", "0-3", "0-3"}));
    CHECK(!journal_is_open(card.machine.paths()));
  }
}

TEST_CASE("a card whose interrupts are all the kernel's own is refused") {
  Card card;
  for (int irq = 41; irq <= 44; ++irq) card.machine.make_kernels_own(irq, EPERM);
  CHECK(card.apply({{"interrupts.count", "1"}})[0].status == SettingStatus::refused);
  CHECK(card.guard->restore().complete());
}

TEST_CASE("somebody who moves an interrupt is noticed and not overwritten") {
  Card card;
  auto rows = card.apply({{"interrupts.count", "1"}});
  card.machine.host.set_content(Machine::affinity_path(43), "0\n");
  card.read_back(rows);
  CHECK(rows[0].status == SettingStatus::drifted);
  const auto report = card.guard->restore();
  CHECK_FALSE(report.complete());
  CHECK(card.machine.host.content(Machine::affinity_path(43)) == "0\n");
  CHECK(card.machine.host.content(Machine::affinity_path(44)) == "0-3\n");
}

TEST_CASE("an interrupt that comes on a CPU outside its list is noticed, one that has hardly come is pending") {
  Card card;
  auto rows = card.apply({{"interrupts.count", "1"}});
  card.machine.host.add_file("/proc/irq/43/effective_affinity_list", "0\n");
  card.read_back(rows);
  CHECK(rows[0].status == SettingStatus::ok);
  card.machine.count_interrupts(1);
  card.read_back(rows);
  CHECK(rows[0].status == SettingStatus::ok);
  card.machine.count_interrupts(100);
  card.read_back(rows);
  CHECK(rows[0].status == SettingStatus::drifted);
}

TEST_CASE("queues are told from their names, and the link's interrupt is none") {
  Machine machine;
  machine.add_card();
  const auto found = queue_interrupts(machine.card_context(), "interrupts.count").value();
  REQUIRE(found.size() == 4);
  CHECK(found[0].irq == 41);
  CHECK(found[3].queue == 3);
  machine.show_interrupts(
      "           CPU0       CPU1\n"
      " 41:  1  1   PCI-MSIX-0000:81:00.0   1-edge   virtio2-input.0\n"
      " 42:  1  1   PCI-MSIX-0000:81:00.0   2-edge   virtio2-output.0\n"
      " 43:  1  1   PCI-MSIX-0000:81:00.0   3-edge   virtio2-input.1\n"
      " 44:  1  1   PCI-MSIX-0000:81:00.0   4-edge   virtio2-output.1\n");
  const auto pairs = queue_interrupts(machine.card_context(), "interrupts.count").value();
  REQUIRE(pairs.size() == 4);
  CHECK(pairs[0].queue == 0);
  CHECK(pairs[1].queue == 0);
  CHECK(pairs[3].queue == 1);
  CHECK(resolve_setting(machine.card_context(), "interrupts.count")->largest == 2);
  machine.show_interrupts(
      "           CPU0       CPU1\n"
      " 41:  1  1   PCI-MSIX-0000:81:00.0   1-edge   mlx5_comp7@pci:0000:81:00.0\n"
      " 42:  1  1   PCI-MSIX-0000:81:00.0   2-edge   mlx5_comp12@pci:0000:81:00.0\n");
  const auto far = queue_interrupts(machine.card_context(), "interrupts.count").value();
  REQUIRE(far.size() == 2);
  CHECK(far[0].queue == 0);
  CHECK(far[1].queue == 1);
}

TEST_CASE("a device without interrupts says why") {
  Machine machine;
  machine.add_card();
  const auto veth = queue_interrupts(machine.context(), "interrupts.count");
  REQUIRE_FALSE(veth);
  CHECK(veth.error().text == "nss0 is a virtual device: it has no interrupts of its own");
  machine.show_interrupts("           CPU0       CPU1\n");
  const auto silent = queue_interrupts(machine.card_context(), "interrupts.count");
  REQUIRE_FALSE(silent);
  CHECK(silent.error().text.starts_with("nic0: no queue interrupt was found"));
}

TEST_CASE("the node of a card that says -1 is not node 0, unless there is only one") {
  Card card;
  card.machine.server.add_file(std::string(Machine::kCardDevice) + "/numa_node", "-1\n");
  CHECK(card.place_of("0-1") == "unknown");
  CHECK(card.apply({{"interrupts.node", "local"}})[0].status == SettingStatus::refused);
  CHECK(card.apply({{"interrupts.count", "2"}})[0].status == SettingStatus::ok);
  CHECK(card.lists() == lines({"0", "1", "0", "1"}));
  card.machine.server.add_file(std::string(Machine::kCardDevice) + "/local_cpulist", "2-3\n");
  CHECK(card.place_of("0-1") == "remote");
  CHECK(card.place_of("2") == "local");
  CHECK(card.place_of("1-2") == "any");
  card.machine.server.remove_file(std::string(Machine::kCardDevice) + "/local_cpulist");
  card.machine.server.remove_file("/sys/devices/system/node/node1/cpulist");
  card.machine.server.add_file("/sys/devices/system/node/node0/cpulist", "0-3\n");
  CHECK(card.place_of("0-1") == "local");
}

TEST_CASE("sibling is the other hardware threads of the server's cores") {
  Card card;
  for (int cpu = 0; cpu < 4; ++cpu)
    card.machine.host.add_file("/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology/thread_siblings_list",
                               cpu % 2 == 0 ? "0,2\n" : "1,3\n");
  auto context = card.machine.card_context();
  const auto setting = resolve_setting(context, "interrupts.node").value();
  context.server_cpus = {0};
  CHECK(texts_for(context, setting, "sibling").value() == Texts(4, "2"));
  context.server_cpus = {0, 1};
  CHECK(texts_for(context, setting, "sibling").value() == Texts{"2", "3", "2", "3"});

  SECTION("a server on all of them leaves none") {
    context.server_cpus = {0, 2};
    const auto refused = texts_for(context, setting, "sibling");
    REQUIRE(!refused);
    CHECK(refused.error().text.find("all hardware threads of its cores") != std::string::npos);
  }
  SECTION("where the server runs must be known") {
    context.server_cpus.clear();
    CHECK(texts_for(context, setting, "sibling").error().code == ErrorCode::unsupported);
  }
}

TEST_CASE("without hardware threads there is no sibling, with the reason") {
  Card card;
  card.machine.host.add_file("/sys/devices/system/cpu/cpu0/topology/core_cpus_list", "0\n");
  auto context = card.machine.card_context();
  context.server_cpus = {0};
  const auto refused = texts_for(context, resolve_setting(context, "interrupts.node").value(), "sibling");
  REQUIRE(!refused);
  CHECK(refused.error().code == ErrorCode::unsupported);
  CHECK(refused.error().text.find("one hardware thread each") != std::string::npos);
}

TEST_CASE("irqbalance that does not run, or interrupts that are not there, cannot be a setting") {
  Card card;
  card.machine.host.add_file("/proc/1/comm", "init\n");
  const auto absent = resolve_setting(card.machine.card_context(), kIrqbalanceSetting);
  REQUIRE(!absent);
  CHECK(absent.error().code == ErrorCode::unsupported);
  CHECK(absent.error().text.find("does not run here") != std::string::npos);
}

TEST_CASE("the places that a machine has are named once each") {
  Card card;
  auto context = card.machine.card_context();
  context.server_cpus = {0, 1};
  CHECK(resolve_setting(context, "interrupts.node").value().words == Texts{"local", "remote", "any"});
  context.server_cpus = {1, 2};
  CHECK(resolve_setting(context, "interrupts.node").value().words == Texts{"local", "remote", "any", "with-server", "away-from-server"});
}
