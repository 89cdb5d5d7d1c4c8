// The sequence of a trial on a machine in memory: apply < server < load < server's end < read back, in every branch.

#include "runners/trial/trial.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

#include "tests/support/fake_host.hpp"

using namespace netsettle;
using namespace netsettle::runners;
using tests::FakeHost;
using tests::FakeProgram;

namespace {

const std::string kBacklog = "/proc/sys/net/core/netdev_max_backlog";

constexpr const char* kDnsperfOutput = R"(DNS Performance Testing Tool
Version 2.10.0

[Status] Command line: dnsperf
[Status] Sending queries (to 127.0.0.1:5300)
[Status] Started at: Mon Nov 30 08:35:26 2026
[Status] Stopping after 2.400000 seconds
1796027685.200000: 90000.000000
1796027685.400000: 91000.000000
[Status] Testing complete (time limit)

Statistics:

  Queries sent:         1000
  Queries completed:    1000 (100.00%)
  Queries lost:         0 (0.00%)

  Response codes:       NOERROR 1000 (100.00%)
  Average packet size:  request 36, response 36
  Run time (s):         2.400000
  Queries per second:   90500.000000

  Average Latency (s):  0.001542 (min 0.000014, max 0.006000)
  Latency StdDev (s):   0.000522
)";

constexpr const char* kEchoOutput =
    R"({"workers":[{"process":0,"thread":0,"pid":1,"cpus":"0","received":1001,"answered":1001,"malformed":0,"errors":0}],)"
    R"("cpu_seconds":0.5,"receive_buffer":212992,"send_buffer":212992,"unpinned":0})";

/// Notes what the trial asks of the guard.
class RecordingGuard final : public SettingsGuard {
 public:
  Expected<void> will_create_namespace(const std::string&) override { return {}; }
  Expected<void> will_create_link(const std::string&) override { return {}; }
  Expected<void> watch_child(std::int64_t) override { return {}; }
  std::vector<AppliedSetting> apply(const SettingContext& context, const std::map<std::string, std::string>& wanted) override {
    std::vector<AppliedSetting> rows;
    for (const auto& [name, value] : wanted) {
      (void)context.host->write_file(kBacklog, value + "\n");
      rows.push_back({.setting = name,
                      .target = kBacklog,
                      .requested = value,
                      .before = "1000",
                      .effective = value,
                      .at_end = "",
                      .status = refuse ? SettingStatus::einval : SettingStatus::ok});
    }
    return rows;
  }
  void read_back(const SettingContext& context, std::vector<AppliedSetting>& rows) override {
    for (auto& row : rows) {
      row.at_end = std::string(context.host->read_file(kBacklog)->substr(0, 4));
      if (drift) row.status = SettingStatus::drifted;
    }
  }
  Expected<void> bring_irqbalance(Host&, IrqbalanceMode, const std::set<int>&) override { return {}; }
  Expected<void> check_irqbalance() override { return {}; }
  RestoreReport restore_settings() override { return {}; }
  RestoreReport restore() override { return {}; }
  bool guard_alive() const override { return true; }

  bool refuse = false, drift = false;
};

std::string answer_to(std::string_view query, char rcode) {
  std::string answer(query);
  answer[2] = static_cast<char>(answer[2] | 0x80);
  answer[3] = rcode;
  return answer;
}

struct Laboratory {
  Laboratory() {
    experiment.load.queries = "/q.txt";
    experiment.trial.warmup = std::chrono::seconds(1);
    experiment.trial.measure = std::chrono::seconds(1);
    host.add_number_file(kBacklog, "1000\n");
    for (const char* file : {"/proc/net/snmp", "/proc/net/softnet_stat"}) host.add_file(file, "");
    FakeProgram echo;
    echo.runs_for = std::nullopt;
    echo.output_at_end = kEchoOutput;
    host.add_program("/bin/netsettle-echo", echo);
    FakeProgram load;
    load.runs_for = std::chrono::milliseconds(2400);
    load.standard_output = kDnsperfOutput;
    host.add_program("dnsperf", load);
    host.answer_datagrams(
        [this](const std::string&, int, std::string_view query) -> Expected<std::string> { return answer_to(query, rcode); });
  }

