// Two machines: the echo server in a namespace, dnsperf on a client over a real ssh connection, and a network between them for the load.

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

/// The client reached over a management network, and the server in a namespace of its own, so that its counters are its own; between them
/// the network under test.
struct Laboratory {
  Laboratory() {
    server.ip({"link", "add", "srv0", "type", "veth", "peer", "name", "cli0", "netns", client.space().name()});
    server.ip({"address", "add", "192.0.2.1/30", "dev", "srv0"});
    server.ip({"link", "set", "srv0", "up"});
    client.space().ip({"address", "add", "192.0.2.2/30", "dev", "cli0"});
    client.space().ip({"link", "set", "cli0", "up"});
    host = make_namespace_host(server.name()).value();
  }
  SshServer client;
  NetworkNamespace server{"nst-lab"};
  std::unique_ptr<Host> host;
};

Laboratory& lab() {
  static Laboratory laboratory;
  return laboratory;
}

HostsPlan plan() {
  return {.client = lab().client.destination(), .interface = "srv0", .server_address = "192.0.2.1", .client_address = "192.0.2.2"};
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
  const auto rig = make_hosts_rig(*lab().host, plan()).value();
  CHECK(rig->interface() == "srv0");
  CHECK(rig->client_interface() == "cli0");
  CHECK(rig->server_address() == "192.0.2.1");
  CHECK(&rig->server() == lab().host.get());
  CHECK(!rig->one_machine());
}

TEST_CASE("a file of this machine is brought to the client once, and removed with the rig") {
  const TemporaryFolder folder;
  std::ofstream(folder.file("queries")) << "example.com A\n";
  auto rig = make_hosts_rig(*lab().host, plan()).value();
  const std::string there = rig->on_client(folder.file("queries")).value();
  CHECK(there != folder.file("queries"));
  CHECK(rig->on_client(folder.file("queries")).value() == there);
  CHECK(rig->client().read_file(there).value() == "example.com A\n");
  CHECK(rig->on_client(folder.file("none")).error().code == ErrorCode::not_found);
  rig.reset();
  CHECK(!std::filesystem::exists(there));
}

TEST_CASE("another way than the one that is meant is refused before anything is measured") {
  HostsPlan other = plan();
  SECTION("an address that is not the interface's") {
    other.server_address = "192.0.2.9";
    CHECK(make_hosts_rig(*lab().host, other).error().code == ErrorCode::not_found);
  }
  SECTION("an interface that does not exist") {
    other.interface = "nosuch0";
    const auto rig = make_hosts_rig(*lab().host, other);
    REQUIRE(!rig);
    CHECK(rig.error().text.find("nosuch0") != std::string::npos);
  }
  SECTION("an address that the client does not use for it") {
    other.client_address = "192.0.2.9";
    const auto rig = make_hosts_rig(*lab().host, other);
    REQUIRE(!rig);
    CHECK(rig.error().code == ErrorCode::unsupported);
    CHECK(rig.error().text == "leaves by cli0 from 192.0.2.2, not from 192.0.2.9: add a route there, or name that address");
  }
  SECTION("an interface that the client does not use for it") {
    other.client_interface = "eth7";
    const auto rig = make_hosts_rig(*lab().host, other);
    REQUIRE(!rig);
    CHECK(rig.error().text == "leaves by cli0, not by eth7: add a route there, or name that interface");
  }
  SECTION("an address that every machine has itself") {
    other.interface = "lo";
    other.server_address = "127.0.0.1";
    CHECK(make_hosts_rig(*lab().host, other).error().code == ErrorCode::unsupported);
  }
}

TEST_CASE("a trial with the load on another machine is measured") {
  const TemporaryFolder folder;
  const auto guard =
      SettingsGuard::open(
          {.paths = {.lock_file = folder.file("lock"), .undo_directory = folder.file("undo"), .lock_info = folder.file("lock.json")},
           .study = "hosts",
           .database = "none",
           .guard_program = ""})
          .value();
  const auto rig = make_hosts_rig(*lab().host, plan()).value();
  const Experiment experiment = short_trial();
  const SettingContext context{.host = lab().host.get(), .server = &rig->server(), .interface = rig->interface(), .cpus = {0}};
  const auto topology = read_topology(*lab().host).value();
  const auto server = make_server(ServerKind::echo);
  const auto load = make_load(experiment.load.kind).value();
  const TrialSetup setup{experiment,    *lab().host,
                         *rig,          *guard,
                         context,       {},
                         topology,      *server,
                         *load,         std::string(NETSETTLE_BIN_DIR) + "/netsettle-echo",
                         "example.com", "A",
                         "2.10.0"};
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
