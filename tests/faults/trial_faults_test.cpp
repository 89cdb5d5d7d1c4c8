// Faults of every kind in real trials, one at a time: each gets its reason, and its losses their place.

#include <catch2/catch.hpp>

#include <sched.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <thread>

#include "tests/faults/trial_lab.hpp"

using namespace netsettle;
using namespace netsettle::runners;
using tests::TrialLab;
using tests::TrialOutcome;

namespace {

/// The process in the server's namespace whose command line has the word.
pid_t process_named(Host& host, std::string_view word) {
  const auto names = host.list_directory("/proc");
  REQUIRE(names.has_value());
  for (const std::string& name : *names) {
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    const auto line = host.read_file("/proc/" + name + "/cmdline");
    if (line && line->starts_with(word)) return static_cast<pid_t>(std::stol(name));
  }
  return 0;
}

/// Takes a CPU away from everybody else there.
class Burner {
 public:
  explicit Burner(int cpu)
      : thread_([this, cpu] {
          cpu_set_t set;
          CPU_ZERO(&set);
          CPU_SET(cpu, &set);
          sched_setaffinity(0, sizeof set, &set);
          while (!stop_.load(std::memory_order_relaxed)) {
          }
        }) {}
  ~Burner() {
    stop_ = true;
    thread_.join();
  }

 private:
  std::atomic<bool> stop_ = false;
  std::thread thread_;
};

/// The real clock until it is set by `step`.
class SteppedClock final : public Clock {
 public:
  explicit SteppedClock(Clock& real) : real_(real) {}
  Microseconds monotonic() const override { return real_.monotonic(); }
  Microseconds utc() const override { return real_.utc() + step; }
  void sleep(Microseconds duration, const StopFlag* stop) override { real_.sleep(duration, stop); }
  Microseconds step{0};

 private:
  Clock& real_;
};

/// The local machine with another clock.
class SteppedHost final : public Host {
 public:
  explicit SteppedHost(Host& real) : real_(real), clock_(real.clock()) {}
  Expected<std::string> read_file(const std::string& path) override { return real_.read_file(path); }
  Expected<void> write_file(const std::string& path, std::string_view text) override { return real_.write_file(path, text); }
  Expected<std::vector<std::string>> list_directory(const std::string& path) override { return real_.list_directory(path); }
  Expected<void> check_writable(const std::string& path) override { return real_.check_writable(path); }
  Expected<std::unique_ptr<Process>> start(const ProcessSpec& spec) override { return real_.start(spec); }
  Expected<std::string> exchange_datagram(const std::string& address, int port, std::string_view bytes, Microseconds timeout) override {
    return real_.exchange_datagram(address, port, bytes, timeout);
  }
  Clock& clock() override { return clock_; }
  std::string network_namespace() const override { return real_.network_namespace(); }
  void step(Microseconds by) { clock_.step += by; }

 private:
  Host& real_;
  SteppedClock clock_;
};

}  // namespace

// ---- the configuration's fault ---------------------------------------------------------------------------------------

TEST_CASE("Fault 1: a port that is taken is a server that cannot start") {
  TrialLab lab;
  auto other = lab.rig().server().start({.argv = {NETSETTLE_FAULTY_SERVER, "--address", lab.rig().server_address(), "--port", "5399"},
                                         .cpus = {},
                                         .input = {},
                                         .environment = {}});
  REQUIRE(other.has_value());
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  lab.faults = {"--after-ms", "1"};
  const TrialOutcome trial = lab.run();
  INFO(trial.text());
  CHECK(trial.judgement.verdict.outcome == Outcome::failed);
  CHECK(trial.has("server-start-failed"));
}

TEST_CASE("Fault 2: a server that dies under load has crashed") {
  TrialLab lab;
  lab.faults = {"--die", "--after-ms", "600"};
  const TrialOutcome trial = lab.run();
  INFO(trial.text());
  CHECK(trial.judgement.verdict.outcome == Outcome::failed);
  CHECK(trial.has("server-crashed"));
}

