// Giving back from the journal alone, as `netsettle restore` does.

#include <grp.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <functional>

#include <catch2/catch.hpp>

#include "runners/hosts/local_host.hpp"
#include "runners/settings/file_entry.hpp"
#include "runners/settings/guard.hpp"
#include "runners/settings/journal.hpp"
#include "runners/settings/process_identity.hpp"
#include "tests/support/fake_settings_machine.hpp"

using namespace netsettle;
using namespace netsettle::runners;
using Machine = netsettle::tests::FakeSettingsMachine;
using netsettle::tests::OperationKind;
using Status = RestoreItem::Status;

namespace {

/// What the check says for a user without any right.
bool as_nobody(const std::function<bool()>& check) {
  constexpr uid_t kNobody = 65534;
  const pid_t child = ::fork();
  if (child == 0) {
    if (::setgroups(0, nullptr) != 0 || ::setgid(kNobody) != 0 || ::setuid(kNobody) != 0) ::_exit(2);
    ::_exit(check() ? 0 : 1);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  REQUIRE(WEXITSTATUS(status) != 2);
  return WEXITSTATUS(status) == 0;
}

JournalEntry rmem_entry() {
  JournalEntry entry;
  entry.setting = "sysctl.net.core.rmem_max";
  entry.path = Machine::kRmemMax;
  entry.comparator = Comparator::number;
  entry.original = "212992\n";
  return entry;
}

/// A journal as a run leaves it that was killed after writing `written`.
void leave_journal(const Machine& machine, const JournalEntry& entry, const std::optional<std::string>& written) {
  Journal journal = Journal::open(machine.paths().undo_directory).value();
  const int id = journal.add(entry).value();
  if (!written) return;
  REQUIRE(journal.write_begins(id, *written));
  REQUIRE(journal.write_ended(id, *written + "\n"));
}

RestoreReport restore(Machine& machine, bool force = false) {
  auto options = machine.restore_options();
  options.force_conflicts = force;
  return restore_from_journal(machine.paths(), options).value();
}

std::size_t writes_of(const Machine& machine) {
  return static_cast<std::size_t>(std::ranges::count(machine.log->operations(), OperationKind::write, &tests::Operation::kind));
}

}  // namespace

TEST_CASE("without a journal there is nothing to give back") {
  Machine machine;
  CHECK(!journal_is_open(machine.paths()));
  CHECK(restore(machine).items.empty());
  CHECK(machine.log->operations().empty());
}

TEST_CASE("what was written is given back, and a second restore finds nothing to do") {
  Machine machine;
  leave_journal(machine, rmem_entry(), "500000");
  machine.host.set_content(Machine::kRmemMax, "500000\n");
  CHECK(journal_is_open(machine.paths()));
  const auto report = restore(machine);
  REQUIRE(report.items.size() == 1);
  CHECK(report.items[0].what == Machine::kRmemMax);
  CHECK(report.items[0].status == Status::restored);
  CHECK(report.items[0].detail == "'500000' -> '212992'");
  CHECK(machine.host.content(Machine::kRmemMax) == "212992\n");
  CHECK(!journal_is_open(machine.paths()));
  CHECK(restore(machine).items.empty());
}

TEST_CASE("a dry run says what it would do and changes nothing") {
  Machine machine;
  leave_journal(machine, rmem_entry(), "500000");
  machine.host.set_content(Machine::kRmemMax, "500000\n");
  auto options = machine.restore_options();
  options.dry_run = true;
  const std::string journal = machine.journal_text();
  const auto report = restore_from_journal(machine.paths(), options).value();
  CHECK(report.items[0].status == Status::restored);
  CHECK(writes_of(machine) == 0);
  CHECK(machine.journal_text() == journal);
}

TEST_CASE("a crash between the journal and the write needs no write") {
  Machine machine;
  leave_journal(machine, rmem_entry(), std::nullopt);
  CHECK(restore(machine).items[0].status == Status::already);
  CHECK(writes_of(machine) == 0);
  CHECK(!journal_is_open(machine.paths()));
}

TEST_CASE("what netsettle never wrote is left as somebody else made it") {
  Machine machine;
  leave_journal(machine, rmem_entry(), std::nullopt);
  machine.host.set_content(Machine::kRmemMax, "5\n");
  const auto report = restore(machine);
  CHECK(report.complete());
  CHECK(report.items[0].status == Status::already);
  CHECK(writes_of(machine) == 0);
}

TEST_CASE("a write that a crash cut off is given back whether it happened or not") {
  Machine machine;
  Journal journal = Journal::open(machine.paths().undo_directory).value();
  const int id = journal.add(rmem_entry()).value();
  REQUIRE(journal.write_begins(id, "500000"));
  REQUIRE(journal.write_ended(id, "500000\n"));
  REQUIRE(journal.write_begins(id, "600000"));
  const std::string present = GENERATE("500000\n", "600000\n");
  machine.host.set_content(Machine::kRmemMax, present);
  CHECK(restore(machine).items[0].status == Status::restored);
  CHECK(machine.host.content(Machine::kRmemMax) == "212992\n");
}

TEST_CASE("a value that is not netsettle's is a conflict until somebody forces it") {
  Machine machine;
  leave_journal(machine, rmem_entry(), "500000");
  machine.host.set_content(Machine::kRmemMax, "777777\n");
  auto report = restore(machine);
  CHECK(!report.complete());
  CHECK(report.items[0].status == Status::conflict);
  CHECK(report.items[0].detail == "is '777777', netsettle wrote '500000': somebody else changed it; it was '212992'");
  CHECK(writes_of(machine) == 0);
  CHECK(journal_is_open(machine.paths()));

  SECTION("a known conflict does not keep a new study from starting, nor is it forgotten") {
    {
      const auto guard = SettingsGuard::open(machine.guard_options());
      REQUIRE(guard);
      (*guard)->apply(machine.context(), {{"sysctl.net.core.rmem_max", "900000"}});
      CHECK(machine.host.content(Machine::kRmemMax) == "900000\n");
    }
    CHECK(machine.host.content(Machine::kRmemMax) == "777777\n");
    CHECK(journal_is_open(machine.paths()));
  }
  SECTION("force writes the original") {
    report = restore(machine, true);
    CHECK(report.complete());
    CHECK(machine.host.content(Machine::kRmemMax) == "212992\n");
    CHECK(!journal_is_open(machine.paths()));
  }
  SECTION("a conflict that went away by itself is closed") {
    machine.host.set_content(Machine::kRmemMax, "212992\n");
    CHECK(restore(machine).items[0].status == Status::already);
    CHECK(!journal_is_open(machine.paths()));
  }
}

TEST_CASE("of a mask in the making, a part is ours and another mask is not") {
  JournalEntry entry;
  entry.comparator = Comparator::cpu_mask;
  entry.original = "0\n";
  entry.in_flight = "7";
  CHECK(is_ours(entry, "0\n"));
  CHECK(is_ours(entry, "7\n"));
  CHECK(is_ours(entry, "3\n"));
  CHECK(!is_ours(entry, "8\n"));
  CHECK(!is_ours(entry, "f\n"));
  entry.in_flight.reset();
  CHECK(!is_ours(entry, "3\n"));
}

TEST_CASE("after a reboot nothing is written and the journal is closed") {
  Machine machine;
  leave_journal(machine, rmem_entry(), "500000");
  JournalEntry space;
  space.kind = EntryKind::network_namespace;
  space.name = "nss-test";
  leave_journal(machine, space, std::nullopt);
  std::string text = machine.journal_text();
  const std::string boot = this_boot().value();
  for (auto at = text.find(boot); at != std::string::npos; at = text.find(boot)) text.replace(at, boot.size(), "another-boot");
  std::ofstream(machine.paths().undo_directory / "journal", std::ios::trunc) << text;
  machine.host.set_content(Machine::kRmemMax, "500000\n");  // whatever a sysctl.d file made of it
  const auto report = restore(machine);
  REQUIRE(report.items.size() == 2);
  for (const auto& item : report.items) {
    CHECK(item.status == Status::gone);
    CHECK(item.detail == "a reboot undid it");
  }
  CHECK(machine.log->operations().empty());
  CHECK(!journal_is_open(machine.paths()));
}

TEST_CASE("what vanished with its namespace or device is gone") {
  Machine machine;
  JournalEntry in_lost_namespace = rmem_entry();
  in_lost_namespace.netns = "nss-lost";
  leave_journal(machine, in_lost_namespace, "5");
  JournalEntry on_lost_device = rmem_entry();
  on_lost_device.path = "/sys/class/net/eth9/queues/rx-0/rps_cpus";
  leave_journal(machine, on_lost_device, "5");
  const auto report = restore(machine);
  REQUIRE(report.items.size() == 2);
  CHECK(report.items[0].status == Status::gone);
  CHECK(report.items[1].status == Status::gone);
  CHECK(report.complete());
}

TEST_CASE("ENOENT from a file that its folder shows is a failure, not a device that went") {
  Machine machine;
  leave_journal(machine, rmem_entry(), "500000");
  machine.host.fail_path(Machine::kRmemMax, ENOENT);
  CHECK(restore(machine).items[0].status == Status::failed);
  CHECK(journal_is_open(machine.paths()));
}

TEST_CASE("a kernel that refuses the original is reported with what is there and what should be") {
  Machine machine;
  leave_journal(machine, rmem_entry(), "500000");
  machine.host.set_content(Machine::kRmemMax, "500000\n");
  machine.host.fail_writes(Machine::kRmemMax, EINVAL);
  const auto report = restore(machine);
  CHECK(report.items[0].status == Status::failed);
  CHECK(report.items[0].detail.find("'500000' should be '212992'") != std::string::npos);
  CHECK(to_json(report).find("\"complete\": false") != std::string::npos);
  CHECK(journal_is_open(machine.paths()));
}

TEST_CASE("settings in another namespace than where restore runs are not written blindly") {
  Machine machine;
  JournalEntry entry = rmem_entry();
  entry.netns_inode = 1;
  leave_journal(machine, entry, "500000");
  CHECK(restore(machine).items[0].status == Status::failed);
  CHECK(machine.log->operations().empty());
}

TEST_CASE("unreadable lines of the journal make a restore incomplete") {
  Machine machine;
  leave_journal(machine, rmem_entry(), "500000");
  machine.host.set_content(Machine::kRmemMax, "500000\n");
  std::ofstream(machine.paths().undo_directory / "journal", std::ios::app) << "garbage\n";
  const auto report = restore(machine);
  CHECK(!report.complete());
  CHECK(machine.host.content(Machine::kRmemMax) == "212992\n");
  CHECK(journal_is_open(machine.paths()));
}

TEST_CASE("a child that is left over is ended, a process that took over its number is not") {
  Machine machine;
  const auto host = make_local_host();
  const auto child = host->start({.argv = {"sleep", "1000"}}).value();
  const auto bystander = host->start({.argv = {"sleep", "1000"}}).value();
  JournalEntry entry;
  entry.kind = EntryKind::process;
  entry.pid = child->pid();
  entry.pid_start = identify(child->pid()).value().start;
  leave_journal(machine, entry, std::nullopt);
  entry.pid = bystander->pid();
  entry.pid_start = 1;
  leave_journal(machine, entry, std::nullopt);
  const auto report = restore(machine);
  CHECK(report.complete());
  CHECK(to_text(child->wait(std::chrono::seconds(10)).value()) == "signal 9");
  CHECK(!bystander->wait(std::chrono::milliseconds(20)));
}

TEST_CASE("a journal in somebody else's folder is not this user's, one that cannot be read is open") {
  tests::TemporaryFolder folder;
  const auto inside = folder.path() / "home/undo";
  std::filesystem::create_directories(inside);
  std::ofstream(inside / "journal") << "";
  GuardPaths paths;
  paths.undo_directory = inside;
  CHECK(!journal_is_open(paths));
  std::filesystem::remove(inside / "journal");
  std::filesystem::create_directory(inside / "journal");  // no file: it cannot be read
  CHECK(journal_is_open(paths));
  std::filesystem::permissions(folder.path() / "home", std::filesystem::perms::none);
  CHECK(as_nobody([&] { return !journal_is_open(paths); }));
  std::filesystem::permissions(folder.path() / "home", std::filesystem::perms::owner_all);
}
