// Promise 1 with the real program: whatever happens, the machine is given back.

#include <catch2/catch.hpp>

#include <charconv>
#include <nlohmann/json.hpp>

#include "tests/cli/study_text.hpp"
#include "tests/support/workspace.hpp"

using namespace netsettle;
using namespace netsettle::tests;

namespace {

// Of a budget of 24: some trials are kept for repeats that may not be needed.
constexpr std::size_t kFewest = 18;
const std::string kBacklog = "/proc/sys/net/core/netdev_max_backlog";

std::size_t ended_trials(Workspace& here, const std::string& database) {
  if (!std::filesystem::exists(here.path(database))) return 0;
  const auto shown = here.netsettle({"show", "trials", "--json", "--db", database});
  if (shown.status.code != 0) return 0;
  std::size_t ended = 0;
  const auto document = nlohmann::json::parse(shown.standard_output);
  for (const auto& trial : document.at("trials"))
    if (trial.at("state") == "done") ++ended;
  return ended;
}

/// A study that has finished a few trials and has just changed a host-wide setting.
struct InTheMiddle {
  explicit InTheMiddle(const std::string& name) : database(name + ".netsettle.db"), before(network_state()) {
    here.write("study.toml", short_study(name, 24));
    process = here.start({"run", "study.toml"});
    const bool changed =
        eventually([&] { return ended_trials(here, database) >= 7 && *here.host().read_file(kBacklog) != before.at(kBacklog); },
                   std::chrono::seconds(60));
    INFO(process->standard_output() << process->standard_error());
    REQUIRE(changed);
  }

  bool given_back() const { return network_state() == before && netsettle_namespaces().empty(); }

  /// Pid of the guard, by its command name.
  std::optional<pid_t> guard() {
    const auto entries = here.host().list_directory("/proc");
    for (const auto& entry : *entries) {
      const auto comm = here.host().read_file("/proc/" + entry + "/comm");
      if (!comm || *comm != "netsettle-guard\n") continue;
      pid_t pid = 0;
      std::from_chars(entry.data(), entry.data() + entry.size(), pid);
      return pid;
    }
    return std::nullopt;
  }

  Workspace here;
  std::string database;
  std::map<std::string, std::string> before;
  std::unique_ptr<runners::Process> process;
};

}  // namespace

TEST_CASE("ctrl-C gives everything back and the same command goes on") {
  InTheMiddle study("interrupted");
  REQUIRE(study.process->signal(SIGINT).has_value());
  const auto status = study.process->wait(std::chrono::seconds(20));
  REQUIRE(status.has_value());
  CHECK(status->code == 130);
  CHECK(study.given_back());
  const auto finished_before = ended_trials(study.here, study.database);
  CHECK(finished_before >= 7);
  const auto again = study.here.netsettle({"run", "study.toml"});
  INFO(again.standard_output << again.standard_error);
  CHECK(again.status.code == 0);
  CHECK(ended_trials(study.here, study.database) >= kFewest);
  CHECK(study.given_back());
}

TEST_CASE("after kill -9 the guard gives everything back within 2 s, and the study goes on") {
  InTheMiddle study("killed");
  const auto recorded = ended_trials(study.here, study.database);
  REQUIRE(study.process->signal(SIGKILL).has_value());
  CHECK(eventually([&] { return study.given_back(); }, std::chrono::milliseconds(2000)));
  CHECK(ended_trials(study.here, study.database) >= recorded);
  const auto again = study.here.netsettle({"run", "study.toml"});
  INFO(again.standard_output << again.standard_error);
  CHECK(again.status.code == 0);
  CHECK(ended_trials(study.here, study.database) >= kFewest);
  CHECK(study.given_back());
}

TEST_CASE("netsettle and its guard both killed: restore gives everything back") {
  InTheMiddle study("bothkilled");
  const auto guard = study.guard();
  REQUIRE(guard.has_value());
  REQUIRE(kill(*guard, SIGKILL) == 0);
  REQUIRE(study.process->signal(SIGKILL).has_value());
  REQUIRE(study.process->wait(std::chrono::seconds(5)).has_value());
  CHECK_FALSE(study.given_back());
  const auto dry = study.here.netsettle({"restore", "--dry-run"});
  CHECK(dry.status.code == 0);
  CHECK(dry.standard_output.find("netdev_max_backlog") != std::string::npos);
  CHECK_FALSE(study.given_back());
  const auto restore = study.here.netsettle({"restore"});
  INFO(restore.standard_output << restore.standard_error);
  CHECK(restore.status.code == 0);
  CHECK(study.given_back());
  CHECK(study.here.netsettle({"restore"}).standard_output.find("Nothing to give back") != std::string::npos);
}

TEST_CASE("without its guard a study stops and gives everything back") {
  InTheMiddle study("guardless");
  const auto guard = study.guard();
  REQUIRE(guard.has_value());
  REQUIRE(kill(*guard, SIGKILL) == 0);
  const auto status = study.process->wait(std::chrono::seconds(20));
  REQUIRE(status.has_value());
  CHECK(status->code == 5);
  CHECK(study.given_back());
}

TEST_CASE("what somebody else changes in the middle is reported and left alone") {
  InTheMiddle study("foreign");
  REQUIRE(study.here.host().write_file(kBacklog, "1234567\n").has_value());
  REQUIRE(study.process->signal(SIGINT).has_value());
  const auto status = study.process->wait(std::chrono::seconds(20));
  REQUIRE(status.has_value());
  const std::string now = *study.here.host().read_file(kBacklog);
  REQUIRE(study.here.host().write_file(kBacklog, study.before.at(kBacklog)).has_value());
  CHECK(status->code == 4);
  CHECK(now == "1234567\n");
  CHECK(study.process->standard_error().find("netdev_max_backlog") != std::string::npos);
}