TEST_CASE("Fault 3: a server that answers the first query and no more has answered nothing") {
  TrialLab lab;
  lab.while_measuring = {};
  lab.faults = {"--silent", "--after-ms", "1"};
  lab.experiment.load.outstanding = 40;  // all of them wait for the 50th answer's clock: nothing beyond the burst
  const TrialOutcome trial = lab.run();
  INFO(trial.text());
  CHECK((trial.has("nothing-answered") || trial.has("stalled")));
  CHECK(trial.lost_at("unexplained") == 0);
  CHECK(trial.lost_at("read by the server and not answered") > 0);
}

TEST_CASE("Fault 4: a value that the kernel refuses is the configuration's failure") {
  TrialLab lab;
  lab.settings = {{"sysctl.net.ipv4.tcp_rmem", "not numbers"}};
  lab.managed = {"sysctl.net.ipv4.tcp_rmem"};
  const TrialOutcome trial = lab.run();
  INFO(trial.text());
  CHECK(trial.judgement.verdict.outcome == Outcome::failed);
  CHECK(trial.has("setting-refused"));
}

// ---- measured, and told what limited it ------------------------------------------------------------------------------

TEST_CASE("Fault 5: a server that drops one query of twenty is at a limit of its own") {
  TrialLab lab;
  lab.faults = {"--drop-every", "20"};
  const TrialOutcome trial = lab.run();
  INFO(trial.text());
  CHECK(trial.judgement.verdict.outcome == Outcome::measured);
  CHECK(trial.has("rate-limited"));
  CHECK(trial.has("loss-above-limit"));
  CHECK(trial.lost_at("read by the server and not answered") >= trial.evidence.load->lost.value() * 9 / 10);
}

TEST_CASE("Fault 6: a server that stands still in the middle is seen in the series") {
  TrialLab lab;
  lab.faults = {"--stuck", "--after-ms", "900"};
  const TrialOutcome trial = lab.run();
  INFO(trial.text());
  CHECK(trial.judgement.verdict.outcome == Outcome::measured);
  CHECK(trial.has("stalled"));
}

TEST_CASE("Fault 7: a tiny receive buffer is a measured bad configuration, and the receive errors are explained") {
  TrialLab lab;
  lab.faults = {"--buffer", "2304", "--delay-us", "1"};
  const TrialOutcome trial = lab.run();
  INFO(trial.text());
  CHECK(trial.judgement.verdict.outcome == Outcome::measured);
  CHECK(trial.lost_at("server's socket buffer") > 0);
  CHECK(trial.has("loss-above-limit"));
  CHECK_THAT(strategies::explain_receive_errors(trial.evidence).value_or(""),
             Catch::Contains("softnet_stat shows no drop") && Catch::Contains("RcvbufErrors"));
}

TEST_CASE("Fault 8: lost queries that fill the window hide the server's rate") {
  TrialLab lab;
  lab.experiment.load.outstanding = 20;
  lab.faults = {"--drop-every", "50"};
  const TrialOutcome trial = lab.run();
  INFO(trial.text());
  CHECK(trial.has("window-limited"));
}

TEST_CASE("Fault 9: a window that is too small for the way there and back is named") {
  TrialLab lab;
  lab.experiment.load.outstanding = 8;
  lab.faults = {"--delay-us", "4000", "--after-ms", "0"};
  const TrialOutcome trial = lab.run();
  INFO(trial.text());
  CHECK((trial.has("round-trip-limited") || trial.has("crowded")));
  CHECK(trial.evidence.load->qps.value() < 500);
}

TEST_CASE("Fault 10: an open loop that cannot send what was asked says so") {
  TrialLab lab;
  lab.experiment.load.rate = 5e6;
  const TrialOutcome trial = lab.run();
  INFO(trial.text());
  CHECK(trial.has("rate-not-reached"));
}

