// actors.irqbalance: Debian's irqbalance running, banned or stopped from trial to trial. The interrupts are those of a captured card (60 to
// 63), or of a card that is played: none of this machine's is named.

#include <csignal>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "runners/hosts/local_host.hpp"
#include "runners/hosts/tree_host.hpp"
#include "runners/settings/irqbalance_setting.hpp"
#include "tests/actors/running_irqbalance.hpp"
#include "tests/support/fake_settings_machine.hpp"

using namespace netsettle;
using namespace netsettle::runners;
using namespace std::chrono_literals;
using netsettle::tests::FakeSettingsMachine;
using netsettle::tests::RunningIrqbalance;
using netsettle::tests::TemporaryFolder;

namespace {

const std::string kTree = NETSETTLE_SOURCE_DIR "/datasets/captures/trees/bond-vlan-bridge.tar.gz";

struct Study {
  explicit Study(const std::string& interface = "eth1") {
    context = {.host = host.get(), .server = tree.get(), .interface = interface, .cpus = {0, 1}};
  }
  std::unique_ptr<SettingsGuard> open_guard() const {
    return SettingsGuard::open({.paths = paths(), .study = "s", .database = "d"}).value();
  }
  GuardPaths paths() const {
    return {
        .lock_file = folder.path() / "run/lock", .undo_directory = folder.path() / "undo", .lock_info = folder.path() / "run/holder.json"};
  }
  std::string found() const { return to_text(resolve_setting(context, kIrqbalanceSetting).value().as_found); }

  TemporaryFolder folder;
  std::unique_ptr<Host> host = make_local_host(), tree = open_tree(kTree).value();
  SettingContext context;
};

AppliedSetting only_row(SettingsGuard& guard, const SettingContext& context, const std::string& mode) {
  auto rows = guard.apply(context, {{kIrqbalanceSetting, mode}});
  REQUIRE(rows.size() == 1);
  return rows[0];
}

/// The same played card with the real daemon in its /proc.
void show_daemon(FakeSettingsMachine& machine, const RunningIrqbalance& daemon) {
  machine.host.add_file(fmt::format("/proc/{}/comm", daemon.identity().pid), "irqbalance\n");
  machine.host.add_file(fmt::format("/proc/{}/status", daemon.identity().pid), "Name:\tirqbalance\nUid:\t0\t0\t0\t0\n");
}

}  // namespace

TEST_CASE("each mode is in force for its trial and looked at, and the daemon is as it was afterwards") {
  const RunningIrqbalance daemon({"--banirq=26"});
  const Study study;
  CHECK(study.found() == "running");
  const auto guard = study.open_guard();
  const AppliedSetting banned = only_row(*guard, study.context, "banned");
  CHECK(banned.status == SettingStatus::ok);
  CHECK(banned.before == "running");
  CHECK(banned.effective == "banned");
  REQUIRE(banned.files.size() == 1);
  CHECK(banned.files[0].path == "irqbalance");
  CHECK(banned.files[0].effective == "banned");
  CHECK(daemon.bans() == "26 60 61 62 63");

  const AppliedSetting stopped = only_row(*guard, study.context, "stopped");
  CHECK(stopped.status == SettingStatus::ok);
  CHECK(stopped.effective == "stopped");
  CHECK(is_stopped(daemon.identity()));

  const AppliedSetting running = only_row(*guard, study.context, "running");
  CHECK(running.status == SettingStatus::ok);
  CHECK(running.effective == "running");
  CHECK(daemon.bans() == "26");

  CHECK(only_row(*guard, study.context, "stopped").effective == "stopped");
  CHECK(guard->apply(study.context, {}).empty());  // as found
  CHECK(study.found() == "running");
  CHECK(only_row(*guard, study.context, "banned").effective == "banned");
  CHECK(guard->restore().complete());
  CHECK(daemon.bans() == "26");
}

TEST_CASE("a daemon that was told something else during the trial is drift") {
  const RunningIrqbalance daemon;
  const Study study;
  const auto guard = study.open_guard();
  auto rows = guard->apply(study.context, {{kIrqbalanceSetting, "banned"}});
  guard->read_back(study.context, rows);
  CHECK(rows[0].at_end == "banned");
  CHECK(rows[0].status == SettingStatus::ok);
  daemon.tell("settings ban irqs 60");
  guard->read_back(study.context, rows);
  CHECK(rows[0].at_end == "running");
  CHECK(rows[0].status == SettingStatus::drifted);
  CHECK(only_row(*guard, study.context, "stopped").status == SettingStatus::drifted);
  CHECK(daemon.bans() == "60");
}

