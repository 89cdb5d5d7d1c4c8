#include "datasets/model/experiment_file.hpp"

#include <string>
#include <vector>

#include <catch2/catch.hpp>

using namespace netsettle;

namespace {

const std::string kSmall = R"(schema = 1
[study]
name = "small"
[load]
queries = "../q/mixed.txt"
[parameters.rmem]
sets = ["sysctl.net.core.rmem_max", "sysctl.net.core.rmem_default"]
type = "bytes"
range = ["64KiB", "16MiB"]
scale = "log"
special = ["as-found", "1GiB"]
[parameters.processes]
sets = "server.processes"
type = "integer"
range = [1, "cpus"]
[budget]
trials = 40
)";

Experiment parsed(const std::string& text, const std::vector<Override>& overrides = {}) {
  auto experiment = parse_experiment(text, "/studies/small.toml", overrides);
  if (!experiment) FAIL(to_text(experiment.error().front()));
  return *experiment;
}

}  // namespace

TEST_CASE("A small file gets the documented defaults") {
  const Experiment experiment = parsed(kSmall);
  CHECK(experiment.study.name == "small");
  CHECK(experiment.study.seed == 1);
  CHECK(experiment.rig.kind == RigKind::namespaces);
  CHECK(experiment.server.kind == ServerKind::echo);
  CHECK(experiment.server.processes == 1);
  CHECK(experiment.server.cores == "all");
  CHECK(experiment.load.kind == "dnsperf");
  CHECK(experiment.load.clients == 8);
  CHECK(experiment.load.source_ports == SourcePorts::per_block);
  CHECK(experiment.load.accept == std::vector<std::string>{"NOERROR", "NXDOMAIN"});
  CHECK(experiment.trial.measure == std::chrono::seconds(30));
  CHECK(experiment.objective.maximize == "qps");
  CHECK(experiment.objective.min_effect == 0.01);
  CHECK(experiment.search.strategy == StrategyKind::automatic);
  CHECK(experiment.budget.trials == 40);
  CHECK_FALSE(experiment.budget.until);
  CHECK(experiment.file == "/studies/small.toml");
  CHECK(experiment.text == kSmall);
}

TEST_CASE("Paths are relative to the file's folder") {
  CHECK(parsed(kSmall).load.queries == "/q/mixed.txt");
  CHECK(parsed(kSmall, {{"load.queries", "/tmp/other.txt"}}).load.queries == "/tmp/other.txt");
}

TEST_CASE("Parameters come in the order of the file") {
  const Experiment experiment = parsed(kSmall);
  REQUIRE(experiment.parameters.size() == 2);
  const Parameter& rmem = experiment.parameters[0];
  CHECK(rmem.name == "rmem");
  CHECK(rmem.sets == std::vector<std::string>{"sysctl.net.core.rmem_max", "sysctl.net.core.rmem_default"});
  CHECK(rmem.type == ParameterType::bytes);
  CHECK(rmem.scale == Scale::logarithmic);
  CHECK(rmem.low->text() == "65536");
  CHECK(rmem.special == std::vector<Value>{Value(std::int64_t{1} << 30)});
  CHECK(experiment.parameters[1].high->text() == "cpus");
}