TEST_CASE("Fault 11: one source port cannot feed four sockets") {
  TrialLab lab;
  lab.experiment.load.clients = 1;
  lab.experiment.server.processes = 4;
  lab.experiment.server.sockets = "reuseport";
  const TrialOutcome trial = lab.run();
  INFO(trial.text());
  REQUIRE(trial.has("flow-imbalance"));
  CHECK_THAT(trial.detail("flow-imbalance"), Catch::Contains("1 of 4 workers carried 99 %"));
}

TEST_CASE("Fault 12: a filter on the server's socket is found behind the IP stack") {
  TrialLab lab;
  lab.faults = {"--filter", "20"};
  const TrialOutcome trial = lab.run();
  INFO(trial.text());
  CHECK(trial.has("filter-drops"));
  CHECK(trial.lost_at("socket filter or wrong length") >= trial.evidence.load->lost.value() * 9 / 10);
  CHECK_FALSE(trial.has("unexplained-loss"));
}

TEST_CASE("Fault 13: answers that come after the time-out have a place of their own") {
  TrialLab lab;
  lab.faults = {"--late-ms", "500", "--after-ms", "100"};
  const TrialOutcome trial = lab.run();
  INFO(trial.text());
  CHECK(trial.judgement.verdict.outcome == Outcome::measured);
  CHECK(trial.lost_at("answered after the time-out") + trial.lost_at("read by the server and not answered") > 0);
  CHECK_FALSE(trial.has("unexplained-loss"));
}

TEST_CASE("Fault 14: queries dropped by the client's queueing discipline are counted there") {
  TrialLab lab;
  lab.must_run(lab.rig().client(), {"tc", "qdisc", "add", "dev", "nsc0", "root", "tbf", "rate", "4mbit", "burst", "2000", "limit", "4000"});
  const TrialOutcome trial = lab.run();
  INFO(trial.text());
  CHECK(trial.lost_at("client's queueing discipline") > 0);
  CHECK(trial.has("loss-above-limit"));
  CHECK_FALSE(trial.has("unexplained-loss"));
}

TEST_CASE("Fault 15: answers dropped by the server's queueing discipline are counted there") {
  TrialLab lab;
  lab.must_run(lab.rig().server(), {"tc", "qdisc", "add", "dev", "nss0", "root", "tbf", "rate", "4mbit", "burst", "2000", "limit", "4000"});
  const TrialOutcome trial = lab.run();
  INFO(trial.text());
  CHECK(trial.lost_at("server's queueing discipline") > 0);
  CHECK(trial.has("loss-above-limit"));
  CHECK_FALSE(trial.has("unexplained-loss"));
}

TEST_CASE("Fault 16: a server that slows down in the middle has not settled") {
  TrialLab lab;
  lab.experiment.trial.measure = std::chrono::milliseconds(4000);
  lab.experiment.load.outstanding = 4;
  lab.faults = {"--delay-us", "1500", "--after-ms", "2400"};
  const TrialOutcome trial = lab.run();
  INFO(trial.text());
  CHECK(trial.has("not-settled"));
}

// ---- the instrument's or the machine's fault -------------------------------------------------------------------------

TEST_CASE("Fault 17: a server that only refuses is found before the load starts") {
  TrialLab lab;
  lab.faults = {"--rcode", "5", "--after-ms", "0"};
  const TrialOutcome trial = lab.run();
  INFO(trial.text());
  CHECK(trial.judgement.verdict.outcome == Outcome::invalid);
  CHECK(trial.has("wrong-rcode"));
  CHECK_FALSE(trial.evidence.load.has_value());
}