TEST_CASE("what somebody else has set up limits the levels, with the reason") {
  const RunningIrqbalance daemon({"--banirq=60", "--banirq=61", "--banirq=62", "--banirq=63"});
  const Study study;
  const auto setting = resolve_setting(study.context, kIrqbalanceSetting).value();
  CHECK(to_text(setting.as_found) == "banned");
  CHECK(setting.words == std::vector<std::string>{"banned", "stopped"});
  const auto refused = texts_for(study.context, setting, "running");
  REQUIRE(!refused);
  CHECK(refused.error().text == "cannot be 'running' here: somebody else has it banned");
}

TEST_CASE("an interface without interrupts has nothing that irqbalance could move") {
  const RunningIrqbalance daemon;
  const Study study("lo");
  const auto refused = resolve_setting(study.context, kIrqbalanceSetting);
  REQUIRE(!refused);
  CHECK(refused.error().code == ErrorCode::unsupported);
}

TEST_CASE("interrupts are placed while the daemon leaves them alone, and are its own when it runs again") {
  const RunningIrqbalance daemon;
  FakeSettingsMachine machine;
  machine.add_card();
  show_daemon(machine, daemon);
  const auto context = machine.card_context();
  const auto guard = SettingsGuard::open(machine.guard_options()).value();
  const std::string path = FakeSettingsMachine::affinity_path(41);

  auto rows = guard->apply(context, {{kIrqbalanceSetting, "banned"}, {"interrupts.count", "1"}});
  CHECK(rows.size() == 2);
  CHECK(daemon.bans() == "41 42 43 44");
  CHECK(machine.host.content(path) == "2\n");

  rows = guard->apply(context, {{kIrqbalanceSetting, "running"}});
  CHECK(daemon.bans().empty());
  CHECK(machine.host.content(path) == "0-3\n");
  // What a running daemon does with them is not drift, and not somebody else's change of what the study had.
  AppliedSetting untouched{
      .setting = "interrupts.count", .requested = "as-found", .effective = "0-3 0-3 0-3 0-3", .status = SettingStatus::same};
  rows.push_back(untouched);
  machine.host.set_content(path, "3\n");
  guard->read_back(context, rows);
  CHECK(rows[1].status == SettingStatus::same);
  CHECK(rows[1].at_end == "3 0-3 0-3 0-3");

  rows = guard->apply(context, {{kIrqbalanceSetting, "stopped"}, {"interrupts.count", "2"}});
  for (const auto& row : rows) CHECK(row.status == SettingStatus::ok);
  CHECK(machine.host.content(path) == "2\n");
  CHECK(guard->restore().complete());
  CHECK(machine.host.content(path) == "3\n");  // the daemon's, which the study has found there
  CHECK(daemon.bans().empty());
}

TEST_CASE("when the owner is killed in a banned or a stopped trial the guard gives the daemon back") {
  for (const std::string mode : {"banned", "stopped"}) {
    const RunningIrqbalance daemon({"--banirq=26"});
    const TemporaryFolder folder;
    const auto host = make_local_host();
    const auto victim =
        host->start({.argv = {NETSETTLE_ACTOR_VICTIM, folder.path().string(), NETSETTLE_BIN_DIR "/netsettle-guard", kTree, "eth1", mode}})
            .value();
    while (victim->standard_output() != "banned\n") REQUIRE(!victim->wait(5ms));
    CHECK(is_stopped(daemon.identity()) == (mode == "stopped"));
    REQUIRE(victim->signal(SIGKILL));
    REQUIRE(victim->wait(20s));
    const auto report = restore_from_journal(
        {.lock_file = folder.path() / "run/lock", .undo_directory = folder.path() / "undo", .lock_info = folder.path() / "run/holder.json"},
        {});
    REQUIRE(report);
    CHECK(report->items.empty());
    CHECK(!is_stopped(daemon.identity()));
    CHECK(daemon.bans() == "26");
  }
}
