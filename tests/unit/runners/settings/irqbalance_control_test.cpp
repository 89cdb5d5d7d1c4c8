// The control of a daemon that is played by this test: what the journal knows at each step, and failures on the way. A real one is asked in
// tests/actors.

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "runners/hosts/files.hpp"
#include "runners/settings/irqbalance.hpp"
#include "tests/support/fake_host.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace netsettle;
using namespace netsettle::runners;
using Status = RestoreItem::Status;

namespace {

/// Answers as irqbalance does, for this very process, which certainly runs.
struct PlayedDaemon {
  IrqSet bans{26};
  bool forgets_writes = false;
  std::optional<Error> failure;
  std::vector<std::string> commands;

  IrqbalanceTalk talk() {
    return [this](const ProcessIdentity&, std::string_view command, Microseconds) -> Expected<std::string> {
      commands.emplace_back(command);
      if (failure) return std::unexpected(*failure);
      if (command == kIrqbalanceSetup) return answer();
      if (!forgets_writes) bans = parse_list(command.ends_with("NONE") ? "" : command.substr(18)).value();
      return "";
    };
  }
  std::string answer() const {
    std::string text = "SLEEP 10 ";
    for (const int irq : bans) text += fmt::format("IRQ {} LOAD 0 DIFF 0 CLASS 0 ", irq);
    return text + "BANNED 00000000";
  }
};

struct Study {
  tests::TemporaryFolder folder;
  PlayedDaemon daemon;
  Journal journal = Journal::open(folder.path() / "undo").value();
  IrqbalanceControl control{journal, daemon.talk()};
  ProcessIdentity self = own_identity();

  /// The only entry, as another process reads it from the disk.
  JournalEntry on_disk() const {
    const auto replayed = Journal::read(folder.path() / "undo").value();
    REQUIRE(replayed.unreadable_lines.empty());
    REQUIRE(replayed.entries.size() == 1);
    return replayed.entries[0];
  }
};

}  // namespace

TEST_CASE("the old list is in the journal before the daemon is told the new one") {
  Study study;
  const auto talk = study.daemon.talk();
  std::optional<JournalEntry> seen;
  IrqbalanceControl control(study.journal, [&](const auto& process, std::string_view command, Microseconds patience) {
    if (command.starts_with("settings")) seen = study.on_disk();
    return talk(process, command, patience);
  });
  REQUIRE(control.bring(study.self, IrqbalanceMode::banned, {28}));
  REQUIRE(seen);
  CHECK(seen->kind == EntryKind::irqbalance_bans);
  CHECK(seen->original == "26");
  CHECK(seen->in_flight == "26 28");
  CHECK(ProcessIdentity{seen->pid, seen->pid_start} == study.self);
  CHECK(study.on_disk().in_force == "26 28");
  CHECK(!study.on_disk().in_flight);
}

TEST_CASE("interrupts that are banned already need no word to the daemon") {
  Study study;
  REQUIRE(study.control.bring(study.self, IrqbalanceMode::banned, {26}));
  CHECK(study.daemon.commands == std::vector<std::string>{"setup"});
  CHECK(study.journal.entries().empty());
}

TEST_CASE("a daemon that does not take the list is an error, and what was tried can be given back") {
  Study study;
  study.daemon.forgets_writes = true;
  const auto brought = study.control.bring(study.self, IrqbalanceMode::banned, {28});
  REQUIRE(!brought);
  CHECK(brought.error().code == ErrorCode::refused);
  CHECK(brought.error().text == "its ban list is '26' after writing '26 28'");
  CHECK(restore_ban_list(study.on_disk(), {}, study.daemon.talk()).status == Status::already);
}

TEST_CASE("a study that died between writing and reading back is given back") {
  Study study;
  JournalEntry entry;
  entry.kind = EntryKind::irqbalance_bans;
  entry.pid = study.self.pid;
  entry.pid_start = study.self.start;
  entry.original = "";
  entry.in_flight = "26";
  CHECK(restore_ban_list(entry, {}, study.daemon.talk()).status == Status::restored);
  CHECK(study.daemon.bans.empty());
  CHECK(study.daemon.commands.at(1) == "settings ban irqs NONE");
}

