// What the program says when something is wrong, before anything is touched.

#include <catch2/catch.hpp>

#include "tests/cli/study_text.hpp"
#include "tests/support/workspace.hpp"

using namespace netsettle;
using namespace netsettle::tests;

namespace {

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> all;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    all.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return all;
}

}  // namespace

TEST_CASE("five mistakes print five lines with positions and exit 2") {
  Workspace here;
  here.write("five.toml", R"(schema = 1
[study]
name = "five"
sed = 1
[load]
queries = "q.txt"
clients = "many"
[trial]
measure = "3 parsecs"
[parameters.rmem]
sets = "sysctl.net.core.rmem_max"
type = "bytes"
range = ["4MiB", "64KiB"]
[budget]
trials = -4
)");
  const auto before = network_state();
  const auto run = here.netsettle({"run", "five.toml"});
  CHECK(run.status.code == 2);
  const auto messages = lines(run.standard_error);
  INFO(run.standard_error);
  REQUIRE(messages.size() == 5);
  CHECK(messages[0].starts_with("five.toml:4:1:"));
  CHECK(messages[0].find("seed") != std::string::npos);
  CHECK(messages[1].starts_with("five.toml:7:"));
  CHECK(messages[2].starts_with("five.toml:9:"));
  CHECK(messages[3].starts_with("five.toml:13:"));
  CHECK(messages[4].starts_with("five.toml:15:"));
  CHECK(network_state() == before);
  CHECK_FALSE(std::filesystem::exists(here.path("state")));
}

TEST_CASE("a sysctl that does not exist is named before the first trial") {
  Workspace here;
  auto text = short_study("absent", 20);
  text.replace(text.find("netdev_max_backlog"), 18, "netdev_max_backlag");
  here.write("absent.toml", text);
  const auto run = here.netsettle({"run", "absent.toml"});
  INFO(run.standard_error);
  CHECK(run.status.code == 3);
  CHECK(run.standard_error.find("net.core.netdev_max_backlag") != std::string::npos);
  CHECK(run.standard_error.find("netdev_max_backlog") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(here.path("absent.netsettle.db")));
}

TEST_CASE("CPUs and nodes that this machine does not have are named with the key and what there is, all at once") {
  Workspace here;
  here.write("queries.txt", "example.com A\n");
  here.write("study.toml", loopback_study("places"));
  const auto run = here.netsettle(
      {"check", "study.toml", "--set", "load.cpus=node:999", "--set", "server.placement=nic-node", "--set", "server.memory=node:999"});
  INFO(run.standard_error);
  CHECK(run.status.code != 0);
  CHECK_THAT(run.standard_error,
             Catch::Contains("load.cpus: there is no node 999") && Catch::Contains("server.placement: \"nic-node\" cannot be had here"));
  const auto memory = here.netsettle({"check", "study.toml", "--set", "server.memory=node:999"});
  INFO(memory.standard_error);
  CHECK(memory.status.code == 2);
  CHECK_THAT(memory.standard_error, Catch::Contains("server.memory: there is no node 999"));
  const auto reserved = here.netsettle({"check", "study.toml", "--set", "rig.reserved_cpus=\"4000\""});
  CHECK(reserved.status.code == 2);
  CHECK_THAT(reserved.standard_error, Catch::Contains("rig.reserved_cpus: CPU 4000 is not available here"));
}

TEST_CASE("a missing dnsperf is said with its package") {
  Workspace here;
  here.write("study.toml", loopback_study("nodnsperf"));
  here.write("queries.txt", "example.com A\n");
  std::filesystem::create_directory(here.path("bin"));
  std::filesystem::create_symlink("/usr/bin/env", here.path("bin/env"));
  here.environment["PATH"] = here.path("bin");
  const auto run = here.netsettle({"run", "study.toml"});
  INFO(run.standard_error);
  CHECK(run.status.code == 3);
  CHECK(run.standard_error.find("dnsperf") != std::string::npos);
  CHECK(run.standard_error.find("apt-get install dnsperf") != std::string::npos);
}

TEST_CASE("an empty query file and a missing one are clear errors") {
  Workspace here;
  here.write("study.toml", loopback_study("queries"));
  const auto missing = here.netsettle({"run", "study.toml"});
  CHECK(missing.status.code == 3);
  CHECK(missing.standard_error.find("queries.txt") != std::string::npos);
  here.write("queries.txt", "\n; only a comment\n");
  const auto empty = here.netsettle({"run", "study.toml"});
  INFO(empty.standard_error);
  CHECK(empty.status.code == 2);
  CHECK(empty.standard_error.find("queries.txt") != std::string::npos);
}

TEST_CASE("a missing file, command or option is a usage error") {
  Workspace here;
  CHECK(here.netsettle({"run", "nowhere.toml"}).status.code == 2);
  CHECK(here.netsettle({"fly"}).status.code == 2);
  CHECK(here.netsettle({"check", "--fast", "x.toml"}).status.code == 2);
  CHECK(here.netsettle({"run"}).status.code == 2);
  CHECK(here.netsettle({}).status.code == 2);
}

TEST_CASE("every command has help with an example") {
  Workspace here;
  for (const char* command : {"doctor", "check", "run", "status", "stop", "restore", "show", "report", "export"}) {
    CAPTURE(command);
    const auto help = here.netsettle({command, "--help"});
    CHECK(help.status.code == 0);
    CHECK(help.standard_output.find("Example:\n  netsettle " + std::string(command)) != std::string::npos);
  }
}

TEST_CASE("check prints configurations, trials, hours, the end and what affects the whole machine") {
  Workspace here;
  here.write("study.toml", short_study("checked", 30));
  const auto check = here.netsettle({"check", "study.toml"});
  INFO(check.standard_error);
  CHECK(check.status.code == 0);
  for (const char* text : {"configurations", "trials          30", " h)", "end ", "sysctl.net.core.rmem_default", "whole machine"}) {
    CAPTURE(text);
    CHECK(check.standard_output.find(text) != std::string::npos);
  }
  CHECK_FALSE(std::filesystem::exists(here.path("state")));
}

TEST_CASE("reading commands say what to do without a record") {
  Workspace here;
  for (const char* command : {"show", "report", "export"}) {
    CAPTURE(command);
    const auto result = here.netsettle({command, "--db", "none.netsettle.db"});
    CHECK(result.status.code != 0);
    CHECK_FALSE(result.standard_error.empty());
  }
}
