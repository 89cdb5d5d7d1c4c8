// Debian's irqbalance, asked and told for real.

#include <csignal>
#include <filesystem>
#include <thread>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "runners/hosts/files.hpp"
#include "runners/hosts/local_host.hpp"
#include "runners/hosts/unix_socket.hpp"
#include "runners/settings/irqbalance.hpp"
#include "tests/actors/running_irqbalance.hpp"

using namespace netsettle;
using namespace netsettle::runners;
using netsettle::tests::RunningIrqbalance;
using netsettle::tests::TemporaryFolder;
using namespace std::chrono_literals;
using Status = RestoreItem::Status;

namespace {

GuardPaths paths_in(const TemporaryFolder& folder) {
  return {
      .lock_file = folder.path() / "run/lock", .undo_directory = folder.path() / "undo", .lock_info = folder.path() / "run/holder.json"};
}

std::unique_ptr<SettingsGuard> open_guard(const TemporaryFolder& folder) {
  return SettingsGuard::open({.paths = paths_in(folder), .study = "s", .database = "d"}).value();
}

char state_of(const ProcessIdentity& process) {
  const std::string stat = read_whole_file(fmt::format("/proc/{}/stat", process.pid)).value();
  return stat.at(stat.rfind(") ") + 2);
}

/// A program that bans 28 and 29 under a guard and says so, and then only waits to be killed.
std::unique_ptr<Process> start_victim(Host& host, const TemporaryFolder& folder) {
  const std::string program = std::filesystem::path(NETSETTLE_ACTOR_VICTIM).string();
  auto victim = host.start({.argv = {program, folder.path().string(), NETSETTLE_BIN_DIR "/netsettle-guard"}}).value();
  while (victim->standard_output() != "banned\n") REQUIRE(!victim->wait(5ms));
  return victim;
}

}  // namespace

TEST_CASE("a running irqbalance is found and says what it leaves alone") {
  const RunningIrqbalance daemon({"--banirq=26"});
  const auto host = make_local_host();
  const auto found = find_irqbalance(*host).value();
  REQUIRE(found);
  CHECK(is_running(*found));
  const auto setup = ask_irqbalance(daemon.identity()).value();
  CHECK(setup.banned_irqs == IrqSet{26});
  CHECK(setup.interval == 1s);
}

TEST_CASE("the study's interrupts are added to the daemon's own list, and the old list comes back") {
  const RunningIrqbalance daemon({"--banirq=26"});
  const TemporaryFolder folder;
  Journal journal = Journal::open(folder.path() / "undo").value();
  IrqbalanceControl control(journal);
  REQUIRE(control.bring(daemon.identity(), IrqbalanceMode::banned, {28, 29}));
  CHECK(daemon.bans() == "26 28 29");
  CHECK(control.check());
  REQUIRE(control.bring(daemon.identity(), IrqbalanceMode::banned, {30}));
  CHECK(daemon.bans() == "26 30");
  REQUIRE(control.bring(daemon.identity(), IrqbalanceMode::running, {}));
  CHECK(daemon.bans() == "26");
  CHECK(!journal.has_open_entries());
}

TEST_CASE("an empty list comes back as an empty list") {
  const RunningIrqbalance daemon;
  const TemporaryFolder folder;
  const auto host = make_local_host();
  const auto guard = open_guard(folder);
  REQUIRE(guard->bring_irqbalance(*host, IrqbalanceMode::banned, {0, 28}));
  CHECK(daemon.bans() == "0 28");
  const auto report = guard->restore();
  CHECK(report.complete());
  REQUIRE(report.items.size() == 1);
  CHECK(report.items[0].status == Status::restored);
  CHECK(report.items[0].detail == "'0 28' -> 'none'");
  CHECK(daemon.bans().empty());
}

TEST_CASE("a list that somebody else wrote in the middle is reported and not overwritten") {
  const RunningIrqbalance daemon({"--banirq=26"});
  const TemporaryFolder folder;
  const auto host = make_local_host();
  const auto guard = open_guard(folder);
  REQUIRE(guard->bring_irqbalance(*host, IrqbalanceMode::banned, {28}));
  daemon.tell("settings ban irqs 40");
  const auto checked = guard->check_irqbalance();
  REQUIRE(!checked);
  CHECK(checked.error().code == ErrorCode::conflict);
  CHECK(checked.error().text == "is '40', netsettle wrote '26 28': somebody else changed it; it was '26'");
  CHECK(guard->bring_irqbalance(*host, IrqbalanceMode::banned, {28, 29}).error().code == ErrorCode::conflict);
  const auto report = guard->restore();
  REQUIRE(report.items.size() == 1);
  CHECK(report.items[0].status == Status::conflict);
  CHECK(daemon.bans() == "40");

  SECTION("and restore with force puts the old list back") {
    CHECK(journal_is_open(paths_in(folder)));
    RestoreOptions options;
    options.force_conflicts = true;
    // The guard still holds the lock in this process: what the command does after it has taken the lock.
    Journal journal = Journal::open(paths_in(folder).undo_directory).value();
    REQUIRE(journal.entries().size() == 1);
    CHECK(restore_ban_list(journal.entries()[0], options).status == Status::restored);
    CHECK(daemon.bans() == "26");
  }
}