  TrialEvidence run() {
    const auto rig = make_loopback_rig(host, AddressFamily::ipv4);
    const SettingContext context{.host = &host, .server = &host, .interface = "lo", .cpus = {0, 1}};
    const auto server = make_server(ServerKind::echo);
    const auto load = make_load("dnsperf");
    const TrialSetup setup{experiment,    host, *rig, guard, context, managed, topology, *server, **load, "/bin/netsettle-echo",
                           "example.com", "A"};
    return run_trial(setup, request, stop, [this](TrialState state) { states.push_back(state); });
  }

  /// Place of the first operation that contains `text` in what was done.
  std::size_t place(const std::string& text) {
    const auto texts = host.log().texts();
    return static_cast<std::size_t>(
        std::ranges::find_if(texts, [&](const std::string& line) { return line.find(text) != std::string::npos; }) - texts.begin());
  }
  bool happened(const std::string& text) { return place(text) < host.log().texts().size(); }

  FakeHost host;
  Experiment experiment;
  RecordingGuard guard;
  std::vector<std::string> managed = {"sysctl.net.core.netdev_max_backlog"};
  Topology topology{.online = {0, 1}, .allowed = {0, 1}, .cores = 2, .packages = 1, .nodes = {}, .ram_bytes = 1 << 30};
  TrialRequest request{{{"sysctl.net.core.netdev_max_backlog", "2000"}}, 20000};
  StopFlag stop = 0;
  std::vector<TrialState> states;
  char rcode = 0;
};

}  // namespace

TEST_CASE("a trial goes from the settings over server and load to the settings again") {
  Laboratory lab;
  const auto evidence = lab.run();
  INFO(evidence.failure_detail);
  CHECK(evidence.failure == TrialFailure::none);
  CHECK(lab.states == std::vector{TrialState::applying, TrialState::warmup, TrialState::measuring});
  const auto applied = lab.place("write " + kBacklog), server = lab.place("netsettle-echo"), query = lab.place("127.0.0.1:5300"),
             before = lab.place("read /proc/net/softnet_stat"), load = lab.place("start dnsperf");
  CHECK(applied < server);
  CHECK(server < query);
  CHECK(query < before);
  CHECK(before < load);
  CHECK(lab.host.log().texts().back() == "read " + kBacklog);
  REQUIRE(evidence.load.has_value());
  CHECK(evidence.load->completed == 1000);
  REQUIRE(evidence.server.has_value());
  CHECK(evidence.server->workers.front().answered == 1001);
  CHECK(evidence.applied.front().at_end == "2000");
}

TEST_CASE("a managed setting that the configuration leaves alone is in the evidence as found") {
  Laboratory lab;
  lab.request.settings = {{"server.processes", "2"}};
  const auto evidence = lab.run();
  const auto row = std::ranges::find(evidence.applied, "sysctl.net.core.netdev_max_backlog", &AppliedSetting::setting);
  REQUIRE(row != evidence.applied.end());
  CHECK(row->requested == "as-found");
  CHECK(row->effective == "1000");
  const auto processes = std::ranges::find(evidence.applied, "server.processes", &AppliedSetting::setting);
  REQUIRE(processes != evidence.applied.end());
  CHECK(processes->requested == "2");
  CHECK(processes->before == "1");
}

TEST_CASE("a refused setting ends the trial before the server starts") {
  Laboratory lab;
  lab.guard.refuse = true;
  const auto evidence = lab.run();
  CHECK(evidence.failure == TrialFailure::setting_refused);
  CHECK(evidence.failure_detail.find("netdev_max_backlog = 2000") != std::string::npos);
  CHECK_FALSE(lab.happened("netsettle-echo"));
  CHECK(lab.host.log().texts().back() == "read " + kBacklog);
}

