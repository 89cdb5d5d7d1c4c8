// netsettle ask-tell with a program on the other side, over real pipes.

#include <catch2/catch.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tests/support/workspace.hpp"

using namespace netsettle;
using namespace netsettle::tests;

namespace {

constexpr const char* kExperiment = NETSETTLE_SOURCE_DIR "/datasets/experiments/external.toml";
constexpr const char* kClient = NETSETTLE_SOURCE_DIR "/tests/cli/ask_tell_client.py";

nlohmann::json client(Workspace& here, const std::vector<std::string>& options, const std::string& database, int budget = 46) {
  std::vector<std::string> argv = {"python3", kClient};
  argv.insert(argv.end(), options.begin(), options.end());
  for (const std::string& word : {std::string(NETSETTLE_BIN_DIR "/netsettle"), std::string("ask-tell"), std::string(kExperiment),
                                  std::string("--db"), database, std::string("--set"), fmt::format("budget.trials={}", budget)})
    argv.push_back(word);
  const auto run = here.program(argv);
  INFO(run.standard_output << run.standard_error);
  REQUIRE(run.status.code == 0);
  return nlohmann::json::parse(run.standard_output);
}

std::vector<std::string> to_ask_tell(const std::string& database) { return {"ask-tell", kExperiment, "--db", database}; }

nlohmann::json status(Workspace& here, const std::string& database) {
  const auto shown = here.netsettle({"status", "--db", database, "--json"});
  INFO(shown.standard_error);
  REQUIRE(shown.status.code == 0);
  return nlohmann::json::parse(shown.standard_output);
}

/// `netsettle ask-tell` that waits for its input, in a shell that keeps the pipe open.
std::unique_ptr<runners::Process> waiting(Workspace& here, const std::string& database) {
  runners::ProcessSpec spec;
  const std::string command =
      fmt::format("cd {} && sleep 60 | {}/netsettle ask-tell {} --db {}", here.path("").string(), NETSETTLE_BIN_DIR, kExperiment, database);
  spec.argv = {"/bin/sh", "-c", command};
  spec.environment = here.environment;
  auto started = here.host().start(spec);
  REQUIRE(started);
  REQUIRE(eventually([&] { return std::filesystem::exists(here.path(database)) && !status(here, database).at("running").is_null(); },
                     std::chrono::seconds(20)));
  return std::move(*started);
}

}  // namespace

TEST_CASE("a client in another language runs a study, and after a kill in its middle the rest of it") {
  Workspace here;
  const auto whole = client(here, {}, "whole.db");
  CHECK(whole.at("status") == 0);
  CHECK(whole.at("trials").size() <= 46);
  CHECK(whole.at("done").at("verdict") == "winner");
  CHECK(whole.at("done").at("configuration").at("threads").get<int>() > 4);

  const auto killed = client(here, {"--die-after", "17"}, "cut.db");
  CHECK(killed.at("trials").size() == 17);
  CHECK(status(here, "cut.db").at("record").at("status") == "interrupted");
  const auto resumed = client(here, {}, "cut.db");
  std::vector<int> trials = killed.at("trials");
  for (const int trial : resumed.at("trials")) trials.push_back(trial);
  CHECK(nlohmann::json(trials) == whole.at("trials"));  // nothing twice, nothing lost, the open one under its number
  CHECK(resumed.at("done") == whole.at("done"));
}

TEST_CASE("the record of a study by ask and tell is read like any other") {
  Workspace here;
  const auto study = client(here, {}, "study.db");
  const auto best = here.netsettle({"show", "best", "--db", "study.db"});
  CHECK(best.status.code == 0);
  CHECK(best.standard_output.find("threads") != std::string::npos);
  CHECK(here.netsettle({"show", "trials", "--db", "study.db"}).status.code == 0);
  CHECK(here.netsettle({"show", "trial", "3", "--db", "study.db"}).status.code == 0);
  CHECK(here.netsettle({"show", "host", "--db", "study.db"}).status.code == 0);
  CHECK(here.netsettle({"show", "decisions", "--db", "study.db"}).status.code == 0);
  const auto report = here.netsettle({"report", "--format", "markdown", "--db", "study.db"});
  INFO(report.standard_error);
  CHECK(report.status.code == 0);
  const auto now = status(here, "study.db");
  CHECK(now.at("running").is_null());
  CHECK(now.at("record").at("status") == "converged");
  CHECK(now.at("record").at("budget_trials") == 46);
}