TEST_CASE("when a study is killed the guard gives the old list back") {
  const RunningIrqbalance daemon({"--banirq=26"});
  const TemporaryFolder folder;
  const auto host = make_local_host();
  const auto victim = start_victim(*host, folder);
  CHECK(daemon.bans() == "26 28 29");
  REQUIRE(victim->signal(SIGKILL));
  REQUIRE(victim->wait(20s));
  // Takes the lock, which is free once the guard has done its work.
  const auto report = restore_from_journal(paths_in(folder), {});
  REQUIRE(report);
  CHECK(report->items.empty());
  CHECK(daemon.bans() == "26");
  CHECK(read_whole_file(folder.file("undo/last-restore.json")).value().find("'26 28 29' -> '26'") != std::string::npos);
}

TEST_CASE("where study and guard are killed together, restore gives the old list back from the journal alone") {
  const RunningIrqbalance daemon({"--banirq=26"});
  const TemporaryFolder folder;
  {
    Journal journal = Journal::open(paths_in(folder).undo_directory).value();
    IrqbalanceControl control(journal);
    REQUIRE(control.bring(daemon.identity(), IrqbalanceMode::banned, {28, 29}));
  }
  REQUIRE(journal_is_open(paths_in(folder)));
  const auto planned = restore_from_journal(paths_in(folder), {.dry_run = true, .open_host = {}}).value();
  REQUIRE(planned.items.size() == 1);
  CHECK(planned.items[0].detail == "'26 28 29' -> '26'");
  CHECK(daemon.bans() == "26 28 29");
  CHECK(restore_from_journal(paths_in(folder), {}).value().complete());
  CHECK(daemon.bans() == "26");
  CHECK(!journal_is_open(paths_in(folder)));
}

TEST_CASE("a list too long for the socket changes nothing and says what to do") {
  const RunningIrqbalance daemon({"--banirq=26"});
  const TemporaryFolder folder;
  Journal journal = Journal::open(folder.path() / "undo").value();
  IrqbalanceControl control(journal);
  IrqSet irqs;
  for (int irq = 1000; irq < 1150; ++irq) irqs.insert(irq);
  const auto refused = control.bring(daemon.identity(), IrqbalanceMode::banned, irqs);
  REQUIRE(!refused);
  CHECK(refused.error().code == ErrorCode::unsupported);
  CHECK(refused.error().text.find("--banirq=N") != std::string::npos);
  CHECK(daemon.bans() == "26");
  CHECK(journal.entries().empty());
}

TEST_CASE("the longest list that is allowed arrives whole") {
  const RunningIrqbalance daemon;
  const TemporaryFolder folder;
  Journal journal = Journal::open(folder.path() / "undo").value();
  IrqbalanceControl control(journal);
  IrqSet irqs;
  for (int irq = 1000; ban_command(irqs); ++irq) irqs.insert(irq);
  irqs.erase(std::prev(irqs.end()));
  REQUIRE(control.bring(daemon.identity(), IrqbalanceMode::banned, irqs));
  CHECK(ask_irqbalance(daemon.identity()).value().banned_irqs == irqs);
  REQUIRE(control.bring(daemon.identity(), IrqbalanceMode::running, {}));
}

TEST_CASE("a stopped irqbalance is frozen for the study and goes on afterwards") {
  const RunningIrqbalance daemon({"--banirq=26"});
  const TemporaryFolder folder;
  const auto host = make_local_host();
  const auto guard = open_guard(folder);
  REQUIRE(guard->bring_irqbalance(*host, IrqbalanceMode::stopped, {28}));
  while (state_of(daemon.identity()) != 'T') std::this_thread::sleep_for(1ms);
  CHECK(guard->restore_settings().complete());
  CHECK(daemon.bans() == "26");  // it answers again
  REQUIRE(guard->bring_irqbalance(*host, IrqbalanceMode::banned, {28}));
  CHECK(daemon.bans() == "26 28");
  REQUIRE(guard->bring_irqbalance(*host, IrqbalanceMode::stopped, {28}));
  REQUIRE(guard->bring_irqbalance(*host, IrqbalanceMode::running, {}));
  CHECK(daemon.bans() == "26");
  CHECK(guard->restore().complete());
}

TEST_CASE("a daemon that ended took its list with it") {
  RunningIrqbalance daemon({"--banirq=26"});
  const TemporaryFolder folder;
  const auto host = make_local_host();
  const auto guard = open_guard(folder);
  REQUIRE(guard->bring_irqbalance(*host, IrqbalanceMode::banned, {28}));
  daemon.stop();
  CHECK(guard->check_irqbalance().error().code == ErrorCode::conflict);
  const auto report = guard->restore();
  CHECK(report.complete());
  REQUIRE(report.items.size() == 1);
  CHECK(report.items[0].status == Status::gone);
}

TEST_CASE("nobody is asked but the daemon itself") {
  const RunningIrqbalance daemon;
  CHECK(ask_unix_socket({daemon.socket(), own_identity().pid}, "setup", 15s).error().code == ErrorCode::conflict);
  CHECK(ask_irqbalance(own_identity()).error().code == ErrorCode::not_found);
  CHECK(ask_unix_socket({"/run/no-such.sock", own_identity().pid}, "setup", 1s).error().code == ErrorCode::not_found);
  CHECK(ask_unix_socket({std::string("\0netsettle-no-such", 18), own_identity().pid}, "setup", 1s).error().code == ErrorCode::not_found);
}

TEST_CASE("a daemon without its folder in /run is reached all the same") {
  const RunningIrqbalance daemon({"--banirq=26"}, RunningIrqbalance::RunFolder::hidden);
  CHECK(!std::filesystem::exists(daemon.socket()));
  CHECK(daemon.bans() == "26");
}
