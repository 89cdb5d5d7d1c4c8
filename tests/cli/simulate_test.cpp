// netsettle simulate, the real program, with few and small studies.

#include <catch2/catch.hpp>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/support/workspace.hpp"

using namespace netsettle;
using namespace netsettle::tests;

namespace {

nlohmann::json simulated(Workspace& here, std::vector<std::string> options) {
  options.insert(options.begin(), "simulate");
  options.emplace_back("--json");
  const auto run = here.netsettle(options);
  INFO(run.standard_error);
  REQUIRE(run.status.code == 0);
  return nlohmann::json::parse(run.standard_output);
}

/// A run that is refused; what it says.
std::string refused(Workspace& here, std::vector<std::string> options) {
  options.insert(options.begin(), "simulate");
  const auto run = here.netsettle(options);
  CHECK(run.status.code == 2);
  CHECK(run.standard_output.empty());
  return run.standard_error;
}

}  // namespace

TEST_CASE("simulate lists its machines") {
  Workspace here;
  const auto text = here.netsettle({"simulate", "--list"});
  CHECK(text.status.code == 0);
  for (const char* name : {"usl4", "flat10", "pipeline6", "null6"}) CHECK(text.standard_output.find(name) != std::string::npos);
  const auto list = nlohmann::json::parse(here.netsettle({"simulate", "--list", "--json"}).standard_output);
  CHECK(list.size() >= 11);
  CHECK(list.at(0).at("world") == "usl4");
  CHECK(list.at(0).at("parameters") == 4);
}

TEST_CASE("simulate gives regret, claims and times of each machine, strategy and budget") {
  Workspace here;
  const auto found =
      simulated(here, {"--world", "usl4,null6", "--strategy", "random", "--budgets", "30,40", "--studies", "3", "--seed", "9"});
  CHECK(found.at("interrupted") == false);
  const auto& rows = found.at("results");
  REQUIRE(rows.size() == 4);
  CHECK(rows.at(0).at("world") == "usl4");
  CHECK(rows.at(1).at("world") == "null6");
  CHECK(rows.at(1).at("regret_percent").at("mean") == 0.0);
  CHECK(rows.at(2).at("budget") == 40);
  for (const auto& row : rows) {
    CHECK(row.at("studies") == 3);
    CHECK(row.at("strategy") == "random");
    CHECK(row.at("regret_percent").at("mean").get<double>() >= 0);
    CHECK(row.at("wrong_claims").get<int>() <= row.at("claims").get<int>());
    REQUIRE(row.at("runs").size() == 3);
    CHECK(row.at("runs").at(0).at("seed") == 9);
    CHECK(row.at("runs").at(2).at("seed") == 11);
  }
}

TEST_CASE("threads and repetition change no result of simulate") {
  Workspace here;
  const std::vector<std::string> options{"--world", "bimodal6,crash8", "--strategy", "random", "--budgets", "30", "--studies", "4"};
  auto with_threads = options;
  with_threads.insert(with_threads.end(), {"--jobs", "3"});
  auto one = simulated(here, options), three = simulated(here, with_threads);
  for (auto* found : {&one, &three})
    for (auto& row : found->at("results")) {
      for (const char* time : {"cpu_s_per_study", "cpu_ms_per_trial", "slowest_step_s"}) row.erase(time);
      for (auto& run : row.at("runs")) {
        run.erase("cpu_s");
        run.erase("slowest_step_s");
      }
    }
  CHECK(one == three);
}

TEST_CASE("simulate prints a table with a mean over the machines, and its progress on standard error") {
  Workspace here;
  const auto run = here.netsettle({"simulate", "--world", "usl4,flat10", "--strategy", "random,auto", "--budgets", "25", "--studies", "2"});
  INFO(run.standard_output << run.standard_error);
  CHECK(run.status.code == 0);
  CHECK(run.standard_output.starts_with("25 trials\n"));
  for (const char* word : {"regret %", "s.e.", "wrong", "usl4", "flat10", "mean of all", "auto with 25 trials: "})
    CHECK(run.standard_output.find(word) != std::string::npos);
  CHECK(run.standard_error.find("8 of 8 studies") != std::string::npos);
}

TEST_CASE("simulate names what it does not know, and the nearest that it does") {
  Workspace here;
  CHECK(refused(here, {"--world", "usl5"}).find("did you mean 'usl4'") != std::string::npos);
  CHECK(refused(here, {"--world", "usl4", "--strategy", "bayes"}).find("there is no strategy 'bayes'") != std::string::npos);
  CHECK(refused(here, {"--world", "usl4", "--strategy", "randon"}).find("did you mean 'random'") != std::string::npos);
  CHECK(refused(here, {"--world", "usl4", "--budgets", "50,many"}).find("--budgets: 'many' is not a whole number") != std::string::npos);
  CHECK(refused(here, {"--world", "usl4", "--studies", "0"}).find("--studies") != std::string::npos);
  CHECK(refused(here, {"--world", "usl4", "--jobs", "-1"}).find("--jobs") != std::string::npos);
  CHECK(refused(here, {}).find("--list") != std::string::npos);
  CHECK(refused(here, {"--world", "usl4", "--from", "x.db"}).find("not both") != std::string::npos);
}

TEST_CASE("after ctrl-C simulate shows what was complete") {
  Workspace here;
  const auto running =
      here.start({"simulate", "--world", "usl4", "--strategy", "random", "--budgets", "25,4000", "--studies", "3", "--json"});
  // The line of the first row is complete; the second takes long.
  REQUIRE(eventually([&] { return running->standard_error().find("3 of 6 studies") != std::string::npos; }, std::chrono::seconds(60)));
  REQUIRE(running->signal(SIGINT));
  const auto status = running->wait(std::chrono::seconds(60));
  REQUIRE(status);
  CHECK(status->code == 130);
  const auto found = nlohmann::json::parse(running->standard_output());
  CHECK(found.at("interrupted") == true);
  REQUIRE(found.at("results").size() >= 1);
  CHECK(found.at("results").at(0).at("studies") == 3);
}

TEST_CASE("a machine is made of a record") {
  Workspace here;
  const auto study =
      here.program({"python3", NETSETTLE_SOURCE_DIR "/tests/cli/ask_tell_client.py", NETSETTLE_BIN_DIR "/netsettle", "ask-tell",
                    NETSETTLE_SOURCE_DIR "/datasets/experiments/external.toml", "--db", "study.db", "--set", "budget.trials=46"});
  INFO(study.standard_error);
  REQUIRE(study.status.code == 0);
  const auto found = simulated(here, {"--from", "study.db", "--strategy", "random", "--budgets", "40", "--studies", "3"});
  const auto& row = found.at("results").at(0);
  CHECK(row.at("studies") == 3);
  CHECK(row.at("regret_percent").at("mean").get<double>() < 50);
  const auto missing = here.netsettle({"simulate", "--from", "nothing.db"});
  CHECK(missing.status.code == 3);
  CHECK(missing.standard_error.find("nothing.db") != std::string::npos);
}