TEST_CASE("a finished study goes on with a larger budget") {
  Workspace here;
  const auto first = client(here, {}, "study.db");
  CHECK(client(here, {}, "study.db", 50).at("trials").empty());  // no room for another confirmation
  const auto longer = client(here, {}, "study.db", 120);
  CHECK(longer.at("trials").size() > 40);
  CHECK(longer.at("done").at("verdict") == "winner");
  CHECK(status(here, "study.db").at("record").at("budget_trials") == 120);
}

TEST_CASE("status names the process that writes a record, and stop ends it with a record that continues") {
  Workspace here;
  const auto process = waiting(here, "open.db");
  CHECK(status(here, "open.db").at("running").at("study") == "external");
  const auto busy = here.netsettle(to_ask_tell("open.db"));
  CHECK(busy.status.code == 7);
  const auto stopped = here.netsettle({"stop", "--db", "open.db"});
  INFO(stopped.standard_error);
  CHECK(stopped.status.code == 0);
  CHECK(stopped.standard_output.find("is stopping") != std::string::npos);
  CHECK(eventually([&] { return status(here, "open.db").at("running").is_null(); }, std::chrono::seconds(20)));
  CHECK(status(here, "open.db").at("record").at("status") == "paused");
  CHECK(here.netsettle({"stop", "--db", "open.db"}).standard_output == "No process writes this record.\n");
  CHECK(client(here, {}, "open.db").at("done").at("verdict") == "winner");
}

TEST_CASE("stop --after-trial ends ask-tell when no trial is out") {
  Workspace here;
  const auto process = waiting(here, "open.db");
  CHECK(here.netsettle({"stop", "--db", "open.db", "--after-trial"}).status.code == 0);
  CHECK(eventually([&] { return status(here, "open.db").at("running").is_null(); }, std::chrono::seconds(20)));
}

TEST_CASE("an ended input is an end, and what is no external experiment is refused with what to do") {
  Workspace here;
  const auto ended = here.netsettle(to_ask_tell("empty.db"));
  CHECK(ended.status.code == 0);
  CHECK(ended.standard_output.empty());
  const auto wrong = here.netsettle({"ask-tell", NETSETTLE_SOURCE_DIR "/datasets/experiments/quickstart.toml"});
  CHECK(wrong.status.code == 2);
  CHECK(wrong.standard_error.find("ask-tell needs rig.kind = \"external\"") != std::string::npos);
  const auto run = here.netsettle({"run", kExperiment});
  CHECK(run.status.code == 2);
  CHECK(run.standard_error.find("netsettle ask-tell FILE") != std::string::npos);
  const auto other = here.netsettle({"ask-tell", kExperiment, "--db", "empty.db", "--seed", "9"});
  CHECK(other.status.code == 6);
  CHECK(other.standard_error.find("study.seed was 1 and is now 9") != std::string::npos);
  const auto check = here.netsettle({"check", kExperiment});
  CHECK(check.status.code == 0);
  CHECK(check.standard_output.find("threads (default: 4)") != std::string::npos);
}

TEST_CASE("a new study can begin with what another one has measured, and says so") {
  Workspace here;
  client(here, {}, "old.db");
  auto arguments = to_ask_tell("new.db");
  for (const char* word : {"--seed", "9", "--import-from", "old.db"}) arguments.emplace_back(word);
  const auto begun = here.netsettle(arguments);
  INFO(begun.standard_error);
  CHECK(begun.status.code == 0);
  CHECK(begun.standard_error.find("Prior information: ") != std::string::npos);
  CHECK(status(here, "new.db").at("record").at("trials") == 0);
  const auto shown = nlohmann::json::parse(here.netsettle({"show", "trials", "--json", "--db", "new.db"}).standard_output);
  REQUIRE(shown.at("trials").size() > 20);
  for (const auto& trial : shown.at("trials")) CHECK(trial.at("imported_from") == "old.db");
  CHECK(here.netsettle(arguments).status.code == 0);  // the same command goes on
  arguments.back() = "new.db";
  const auto late = here.netsettle(arguments);
  CHECK(late.status.code == 3);
  CHECK(late.standard_error.find("prior information is taken when a study begins") != std::string::npos);
}