TEST_CASE("Every key that is supported is understood") {
  const Experiment experiment = parsed(R"(schema = 1
[study]
name = "full-1.0"
seed = 9223372036854775807
baseline = "as-found"
[rig]
kind = "loopback"
reserved_cpus = "0,7"
[server]
kind = "echo"
port = 53
io_model = "recvmmsg"
processes = 2
threads = 3
cores = 2
placement = "3,0-1"
memory = "node:1"
sockets = "reuseport"
batch = 16
receive_buffer = "4MiB"
send_buffer = "64KiB"
busy_poll = "50us"
[load]
kind = "dnsperf"
transport = "udp"
family = "ipv6"
queries = "q"
clients = 4
outstanding = 100
threads = 2
instances = 3
rate = 50000
tsig_key_file = "keys/lab.key"
cpus = "cores:2@node:1"
source_ports = "fixed"
timeout = "500ms"
accept = ["NOERROR", "REFUSED"]
arguments = ["-e"]
[trial]
warmup = "1s"
measure = "2s"
settle = "0s"
attempts = 3
[objective]
maximize = "qps_per_cpu_second"
subject_to = ["lost_percent <= 0.1", "imbalance < 2"]
stable = "auto"
min_effect = "2.5%"
[parameters.clients]
sets = "load.clients"
type = "integer"
values = [1, 2, 4]
optional = true
keep = true
[parameters.cores]
sets = "server.cores"
type = "integer"
range = [1, "cpus"]
when = "clients > 1"
[constraints]
require = ["clients * cores <= 4 * cpus"]
[search]
strategy = "sweep"
repeats = 3
start = [{ clients = 2 }, {}]
[budget]
until = "06:30"
window = "22:00-06:30"
[safety]
irqbalance = "ignore"
abort_if = ["memory_available_percent < 5", "consecutive_failures >= 5"]
allow_link_reset = false
[notify]
command = ["/usr/local/bin/tell", "now"]
)");
  CHECK(experiment.study.seed == 9223372036854775807u);
  CHECK(experiment.rig.kind == RigKind::loopback);
  CHECK(experiment.server.port == 53);
  CHECK(experiment.server.io_model == "recvmmsg");
  CHECK(experiment.server.threads == 3);
  CHECK(experiment.server.sockets == "reuseport");
  CHECK(experiment.server.batch == 16);
  CHECK(experiment.server.receive_buffer == 4 << 20);
  CHECK(experiment.server.send_buffer == 65536);
  CHECK(experiment.server.busy_poll == std::chrono::microseconds(50));
  CHECK(experiment.load.threads == 2);
  CHECK(experiment.load.instances == 3);
  CHECK(experiment.load.rate == 50'000);
  CHECK_THAT(experiment.load.tsig_key_file, Catch::EndsWith("/keys/lab.key"));
  CHECK(experiment.server.cores == "2");
  CHECK(experiment.server.placement == "0-1,3");
  CHECK(experiment.server.memory == "node:1");
  CHECK(experiment.rig.reserved_cpus == "0,7");
  CHECK(experiment.load.cpus == "cores:2@node:1");
  CHECK(experiment.load.family == AddressFamily::ipv6);
  CHECK(experiment.load.timeout == std::chrono::milliseconds(500));
  CHECK(experiment.load.source_ports == SourcePorts::fixed);
  CHECK(experiment.load.arguments == std::vector<std::string>{"-e"});
  CHECK(experiment.trial.settle == std::chrono::seconds(0));
  CHECK(experiment.objective.subject_to.size() == 2);
  CHECK(experiment.objective.min_effect == Approx(0.025));
  CHECK(experiment.parameters[0].optional);
  CHECK(experiment.parameters[0].values.size() == 3);
  CHECK(experiment.parameters[1].when->text() == "clients > 1");
  CHECK(experiment.search.repeats == 3);
  REQUIRE(experiment.search.start.size() == 2);
  CHECK(describe(experiment.search.start[0]) == "clients=2, cores=as-found");
  CHECK(describe(experiment.search.start[1]) == "clients=as-found, cores=as-found");
  CHECK(experiment.budget.window == "22:00-06:30");
  CHECK(experiment.safety.abort_if.size() == 2);
  CHECK(experiment.notify.command.size() == 2);
}

TEST_CASE("A program of one's own as the load says where its counts are") {
  const Experiment experiment = parsed(kSmall, {{"load.kind", "command"},
                                                {"load.argv", "[\"iperf3\", \"-J\", \"-c\", \"{address}\"]"},
                                                {"load.result", "{ sent = \"/end/sent\", completed = \"/end/received\" }"}});
  CHECK(experiment.load.argv.size() == 4);
  CHECK(experiment.load.result.at("completed") == "/end/received");
}

TEST_CASE("the option --set overrides single keys, as TOML or as a bare word") {
  const Experiment experiment = parsed(kSmall, {{"trial.measure", "2s"},
                                                {"budget.trials", "46"},
                                                {"budget.until", "06:30"},
                                                {"rig.kind", "namespaces"},
                                                {"study.name", "\"other\""},
                                                {"load.accept", "[\"NOERROR\"]"},
                                                {"objective.min_effect", "0.02"},
                                                {"parameters.processes.range", "[1, 8]"}});
  CHECK(experiment.trial.measure == std::chrono::seconds(2));
  CHECK(experiment.budget.trials == 46);
  CHECK(experiment.budget.until == "06:30");
  CHECK(experiment.study.name == "other");
  CHECK(experiment.load.accept == std::vector<std::string>{"NOERROR"});
  CHECK(experiment.objective.min_effect == 0.02);
  CHECK(experiment.parameters[1].high->text() == "8");
  CHECK_THAT(experiment.text, Catch::EndsWith("trials = 40\n# --set trial.measure=2s\n# --set budget.trials=46\n"
                                              "# --set budget.until=06:30\n# --set rig.kind=namespaces\n# --set study.name=\"other\"\n"
                                              "# --set load.accept=[\"NOERROR\"]\n# --set objective.min_effect=0.02\n"
                                              "# --set parameters.processes.range=[1, 8]\n"));
  CHECK(parse_override("a.b=c=d")->value == "c=d");
}

TEST_CASE("The hash of an experiment covers what makes it another experiment, and only that") {
  const std::string hash = experiment_hash(parsed(kSmall));
  CHECK(hash.size() == 64);
  // Stored in records: a change here makes old records unknown and needs a migration.
  CHECK(hash == "78cb12089d4f8d848c4c47d4d44d2b2da55aa3f56d9c0f788b7fd2afdcb36dbd");
  for (const Override& same : {Override{"study.name", "x"}, Override{"budget.trials", "99"}, Override{"budget.until", "05:00"},
                               Override{"notify.command", "[\"x\"]"}, Override{"safety.abort_if", "[\"steal_percent > 5\"]"}}) {
    INFO(same.key);
    CHECK(experiment_hash(parsed(kSmall, {same})) == hash);
  }
  for (const Override& other :
       {Override{"study.seed", "2"}, Override{"server.processes", "2"}, Override{"load.clients", "9"},
        Override{"load.arguments", "[\"-e\"]"}, Override{"trial.measure", "3s"}, Override{"objective.subject_to", "[\"lost_percent < 1\"]"},
        Override{"parameters.processes.range", "[1, 9]"}, Override{"parameters.rmem.special", "[]"},
        Override{"parameters.rmem.keep", "true"}, Override{"constraints.require", "[\"processes < 9\"]"},
        Override{"search.strategy", "sweep"}, Override{"search.start", "[{ processes = 2 }]"}}) {
    INFO(other.key);
    CHECK(experiment_hash(parsed(kSmall, {other})) != hash);
  }
}