TEST_CASE("A server that says SERVFAIL while it loads its zones is waited for, up to its ready time") {
  TrialLab lab;
  lab.faults = {"--loading", "3"};
  const TrialOutcome trial = lab.run();
  INFO(trial.text());
  CHECK(trial.judgement.verdict.outcome == Outcome::measured);
  CHECK_FALSE(trial.has("wrong-rcode"));

  lab.faults = {"--loading", "100000"};
  lab.experiment.server.ready_timeout = Microseconds(300'000);
  const TrialOutcome never = lab.run();
  INFO(never.text());
  CHECK(never.has("wrong-rcode"));
  CHECK_FALSE(never.evidence.load.has_value());
}

TEST_CASE("Fault 18: a server that begins to fail later is found in the counts") {
  TrialLab lab;
  lab.faults = {"--rcode", "2", "--after-ms", "900"};
  const TrialOutcome trial = lab.run();
  INFO(trial.text());
  CHECK(trial.judgement.verdict.outcome == Outcome::invalid);
  CHECK(trial.has("wrong-rcode"));
  CHECK(trial.evidence.load->rcodes.at("SERVFAIL") > 0);
}

TEST_CASE("Fault 19: truncated answers are no throughput") {
  TrialLab lab;
  lab.faults = {"--truncate", "--after-ms", "0"};
  const TrialOutcome trial = lab.run();
  INFO(trial.text());
  CHECK(trial.judgement.verdict.outcome == Outcome::invalid);
  CHECK(trial.has("wrong-rcode"));
}

TEST_CASE("Fault 20: a server whose own counts are wrong contradicts the other witnesses") {
  TrialLab lab;
  lab.faults = {"--lie", "-3"};
  const TrialOutcome trial = lab.run();
  INFO(trial.text());
  CHECK(trial.judgement.verdict.outcome == Outcome::invalid);
  CHECK(trial.has("counters-disagree"));
}

TEST_CASE("Fault 21: a load that is killed leaves no result") {
  TrialLab lab;
  lab.while_measuring = [&] {
    const pid_t load = process_named(lab.host(), "dnsperf");
    REQUIRE(load > 0);
    kill(load, SIGKILL);
  };
  const TrialOutcome trial = lab.run();
  INFO(trial.text());
  CHECK(trial.judgement.verdict.outcome == Outcome::invalid);
  CHECK(trial.has("load-failed"));
}

TEST_CASE("Fault 22: a load whose port is taken fails as the instrument") {
  TrialLab lab;
  lab.experiment.load.arguments = {"-b", "not-a-number"};
  const TrialOutcome trial = lab.run();
  INFO(trial.text());
  CHECK(trial.judgement.verdict.outcome == Outcome::invalid);
  CHECK(trial.has("load-failed"));
}

TEST_CASE("Fault 23: a setting that somebody else writes during the trial is found at its end") {
  TrialLab lab;
  lab.settings = {{"sysctl.net.ipv4.udp_rmem_min", "8192"}};
  lab.managed = {"sysctl.net.ipv4.udp_rmem_min"};
  lab.while_measuring = [&] { REQUIRE(lab.rig().server().write_file("/proc/sys/net/ipv4/udp_rmem_min", "5000\n").has_value()); };
  const TrialOutcome trial = lab.run();
  INFO(trial.text());
  CHECK(trial.judgement.verdict.outcome == Outcome::invalid);
  CHECK(trial.has("setting-drift"));
}

TEST_CASE("Fault 24: a server that is moved to other CPUs is found") {
  TrialLab lab;
  lab.experiment.server.placement = "0";
  lab.while_measuring = [&] {
    pid_t worker = 0;
    const auto names = lab.host().list_directory("/proc");
    REQUIRE(names.has_value());
    for (const auto& name : *names) {
      if (name.find_first_not_of("0123456789") != std::string::npos) continue;
      const auto line = lab.host().read_file("/proc/" + name + "/cmdline");
      if (line && line->find("netsettle-echo") != std::string::npos) worker = static_cast<pid_t>(std::stol(name));
    }
    REQUIRE(worker > 0);
    cpu_set_t all;
    CPU_ZERO(&all);
    for (int cpu = 0; cpu < 2; ++cpu) CPU_SET(cpu, &all);
    REQUIRE(sched_setaffinity(worker, sizeof all, &all) == 0);
  };
  const TrialOutcome trial = lab.run();
  INFO(trial.text());
  CHECK(trial.judgement.verdict.outcome == Outcome::invalid);
  CHECK(trial.has("affinity-moved"));
}

TEST_CASE("Fault 25: a link that goes down and up again spoils the trial") {
  TrialLab lab;
  lab.while_measuring = [&] {
    lab.must_run(lab.rig().server(), {"ip", "link", "set", "nss0", "down"});
    lab.must_run(lab.rig().server(), {"ip", "link", "set", "nss0", "up"});
  };
  const TrialOutcome trial = lab.run();
  INFO(trial.text());
  CHECK(trial.judgement.verdict.outcome == Outcome::invalid);
  CHECK(trial.has("link-changed"));
}

TEST_CASE("Fault 26: a clock that is set during the load spoils the trial") {
  TrialLab lab;
  SteppedHost stepped(lab.host());
  lab.trial_host = &stepped;
  lab.while_measuring = [&] { stepped.step(std::chrono::milliseconds(-700)); };
  const TrialOutcome trial = lab.run();
  INFO(trial.text());
  CHECK(trial.judgement.verdict.outcome == Outcome::invalid);
  CHECK(trial.has("clock-step"));
}

TEST_CASE("Fault 27: programs of others that take the load's CPU are named") {
  TrialLab lab;
  lab.experiment.load.cpus = "1";
  const Burner first(1), second(1);
  const TrialOutcome trial = lab.run();
  INFO(trial.text());
  CHECK(trial.judgement.verdict.outcome == Outcome::measured);
  CHECK(trial.has("crowded"));
}

TEST_CASE("Fault 28: a stop is no result") {
  TrialLab lab;
  lab.while_measuring = [&] { lab.stop = SIGINT; };
  const TrialOutcome trial = lab.run();
  INFO(trial.text());
  CHECK(trial.judgement.verdict.outcome == Outcome::invalid);
  CHECK(trial.has("interrupted"));
}

// ---- no fault ----------------------------------------------------------------------------------------------------

TEST_CASE("The ledger of a real trial of two seconds closes, in namespaces and on loopback") {
  for (const RigKind kind : {RigKind::namespaces, RigKind::loopback}) {
    TrialLab lab(kind);
    lab.experiment.trial.warmup = std::chrono::milliseconds(0);
    lab.experiment.trial.measure = std::chrono::milliseconds(2000);
    lab.experiment.load.outstanding = 500;
    const TrialOutcome trial = lab.run();
    INFO(trial.text());
    REQUIRE(trial.evidence.load.has_value());
    REQUIRE(trial.judgement.measurements.contains("unexplained_percent"));
    CHECK(trial.judgement.measurements.at("unexplained_percent") < 0.1);
    CHECK_FALSE(trial.has("unexplained-loss"));
    CHECK(trial.judgement.verdict.outcome == Outcome::measured);
  }
}

TEST_CASE("Two load processes are pinned apart and added up, and their ledger closes too") {
  TrialLab lab;
  lab.experiment.load.instances = 2;
  lab.experiment.load.cpus = "0-1";
  const TrialOutcome trial = lab.run();
  INFO(trial.text());
  REQUIRE(trial.evidence.load.has_value());
  CHECK(trial.evidence.load->complete);
  CHECK(trial.judgement.verdict.outcome == Outcome::measured);
  CHECK(trial.judgement.measurements.at("unexplained_percent") < 0.1);
  const auto artifacts = trial.evidence.artifacts;
  CHECK(std::ranges::count(artifacts, "load.2.stdout", &Artifact::kind) == 1);
}

TEST_CASE("A key that the load needs is not in what is recorded") {
  TrialLab lab;
  const tests::TemporaryFolder folder;
  const std::string secret = "hmac-sha256:lab:c2VjcmV0LWtleS1vZi10aGUtbGFi";
  std::ofstream(folder.file("lab.key")) << secret << "\n";
  lab.experiment.load.tsig_key_file = folder.file("lab.key");
  const TrialOutcome trial = lab.run();
  INFO(trial.text());
  bool told = false;
  for (const Artifact& artifact : trial.evidence.artifacts) {
    INFO(artifact.kind);
    CHECK(artifact.content.find("c2VjcmV0") == std::string::npos);
    told = told || artifact.content.find("<key>") != std::string::npos;
  }
  CHECK(told);
}
