// Two machines: the echo server on this one, dnsperf on a client over a real ssh connection, the load over a network of their own.

#include <filesystem>
#include <fstream>

#include <catch2/catch.hpp>

#include "runners/hosts/local_host.hpp"
#include "runners/rigs/hosts_rig.hpp"
#include "runners/trial/trial.hpp"
#include "strategies/validity/judge.hpp"
#include "tests/support/ssh_server.hpp"

using namespace netsettle;
using namespace netsettle::runners;
using namespace netsettle::tests;

namespace {

SshServer& client() {
  static SshServer client;
  return client;
}

HostsPlan plan() {
  return {.client = client().destination(),
          .interface = client().own_interface(),
          .server_address = client().own_address(),
          .client_address = client().address()};
}

Experiment short_trial() {
  Experiment experiment;
  experiment.study.name = "hosts";
  experiment.server.port = 5398;
  experiment.load.queries = std::string(NETSETTLE_SOURCE_DIR) + "/datasets/queries/mixed-1k.txt";
  experiment.load.outstanding = 50;
  experiment.trial.warmup = std::chrono::milliseconds(400);
  experiment.trial.measure = std::chrono::milliseconds(1600);
  experiment.trial.settle = std::chrono::milliseconds(50);
  return experiment;
}

}  // namespace

TEST_CASE("the way between the machines is found") {
  const auto local = make_local_host();
  const auto rig = make_hosts_rig(*local, plan()).value();
  CHECK(rig->interface() == client().own_interface());
  CHECK(rig->client_interface() == "ssh0");
  CHECK(rig->server_address() == client().own_address());
  CHECK(&rig->server() == local.get());
  CHECK(!rig->one_machine());
}

TEST_CASE("a file of this machine is brought to the client once, and removed with the rig") {
  const TemporaryFolder folder;
  const auto local = make_local_host();
  std::ofstream(folder.file("queries")) << "example.com A\n";
  auto rig = make_hosts_rig(*local, plan()).value();
  const std::string there = rig->on_client(folder.file("queries")).value();
  CHECK(there != folder.file("queries"));
  CHECK(rig->on_client(folder.file("queries")).value() == there);
  CHECK(rig->client().read_file(there).value() == "example.com A\n");
  CHECK(rig->on_client(folder.file("none")).error().code == ErrorCode::not_found);
  rig.reset();
  CHECK(!std::filesystem::exists(there));
}

TEST_CASE("another way than the one that is meant is refused before anything is measured") {
  const auto local = make_local_host();
  HostsPlan other = plan();
  SECTION("an address that is not the interface's") {
    other.server_address = "192.0.2.1";
    CHECK(make_hosts_rig(*local, other).error().code == ErrorCode::not_found);
  }
  SECTION("an interface that does not exist") {
    other.interface = "nosuch0";
    const auto rig = make_hosts_rig(*local, other);
    REQUIRE(!rig);
    CHECK(rig.error().text.find("nosuch0") != std::string::npos);
  }
  SECTION("an address that the client does not use for it") {
    other.client_address = "192.0.2.2";
    const auto rig = make_hosts_rig(*local, other);
    REQUIRE(!rig);
    CHECK(rig.error().code == ErrorCode::unsupported);
    CHECK(rig.error().text ==
          "leaves by ssh0 from " + client().address() + ", not from 192.0.2.2: add a route there, or name that address");
  }
  SECTION("an interface that the client does not use for it") {
    other.client_interface = "eth7";
    const auto rig = make_hosts_rig(*local, other);
    REQUIRE(!rig);
    CHECK(rig.error().text == "leaves by ssh0, not by eth7: add a route there, or name that interface");
  }
  SECTION("an address that every machine has itself") {
    other.interface = "lo";
    other.server_address = "127.0.0.1";
    CHECK(make_hosts_rig(*local, other).error().code == ErrorCode::unsupported);
  }
}

TEST_CASE("a trial with the load on another machine is measured") {
  const TemporaryFolder folder;
  const auto local = make_local_host();
  const auto guard =
      SettingsGuard::open(
          {.paths = {.lock_file = folder.file("lock"), .undo_directory = folder.file("undo"), .lock_info = folder.file("lock.json")},
           .study = "hosts",
           .database = "none",
           .guard_program = ""})
          .value();
  const auto rig = make_hosts_rig(*local, plan()).value();
  const Experiment experiment = short_trial();
  const SettingContext context{.host = local.get(), .server = &rig->server(), .interface = rig->interface(), .cpus = {0}};
  const auto topology = read_topology(*local).value();
  const auto server = make_server(ServerKind::echo);
  const auto load = make_load(experiment.load.kind).value();
  const TrialSetup setup{
      experiment,    *local, *rig,    *guard, context, {}, topology, *server, *load, std::string(NETSETTLE_BIN_DIR) + "/netsettle-echo",
      "example.com", "A",    "2.10.0"};
  const StopFlag stop = 0;
  const TrialEvidence evidence = run_trial(setup, {{}, 20'000}, stop, [](TrialState) {});
  const auto judgement = strategies::judge(experiment, evidence);
  std::string reasons;
  for (const auto& reason : judgement.verdict.reasons) reasons += reason.code + ": " + reason.detail + "\n";
  INFO(reasons);
  CHECK(judgement.verdict.outcome == Outcome::measured);
  CHECK(judgement.measurements.at("qps") > 0);
  CHECK(judgement.measurements.at("lost_percent") < 1);
}
