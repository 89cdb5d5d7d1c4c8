// `trial` and `calibrate` with the real programs.

#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>

#include "tests/cli/study_text.hpp"
#include "tests/support/workspace.hpp"

using namespace netsettle;
using namespace netsettle::tests;

TEST_CASE("trial measures one configuration and says where the queries went, and the machine is as it was") {
  Workspace here;
  here.write("one.toml", short_study("one", 24));
  const auto before = network_state();
  const auto run =
      here.netsettle({"trial", "one.toml", "--set", "server.io_model=epoll", "--repeat", "2", "--configuration", "processes=2,rmem=1MiB"});
  INFO(run.standard_output << run.standard_error);
  REQUIRE(run.status.code == 0);
  CHECK_THAT(run.standard_output, Catch::Contains("server.processes = 2") && Catch::Contains("Trial 2 of 2: ") &&
                                      Catch::Contains("Where the ") && Catch::Contains("unexplained") &&
                                      Catch::Contains("Workers of the server") && Catch::Contains("2 of 2 trials measured: mean"));
  CHECK(network_state() == before);
  CHECK(netsettle_namespaces().empty());
  CHECK_FALSE(std::filesystem::exists(here.path("one.netsettle.db")));
}

TEST_CASE("trial as JSON has verdict, settings, ledger and counters") {
  Workspace here;
  here.write("queries.txt", "example.com A\n");
  here.write("loop.toml", loopback_study("loop"));
  const auto run = here.netsettle({"trial", "loop.toml", "--json"});
  INFO(run.standard_error);
  REQUIRE(run.status.code == 0);
  const auto json = nlohmann::json::parse(run.standard_output);
  const auto& trial = json.at("trials").at(0);
  CHECK(trial.at("outcome") == "measured");
  CHECK(trial.at("account").at("ledger").at(0).at("place") == "answered");
  CHECK(trial.at("account").at("server").at("workers").size() == 1);
  CHECK(trial.at("account").at("counters").at("server_udp").contains("RcvbufErrors"));
  CHECK(trial.at("measurements").at("qps") > 0);
}

TEST_CASE("trial gives the server its memory policy and records what the running server has") {
  Workspace here;
  here.write("queries.txt", "example.com A\n");
  here.write("loop.toml", loopback_study("loop"));
  const auto run = here.netsettle({"trial", "loop.toml", "--set", "server.memory=bind", "--json"});
  INFO(run.standard_output << run.standard_error);
  const auto trial = nlohmann::json::parse(run.standard_output).at("trials").at(0);
  const auto& settings = trial.at("settings");
  const auto row = std::ranges::find_if(settings, [](const nlohmann::json& entry) { return entry.at("setting") == "memory.policy"; });
  REQUIRE(row != settings.end());
  CHECK(row->at("requested") == "bind");
  if (trial.at("outcome") == "measured") {
    CHECK(row->at("effective").get<std::string>().starts_with("bind:"));
    CHECK(row->at("status") == "ok");
  } else {  // a container may forbid the system call
    CHECK(row->at("status") == "eperm");
    CHECK(trial.at("reasons").dump().find("memory.policy") != std::string::npos);
  }
}

TEST_CASE("trial measures a real BIND, by the kernel's counts") {
  Workspace here;
  const std::string file = NETSETTLE_SOURCE_DIR "/datasets/experiments/bind.toml";
  const auto run = here.netsettle(
      {"trial", file, "--set", "trial.measure=600ms", "--set", "trial.warmup=200ms", "--configuration", "threads=2", "--json"});
  INFO(run.standard_output << run.standard_error);
  REQUIRE(run.status.code == 0);
  const auto trial = nlohmann::json::parse(run.standard_output).at("trials").at(0);
  CHECK(trial.at("outcome") == "measured");
  CHECK(trial.at("measurements").at("qps") > 1000);
  CHECK(trial.at("measurements").at("server_cpu_s") > 0);
  CHECK(trial.at("measurements").at("unexplained_percent") < 0.1);
  CHECK(netsettle_namespaces().empty());
}

TEST_CASE("the mistakes of trial are usage errors, before anything is touched") {
  Workspace here;
  here.write("queries.txt", "example.com A\n");
  here.write("loop.toml", loopback_study("loop"));
  const auto misspelt = here.netsettle({"trial", "loop.toml", "--configuration", "proceses=2"});
  CHECK(misspelt.status.code == 2);
  CHECK_THAT(misspelt.standard_error, Catch::Contains("did you mean 'processes'?"));
  CHECK(here.netsettle({"trial", "loop.toml", "--configuration", "processes"}).status.code == 2);
  CHECK(here.netsettle({"trial", "loop.toml", "--repeat", "0"}).status.code == 2);
  CHECK(here.netsettle({"trial"}).status.code == 2);
}