TEST_CASE("a server that does not start is the configuration's failure, with its own words") {
  Laboratory lab;
  FakeProgram echo;
  echo.standard_error = "bind: Address already in use\n";
  echo.exit = {1, std::nullopt};
  lab.host.add_program("/bin/netsettle-echo", echo);
  const auto evidence = lab.run();
  CHECK(evidence.failure == TrialFailure::server_start_failed);
  CHECK(evidence.failure_detail.find("Address already in use") != std::string::npos);
  CHECK_FALSE(lab.happened("start dnsperf"));
}

TEST_CASE("a server that answers nothing is given up after its time") {
  Laboratory lab;
  lab.host.answer_datagrams([&lab](const std::string&, int, std::string_view) -> Expected<std::string> {
    lab.host.fake_clock().advance(std::chrono::milliseconds(200));
    return fail(ErrorCode::timed_out, "127.0.0.1", "no answer");
  });
  const auto evidence = lab.run();
  CHECK(evidence.failure == TrialFailure::server_start_failed);
  CHECK_FALSE(lab.happened("start dnsperf"));
}

TEST_CASE("fast REFUSED is not throughput: the preflight query ends the trial") {
  Laboratory lab;
  lab.rcode = 5;
  const auto evidence = lab.run();
  CHECK(evidence.failure == TrialFailure::wrong_rcode);
  CHECK(evidence.failure_detail.find("REFUSED") != std::string::npos);
  CHECK_FALSE(lab.happened("start dnsperf"));
}

TEST_CASE("a server that ends under load has crashed, and the load is interrupted") {
  Laboratory lab;
  FakeProgram echo;
  echo.runs_for = std::chrono::milliseconds(1500);
  echo.exit = {std::nullopt, 11};
  lab.host.add_program("/bin/netsettle-echo", echo);
  const auto evidence = lab.run();
  CHECK(evidence.failure == TrialFailure::server_crashed);
  CHECK(evidence.load.has_value());
}

TEST_CASE("a load that fails is the instrument's failure") {
  Laboratory lab;
  FakeProgram load;
  load.exit = {1, std::nullopt};
  load.standard_error = "Error: bind: Address already in use\n";
  lab.host.add_program("dnsperf", load);
  const auto evidence = lab.run();
  CHECK(evidence.failure == TrialFailure::load_failed);
  CHECK(evidence.failure_detail.find("Address already in use") != std::string::npos);
}

TEST_CASE("a missing load generator is the instrument's failure") {
  Laboratory lab;
  FakeProgram load;
  load.start_error = Error{ErrorCode::not_found, "dnsperf", "no such program"};
  lab.host.add_program("dnsperf", load);
  CHECK(lab.run().failure == TrialFailure::load_failed);
}

TEST_CASE("a stop ends load and server at once and is no result") {
  Laboratory lab;
  lab.host.log().on_operation = [&lab](const tests::Operation& operation) {
    if (operation.subject.find("dnsperf") != std::string::npos) lab.stop = 2;
  };
  const auto evidence = lab.run();
  CHECK(evidence.failure == TrialFailure::interrupted);
  CHECK(lab.host.log().texts().back() == "read " + kBacklog);
}

TEST_CASE("a setting that moved during the trial is named") {
  Laboratory lab;
  lab.guard.drift = true;
  const auto evidence = lab.run();
  REQUIRE(evidence.drifted.size() == 1);
  CHECK(evidence.drifted.front().starts_with("sysctl.net.core.netdev_max_backlog was 2000"));
}

TEST_CASE("a step of the wall clock during the load is measured") {
  Laboratory lab;
  lab.host.log().on_operation = [&lab](const tests::Operation& operation) {
    if (operation.subject.find("dnsperf") != std::string::npos) lab.host.fake_clock().step_utc(std::chrono::seconds(3));
  };
  CHECK(lab.run().clock_step_s == Approx(3).margin(0.01));
}
