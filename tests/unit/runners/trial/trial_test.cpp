// The sequence of a trial on a machine in memory: apply < server < load < server's end < read back, in every branch.

#include "runners/trial/trial.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cerrno>

#include <fmt/format.h>

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
    server_cpus = context.server_cpus;
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
  std::vector<CpuId> server_cpus;  // as the last apply() was told
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
    host.add_program("/bin/netsettle-echo", [this, echo](const ProcessSpec& spec) {
      server_memory = spec.memory;
      return echo;
    });
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

  /// The server is the first program that is started.
  void show_policy(const std::string& policy) {
    host.add_file("/proc/1000/numa_maps",
                  "55d0f0000000 default file=/bin/netsettle-echo mapped=10 N0=10\n7ffd8c1e3000 " + policy + " stack anon=3\n");
  }

  FakeHost host;
  MemoryPolicy server_memory;
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

TEST_CASE("the server's memory policy is set at its start, read from the running server and recorded") {
  Laboratory lab;
  lab.topology.nodes = {{0, {0}}, {1, {1}}};
  lab.topology.memory_nodes = {0, 1};
  lab.show_policy("bind:0");
  lab.request.settings = {{"memory.policy", "bind"}, {"server.cores", "1"}};
  const auto evidence = lab.run();
  INFO(evidence.failure_detail);
  CHECK(evidence.failure == TrialFailure::none);
  CHECK(lab.server_memory.mode == MemoryPolicy::Mode::bind);
  CHECK(lab.server_memory.nodes == std::set<int>{0});
  const auto row = std::ranges::find(evidence.applied, "memory.policy", &AppliedSetting::setting);
  REQUIRE(row != evidence.applied.end());
  CHECK(row->target == "command line");
  CHECK(row->requested == "bind");
  CHECK(row->before == "default");
  CHECK(row->effective == "bind:0");
  CHECK(row->status == SettingStatus::ok);
}

TEST_CASE("a memory policy of the file alone is set and recorded too, and without one the server inherits") {
  Laboratory lab;
  CHECK(lab.run().failure == TrialFailure::none);
  CHECK(lab.server_memory.mode == MemoryPolicy::Mode::inherited);
  Laboratory local;
  local.experiment.server.memory = "local";
  local.show_policy("local");
  const auto evidence = local.run();
  CHECK(evidence.failure == TrialFailure::none);
  CHECK(local.server_memory.mode == MemoryPolicy::Mode::local);
  const auto row = std::ranges::find(evidence.applied, "memory.policy", &AppliedSetting::setting);
  REQUIRE(row != evidence.applied.end());
  CHECK(row->effective == "local");
}

TEST_CASE("a memory policy that cannot be had, is refused or did not take is a setting refused") {
  Laboratory lab;
  lab.topology.nodes = {{0, {0, 1}}};
  lab.topology.memory_nodes = {0};
  lab.experiment.server.memory = "interleave";
  SECTION("a node that is not there, before anything is changed") {
    lab.request.settings["memory.policy"] = "node:1";
    const auto evidence = lab.run();
    CHECK(evidence.failure == TrialFailure::setting_refused);
    CHECK(evidence.failure_detail.find("there are: 0 (asked for: node:1)") != std::string::npos);
    CHECK_FALSE(lab.happened("write " + kBacklog));
  }
  SECTION("the kernel refuses it") {
    FakeProgram refused;
    refused.start_error = errno_error(EPERM, kMemoryPolicy, "the memory policy cannot be set");
    lab.host.add_program("/bin/netsettle-echo", refused);
    const auto evidence = lab.run();
    CHECK(evidence.failure == TrialFailure::setting_refused);
    const auto row = std::ranges::find(evidence.applied, "memory.policy", &AppliedSetting::setting);
    REQUIRE(row != evidence.applied.end());
    CHECK(row->status == SettingStatus::eperm);
    CHECK(row->errno_value == EPERM);
    CHECK(row->effective.empty());
  }
  SECTION("the running server has another one") {
    lab.show_policy("default");
    const auto evidence = lab.run();
    CHECK(evidence.failure == TrialFailure::setting_refused);
    CHECK(evidence.failure_detail.find("was given interleave:0 and has default (/proc/1000/numa_maps)") != std::string::npos);
    CHECK_FALSE(lab.happened("start dnsperf"));
  }
}

TEST_CASE("interrupts with the server go to the CPUs that this configuration's server uses") {
  Laboratory lab;
  REQUIRE(lab.run().failure == TrialFailure::none);
  CHECK(lab.guard.server_cpus == std::vector<CpuId>{0, 1});
  lab.request.settings["server.placement"] = "1";
  REQUIRE(lab.run().failure == TrialFailure::none);
  CHECK(lab.guard.server_cpus == std::vector<CpuId>{1});
  lab.request.settings["server.placement"] = "spread";
  lab.request.settings["server.cores"] = "1";
  REQUIRE(lab.run().failure == TrialFailure::none);
  CHECK(lab.guard.server_cpus == std::vector<CpuId>{0});
}

TEST_CASE("a placement that this machine cannot give ends the trial before anything is changed") {
  Laboratory lab;
  lab.request.settings["server.placement"] = "nic-node";
  const auto evidence = lab.run();
  CHECK(evidence.failure == TrialFailure::server_start_failed);
  CHECK(evidence.failure_detail.find("one NUMA node") != std::string::npos);
  CHECK_FALSE(lab.happened("write " + kBacklog));
  lab.request.settings.erase("server.placement");
  lab.experiment.load.cpus = "node:4";
  CHECK(lab.run().failure == TrialFailure::load_failed);
}

TEST_CASE("the interrupts that are counted are those of the queues that the discovery finds") {
  Laboratory lab;
  const std::string card = "/sys/devices/pci0000:00/0000:01:00.0";
  lab.host.add_file("/sys/devices/system/cpu/online", "0-1\n");
  lab.host.add_link("/sys/class/net/lo", card + "/net/lo");
  lab.host.add_link(card + "/net/lo/device", "../..");
  lab.host.add_file(card + "/net/lo/queues/rx-0/rps_cpus", "0\n");
  lab.host.add_link(card + "/driver", "/sys/bus/pci/drivers/ixgbe");
  lab.host.add_file("/sys/bus/pci/drivers/ixgbe/bind", "");
  for (const char* irq : {"40", "41", "42"}) lab.host.add_file(card + "/msi_irqs/" + irq, "msix\n");
  const auto interrupts = [](int first, int second) {
    return fmt::format(
        "  CPU0 CPU1\n 40: 1 1  PCI-MSI 1-edge      lo\n 41: {} 0  PCI-MSI 2-edge      lo-TxRx-0\n 42: 0 {}  PCI-MSI 3-edge      "
        "lo-TxRx-1\n",
        first, second);
  };
  lab.host.add_file("/proc/interrupts", interrupts(10, 20));
  FakeProgram load;
  load.runs_for = std::chrono::milliseconds(2400);
  load.standard_output = kDnsperfOutput;
  load.at_end = [&] { lab.host.set_content("/proc/interrupts", interrupts(17, 29)); };
  lab.host.add_program("dnsperf", load);
  const auto evidence = lab.run();
  CHECK(evidence.failure == TrialFailure::none);
  CHECK(evidence.counters.queue_interrupts ==
        std::map<std::string, std::map<int, std::int64_t>>{{"lo-TxRx-0", {{0, 7}, {1, 0}}}, {"lo-TxRx-1", {{0, 0}, {1, 9}}}});
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
