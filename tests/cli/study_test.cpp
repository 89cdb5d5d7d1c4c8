// Whole studies with the real dnsperf, the real echo server and the real kernel.

#include <catch2/catch.hpp>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/cli/study_text.hpp"
#include "tests/support/workspace.hpp"

using namespace netsettle;
using namespace netsettle::tests;

namespace {

nlohmann::json show(Workspace& here, const std::string& what, const std::string& database) {
  const auto shown = here.netsettle({"show", what, "--json", "--db", database});
  INFO(shown.standard_error);
  REQUIRE(shown.status.code == 0);
  return nlohmann::json::parse(shown.standard_output);
}

/// Text is wrapped for people; comparisons ignore where.
std::string one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text;
}

std::size_t ended_trials(Workspace& here, const std::string& database) {
  std::size_t ended = 0;
  const auto shown = show(here, "trials", database);
  for (const auto& trial : shown.at("trials"))
    if (trial.at("state") == "done" || trial.at("state") == "failed") ++ended;
  return ended;
}

}  // namespace

TEST_CASE("a study in namespaces ends with a table and a verdict, and the machine as it was") {
  Workspace here;
  here.write("whole.toml", short_study("whole", 24));
  const auto before = network_state();
  const auto run = here.netsettle({"run", "whole.toml"});
  INFO(run.standard_output << run.standard_error);
  REQUIRE(run.status.code == 0);
  CHECK(run.standard_output.find("this affects the whole machine: sysctl.net.core.netdev_max_backlog") != std::string::npos);
  CHECK(network_state() == before);
  CHECK(netsettle_namespaces().empty());

  const auto ended = ended_trials(here, "whole.netsettle.db");
  CHECK(ended >= 18);
  CHECK(ended <= 24);
  const auto best = show(here, "best", "whole.netsettle.db");
  const auto kind = best.at("verdict").at("kind").get<std::string>();
  CHECK((kind == "winner" || kind == "no-improvement" || kind == "cannot-tell"));
  const auto statement = best.at("verdict").at("statement").get<std::string>();
  CHECK(one_line(run.standard_output).find(one_line(statement)) != std::string::npos);

  const auto again = here.netsettle({"run", "whole.toml"});
  CHECK(again.status.code == 0);
  CHECK(again.standard_output.find("finished") != std::string::npos);
  CHECK(ended_trials(here, "whole.netsettle.db") == ended);

  const auto report = here.netsettle({"report", "--format", "markdown", "--db", "whole.netsettle.db"});
  CHECK(report.status.code == 0);
  CHECK(one_line(report.standard_output).find(one_line(statement)) != std::string::npos);
}

TEST_CASE("the record of another experiment is refused with exit 6") {
  Workspace here;
  here.write("queries.txt", "example.com A\n");
  here.write("first.toml", loopback_study("first"));
  REQUIRE(here.netsettle({"run", "first.toml"}).status.code == 0);
  const auto other = here.netsettle({"run", "first.toml", "--set", "load.clients=2"});
  INFO(other.standard_error);
  CHECK(other.status.code == 6);
  CHECK(other.standard_error.find("another experiment") != std::string::npos);
  here.write("queries.txt", "example.org A\n");
  CHECK(here.netsettle({"run", "first.toml"}).status.code == 6);
}

TEST_CASE("a loopback study runs without root and tunes the server") {
  Workspace here;
  here.write("queries.txt", "example.com A\nexample.org AAAA\n");
  here.write("user.toml", loopback_study("user"));
  std::filesystem::permissions(here.path("."), std::filesystem::perms(0777));
  std::filesystem::create_directory(here.path("bin"));
  for (const char* name : {"netsettle", "netsettle-echo", "netsettle-guard"})
    std::filesystem::copy_file(std::filesystem::path(NETSETTLE_BIN_DIR) / name, here.path("bin") / name);
  const auto run =
      here.program({"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", here.path("bin/netsettle"), "run", "user.toml"});
  INFO(run.standard_output << run.standard_error);
  CHECK(run.status.code == 0);
  const auto configurations = show(here, "configurations", "user.netsettle.db");
  CHECK(configurations.at("configurations").size() == 2);
  here.write("namespaces.toml", short_study("needsroot", 20));
  const auto refused =
      here.program({"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", here.path("bin/netsettle"), "run", "namespaces.toml"});
  CHECK(refused.status.code == 3);
  CHECK(refused.standard_error.find("root") != std::string::npos);
}

TEST_CASE("the command of the notify section is told the end") {
  Workspace here;
  here.write("queries.txt", "example.com A\n");
  here.write("tell.toml", loopback_study("tell") + "[notify]\ncommand = [\"tee\", \"" + here.path("told.json").string() + "\"]\n");
  REQUIRE(here.netsettle({"run", "tell.toml"}).status.code == 0);
  const auto told = nlohmann::json::parse(here.read("told.json"));
  CHECK(told.at("event") == "finish");
  CHECK(told.at("exit_code") == 0);
  CHECK(told.at("statement").is_string());
}

TEST_CASE("a detached study is found by status and ended by stop") {
  Workspace here;
  here.write("night.toml", short_study("night", 200));
  const auto before = network_state();
  const auto run = here.netsettle({"run", "night.toml", "--detach"});
  INFO(run.standard_output << run.standard_error);
  REQUIRE(run.status.code == 0);
  CHECK(
      eventually([&] { return std::filesystem::exists(here.path("night.netsettle.db")) && ended_trials(here, "night.netsettle.db") >= 1; },
                 std::chrono::seconds(30)));
  const auto status = here.netsettle({"status"});
  CHECK(status.standard_output.find("night") != std::string::npos);
  CHECK(here.netsettle({"run", "night.toml", "--db", "second.netsettle.db"}).status.code == 7);
  REQUIRE(here.netsettle({"stop"}).status.code == 0);
  CHECK(
      eventually([&] { return here.netsettle({"stop"}).standard_output.find("No study") != std::string::npos; }, std::chrono::seconds(15)));
  CHECK(network_state() == before);
  CHECK(netsettle_namespaces().empty());
}