TEST_CASE("whichever exchange fails, the old list comes back from what is on the disk") {
  int exchanges = 0;
  bool worked = false;
  for (int failing = 1; !worked; ++failing) {
    Study study;
    const auto talk = study.daemon.talk();
    int left = failing;
    IrqbalanceControl control(study.journal,
                              [&](const auto& process, std::string_view command, Microseconds patience) -> Expected<std::string> {
                                if (--left == 0) return fail(ErrorCode::timed_out, "irqbalance", "says nothing");
                                ++exchanges;
                                return talk(process, command, patience);
                              });
    worked = true;
    for (const IrqSet& irqs : {IrqSet{28}, IrqSet{29, 30}}) worked = control.bring(study.self, IrqbalanceMode::banned, irqs) && worked;
    CHECK(worked == (left > 0));
    const auto replayed = Journal::read(study.folder.path() / "undo").value();
    for (const auto& entry : replayed.entries) {
      const auto status = restore_ban_list(entry, {}, study.daemon.talk()).status;
      CHECK((status == Status::restored || status == Status::already));
    }
    CHECK(study.daemon.bans == IrqSet{26});
  }
  CHECK(exchanges > 10);
}

TEST_CASE("a study killed at any step gives the old list back") {
  // What is on the disk and in the daemon at each exchange of a run, as a kill right before and right after it would leave them.
  struct Moment {
    std::string journal;
    IrqSet bans;
  };
  std::vector<Moment> moments;
  Study study;
  const auto talk = study.daemon.talk();
  const auto note = [&] {
    moments.push_back({runners::read_whole_file((study.folder.path() / "undo/journal").string()).value(), study.daemon.bans});
  };
  IrqbalanceControl control(study.journal, [&](const auto& process, std::string_view command, Microseconds patience) {
    note();
    auto answer = talk(process, command, patience);
    note();
    return answer;
  });
  REQUIRE(control.bring(study.self, IrqbalanceMode::banned, {28}));
  REQUIRE(control.bring(study.self, IrqbalanceMode::banned, {29}));
  REQUIRE(control.bring(study.self, IrqbalanceMode::running, {}));
  REQUIRE(moments.size() >= 16);
  for (const auto& moment : moments) {
    PlayedDaemon daemon;
    daemon.bans = moment.bans;
    for (const auto& entry : replay(moment.journal).entries)
      if (entry.state != EntryState::closed) CHECK(restore_ban_list(entry, {}, daemon.talk()).status != Status::conflict);
    CHECK(daemon.bans == IrqSet{26});
  }
}

TEST_CASE("an answer that is empty means that only root is answered") {
  Study study;
  const auto setup = ask_irqbalance(study.self, [](const auto&, std::string_view, Microseconds) -> Expected<std::string> { return ""; });
  REQUIRE(!setup);
  CHECK(setup.error().code == ErrorCode::permission_denied);
}

TEST_CASE("a daemon that cannot be asked leaves its entry open with the reason") {
  Study study;
  REQUIRE(study.control.bring(study.self, IrqbalanceMode::banned, {28}));
  study.daemon.failure = Error{ErrorCode::timed_out, "irqbalance", "says nothing", 0};
  const auto item = restore_ban_list(study.on_disk(), {}, study.daemon.talk());
  CHECK(item.status == Status::failed);
  CHECK(item.detail == "irqbalance: says nothing");
  CHECK(study.control.check().error().code == ErrorCode::timed_out);
}

TEST_CASE("only a program of that name that root runs is taken for irqbalance") {
  tests::FakeHost host;
  host.add_file("/proc/123/comm", "irqbalance\n");
  host.add_file("/proc/123/status", "Name:\tirqbalance\nUid:\t1000\t1000\t1000\t1000\n");
  host.add_file("/proc/124/comm", "irqbalance-ui\n");
  host.add_file("/proc/124/status", "Name:\tirqbalance-ui\nUid:\t0\t0\t0\t0\n");
  const auto self = own_identity();
  CHECK(!find_irqbalance(host).value());
  host.add_file(fmt::format("/proc/{}/comm", self.pid), "irqbalance\n");
  host.add_file(fmt::format("/proc/{}/status", self.pid), "Name:\tirqbalance\nUid:\t0\t0\t0\t0\n");
  CHECK(find_irqbalance(host).value() == self);
}