TEST_CASE("all threads of a server stay on the CPUs of its placement, those that only wait too") {
  Workspace here;
  here.write("queries.txt", "example.com A\n");
  here.write("loop.toml", loopback_study("loop"));
  const auto run = here.netsettle({"trial", "loop.toml", "--set", "server.placement='0'", "--set", "server.threads=2", "--json"});
  INFO(run.standard_output << run.standard_error);
  REQUIRE_FALSE(run.standard_output.empty());
  const auto trial = nlohmann::json::parse(run.standard_output).at("trials").at(0);
  CHECK(trial.contains("measurements"));
  for (const auto& reason : trial.at("reasons")) CHECK(reason.at("code") != "affinity-moved");
}

TEST_CASE("a configuration of a parameter that is left out is refused with the reason, not measured as something else") {
  Workspace here;
  here.write("one.toml", short_study("one", 24));
  const std::vector<std::string> unheard = {
      "--set", "parameters.weight={ sets = 'sysctl.net.ipv4.udp_wmem_min', type = 'integer', values = [8192] }", "--configuration",
      "weight=8192"};
  for (const char* command : {"plan", "trial"}) {
    std::vector<std::string> words = {command, "one.toml"};
    words.insert(words.end(), unheard.begin(), unheard.end());
    const auto run = here.netsettle(words);
    INFO(run.standard_output << run.standard_error);
    CHECK(run.status.code == 3);
    CHECK_THAT(run.standard_error,
               Catch::Contains("the parameter weight is left out here: ") && Catch::Contains("the kernel keeps no account"));
  }
  CHECK(netsettle_namespaces().empty());
}

TEST_CASE("calibrate tries lighter and heavier loads and writes down what it found, for studies to read") {
  Workspace here;
  here.write("queries.txt", "example.com A\n");
  here.write("loop.toml", loopback_study("loop"));
  const auto run = here.netsettle({"calibrate", "loop.toml", "--repeat", "2", "--set", "trial.measure=200ms", "--set", "trial.warmup=0ms"});
  INFO(run.standard_output << run.standard_error);
  REQUIRE(run.status.code == 0);
  CHECK_THAT(run.standard_output, Catch::Contains("outstanding = 100") && Catch::Contains("outstanding = 25, instances = 2"));
  const auto file = nlohmann::json::parse(here.read("loop.netsettle.calibration.json"));
  CHECK(file.at("levels").size() == 9);
  for (const auto& level : file.at("levels")) CHECK(level.at("trials") == 2);
  CHECK(here.netsettle({"calibrate", "loop.toml", "--repeat", "1"}).status.code == 2);

  REQUIRE(here.netsettle({"run", "loop.toml"}).status.code == 0);
  const auto host = here.netsettle({"show", "host", "--json", "--db", "loop.netsettle.db"});
  INFO(host.standard_output << host.standard_error);
  CHECK(host.standard_output.find("calibration") != std::string::npos);

  const auto shown = here.netsettle({"show", "trial", "1", "--db", "loop.netsettle.db"});
  CHECK_THAT(shown.standard_output, Catch::Contains("Where the ") && Catch::Contains("Workers of the server"));
}

TEST_CASE("plan shows the writes in order and changes nothing, and init asks of each line of a sysctl.conf whether it matters") {
  Workspace here;
  here.write("one.toml", short_study("one", 24));
  const auto before = network_state();
  const auto plan = here.netsettle({"plan", "one.toml", "--configuration", "rmem=8MiB,backlog=20000,processes=2,rps_cpus=2", "--json"});
  INFO(plan.standard_output << plan.standard_error);
  REQUIRE(plan.status.code == 0);
  const auto json = nlohmann::json::parse(plan.standard_output);
  std::vector<std::string> paths;
  for (const auto& write : json.at("writes")) paths.push_back(write.at("path").get<std::string>());
  CHECK(paths == std::vector<std::string>{"/proc/sys/net/core/rmem_max", "/proc/sys/net/core/netdev_max_backlog",
                                          "/proc/sys/net/core/rmem_default"});
  CHECK(json.at("writes").at(1).at("to") == "20000");
  CHECK(json.at("rig").at("queues.rps.count") == "2");
  CHECK(json.at("command_line").at("server.processes") == "2");

  here.write("99-dns.conf", "# folklore\nnet.core.netdev_max_backlog = 32768\nnet.core.no_such_thing = 1\n");
  const auto init = here.netsettle({"init", "--from", "99-dns.conf", "--name", "folklore"});
  REQUIRE(init.status.code == 0);
  here.write("folklore.toml", init.standard_output);
  const auto check = here.netsettle({"check", "folklore.toml"});
  INFO(check.standard_output << check.standard_error);
  CHECK(check.status.code == 0);
  CHECK_THAT(check.standard_output, Catch::Contains("left out        no_such_thing"));
  const auto started = here.netsettle({"plan", "folklore.toml"});
  INFO(started.standard_error);
  CHECK_THAT(started.standard_output, Catch::Contains("+ 32768"));
  CHECK(network_state() == before);
}
