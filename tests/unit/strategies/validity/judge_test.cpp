#include "strategies/validity/judge.hpp"

#include <catch2/catch.hpp>
#include <functional>

#include "tests/unit/strategies/validity/evidence.hpp"

using namespace netsettle;
using namespace netsettle::strategies;

namespace {

const Reason* find(const Verdict& verdict, std::string_view code) {
  const auto found = std::ranges::find(verdict.reasons, code, &Reason::code);
  return found == verdict.reasons.end() ? nullptr : &*found;
}

Experiment limited() {
  Experiment experiment;
  experiment.objective.subject_to = {Expression::parse("lost_percent <= 0.1").value()};
  return experiment;
}

struct Row {
  std::string code;
  Outcome outcome;
  bool suspect;
  std::function<void(TrialEvidence&)> spoil;
};

AppliedSetting applied(SettingStatus status) {
  return {.setting = "sysctl.net.core.rmem_max", .requested = "4194304", .effective = "212992", .status = status};
}

}  // namespace

TEST_CASE("a good trial is measured, without reasons") {
  const Judgement judgement = judge({}, good_evidence());
  CHECK(judgement.verdict.outcome == Outcome::measured);
  CHECK_FALSE(judgement.verdict.suspect);
  CHECK(judgement.verdict.reasons.empty());
}

TEST_CASE("the rate is the measuring window's, the counts are the whole load's") {
  const Measurements measured = judge({}, good_evidence()).measurements;
  CHECK(measured.at("qps") == Approx(10'000));
  CHECK(measured.at("sent") == 120'000);
  CHECK(measured.at("lost_percent") == Approx(100.0 * 200 / 120'000));
  CHECK(measured.at("qps_per_cpu_second") == Approx(5'990));
  CHECK(measured.at("server_received") == 119'800);
  CHECK(measured.at("imbalance") == Approx(60'000 / 59'900.0));
  CHECK(measured.at("latency_avg_us") == Approx(1000));
  CHECK(measured.at("rcvbuf_errors") == 200);
  CHECK(measured.at("unexplained_percent") == 0);
  CHECK_FALSE(measured.contains("burst_lost"));
  CHECK_FALSE(measured.contains("time_squeeze"));
}

TEST_CASE("where the sequence broke off says whose fault it was") {
  const std::vector<std::tuple<TrialFailure, Outcome, std::string>> rows{
      {TrialFailure::setting_refused, Outcome::failed, "setting-refused"},
      {TrialFailure::server_start_failed, Outcome::failed, "server-start-failed"},
      {TrialFailure::server_crashed, Outcome::failed, "server-crashed"},
      {TrialFailure::nothing_answered, Outcome::failed, "nothing-answered"},
      {TrialFailure::load_failed, Outcome::invalid, "load-failed"},
      {TrialFailure::wrong_rcode, Outcome::invalid, "wrong-rcode"},
      {TrialFailure::interrupted, Outcome::invalid, "interrupted"},
      {TrialFailure::internal, Outcome::invalid, "internal"},
  };
  for (const auto& [failure, outcome, code] : rows) {
    TrialEvidence evidence = good_evidence();
    evidence.failure = failure;
    evidence.failure_detail = "because of this";
    const Judgement judgement = judge({}, evidence);
    CAPTURE(code);
    CHECK(judgement.verdict.outcome == outcome);
    REQUIRE(find(judgement.verdict, code) != nullptr);
    CHECK(find(judgement.verdict, code)->detail == "because of this");
    CHECK(judgement.measurements.empty());
  }
}

TEST_CASE("what spoils a trial, and how much") {
  const std::vector<Row> rows{
      {"load-failed", Outcome::invalid, false, [](TrialEvidence& e) { e.load.reset(); }},
      {"load-failed", Outcome::invalid, false, [](TrialEvidence& e) { e.load->complete = false; }},
      {"load-nonsense", Outcome::invalid, false, [](TrialEvidence& e) { e.load->completed = 130'000; }},
      {"nothing-answered", Outcome::failed, false,
       [](TrialEvidence& e) {
         e.load->completed = 0;
         e.load->lost = 120'000;
         e.load->rcodes.clear();
       }},
      {"wrong-rcode", Outcome::invalid, false, [](TrialEvidence& e) { e.load->rcodes = {{"NOERROR", 110'000}, {"REFUSED", 9'800}}; }},
      {"setting-refused", Outcome::failed, false, [](TrialEvidence& e) { e.applied = {applied(SettingStatus::einval)}; }},
      {"setting-clamped", Outcome::measured, false, [](TrialEvidence& e) { e.applied = {applied(SettingStatus::clamped)}; }},
      {"setting-drift", Outcome::invalid, false, [](TrialEvidence& e) { e.drifted = {"sysctl.net.core.rmem_max"}; }},
      {"clock-step", Outcome::invalid, false, [](TrialEvidence& e) { e.clock_step_s = -0.06; }},
      {"memory-pressure", Outcome::invalid, false, [](TrialEvidence& e) { e.counters.memory_available_percent = 3; }},
      {"steal-jump", Outcome::measured, true, [](TrialEvidence& e) { e.counters.steal_percent = 25; }},
      {"client-limited", Outcome::measured, true, [](TrialEvidence& e) { e.counters.client.rcvbuf_errors = 500; }},
      {"counters-disagree", Outcome::invalid, false, [](TrialEvidence& e) { e.counters.server.in = 100'000; }},
      {"counters-disagree", Outcome::invalid, false, [](TrialEvidence& e) { e.server->workers[0].answered = 50'000; }},
      {"counters-disagree", Outcome::invalid, false,
       [](TrialEvidence& e) {
         e.server->workers[0].received = 65'000;
         e.counters.server.in = 124'800;
       }},
      {"short-series", Outcome::measured, true, [](TrialEvidence& e) { e.load->intervals.clear(); }},
      {"short-series", Outcome::measured, true, [](TrialEvidence& e) { e.load->intervals.resize(6); }},
      {"unexplained-loss", Outcome::measured, true, [](TrialEvidence& e) { e.counters.server.rcvbuf_errors = 0; }},
      {"window-limited", Outcome::measured, true, [](TrialEvidence& e) { e.load_window = 20; }},
      {"memory-pressure", Outcome::invalid, false, [](TrialEvidence& e) { e.counters.memory_stall_percent = 12; }},
      {"throttled", Outcome::invalid, false, [](TrialEvidence& e) { e.counters.throttles = 1; }},
      {"affinity-moved", Outcome::invalid, false, [](TrialEvidence& e) { e.server_use->strays = {"thread 12 may run on 0-1"}; }},
      {"affinity-moved", Outcome::invalid, false, [](TrialEvidence& e) { e.load_use->strays = {"thread 13 may run on 0-1"}; }},
      {"affinity-moved", Outcome::invalid, false, [](TrialEvidence& e) { e.server->unpinned = 2; }},
      {"link-changed", Outcome::invalid, false, [](TrialEvidence& e) { e.counters.client_link.carrier_changes = 2; }},
      {"crowded", Outcome::measured, true, [](TrialEvidence& e) { e.counters.idle_percent = 5; }},
      {"rate-not-reached", Outcome::measured, true, [](TrialEvidence& e) { e.load_rate = 20'000; }},
      {"round-trip-limited", Outcome::measured, true,
       [](TrialEvidence& e) {
         e.load->lost = 0;
         e.load->completed = 120'000;
         e.load->latency_avg_s = 0.049;
         e.counters.idle_percent = 90;
         e.server_use->cpu_seconds = 1;
         e.load_use->cpu_seconds = 1;
         for (auto& worker : e.server->workers) worker.received = worker.answered = 60'000;
         e.counters.server.in = 120'000;
         e.counters.server.rcvbuf_errors = 0;
         e.counters.client.in = 120'000;
       }},
      {"client-limited", Outcome::measured, true, [](TrialEvidence& e) { e.load->own_limit = "it fell behind by 1021 queries"; }},
      {"few-queues", Outcome::measured, false,
       [](TrialEvidence& e) {
         for (int queue = 0; queue < 8; ++queue)
           e.counters.queue_interrupts["eth0-TxRx-" + std::to_string(queue)] = {{queue, queue < 3 ? 40'000 : 10}};
       }},
      {"filter-drops", Outcome::measured, true,
       [](TrialEvidence& e) {
         e.counters.server.in_errors = 400;
         e.load->completed = 119'600;
         e.load->lost = 400;
         e.load->rcodes = {{"NOERROR", 119'600}};
         e.counters.client.in = 119'600;
       }},
      {"filter-drops", Outcome::measured, true, [](TrialEvidence& e) { e.counters.conntrack_drops = 300; }},
      {"rate-limited", Outcome::measured, true,
       [](TrialEvidence& e) {
         e.server->workers[0].answered -= 5'000;
         e.load->completed = 114'800;
         e.load->lost = 5'200;
         e.load->rcodes = {{"NOERROR", 114'800}};
         e.counters.client.in = 114'800;
       }},
      {"link-limited", Outcome::measured, false,
       [](TrialEvidence& e) {
         e.link_mbps = 100;
         e.counters.server_link.rx_bytes = 146'000'000;
         e.counters.server_link.rx_packets = 120'000;
       }},
      {"stalled", Outcome::measured, true, [](TrialEvidence& e) { e.load->intervals[7].qps = 0; }},
      {"not-settled", Outcome::measured, true,
       [](TrialEvidence& e) {
         for (std::size_t i = 7; i < e.load->intervals.size(); ++i) e.load->intervals[i].qps = 7'000;
       }},
      {"clock-step", Outcome::invalid, false, [](TrialEvidence& e) { e.load->intervals[7].time_s -= 3; }},
      {"series-gap", Outcome::measured, true,
       [](TrialEvidence& e) {
         e.load_s = 14;
         for (std::size_t i = 7; i < e.load->intervals.size(); ++i) e.load->intervals[i].time_s += 0.8;
       }},
      {"objective-missing", Outcome::invalid, false,
       [](TrialEvidence& e) {
         e.load->intervals.clear();
         e.load->qps.reset();
       }},
  };
  for (const Row& row : rows) {
    TrialEvidence evidence = good_evidence();
    row.spoil(evidence);
    const Verdict verdict = judge({}, evidence).verdict;
    CAPTURE(row.code);
    CHECK(verdict.outcome == row.outcome);
    CHECK(verdict.suspect == row.suspect);
    REQUIRE(find(verdict, row.code) != nullptr);
    CHECK(find(verdict, row.code)->detail.size() > 10);
  }
}

TEST_CASE("what is just within bounds spoils nothing") {
  TrialEvidence evidence = good_evidence();
  evidence.clock_step_s = 0.04;
  evidence.counters.steal_percent = 9;
  evidence.counters.server.in = 119'800 + 150;
  evidence.counters.client.rcvbuf_errors = 100;
  evidence.counters.server.rcvbuf_errors = 100;
  evidence.load->rcodes = {{"NOERROR", 119'000}, {"SERVFAIL", 800}};
  evidence.applied = {applied(SettingStatus::ok), applied(SettingStatus::same)};
  CHECK(judge({}, evidence).verdict.reasons.empty());
}

TEST_CASE("a violated limit is a property of the configuration, not a broken trial") {
  const Verdict verdict = judge(limited(), good_evidence()).verdict;  // 0.17 % lost
  CHECK(verdict.outcome == Outcome::measured);
  CHECK_FALSE(verdict.suspect);
  REQUIRE(find(verdict, "loss-above-limit") != nullptr);
  CHECK(find(verdict, "loss-above-limit")->detail == "lost_percent <= 0.1 does not hold");
}

TEST_CASE("a starved worker is a note about the flows") {
  TrialEvidence evidence = good_evidence();
  evidence.server->workers = {{.process = 0, .received = 119'000, .answered = 119'000}, {.process = 1, .received = 800, .answered = 800}};
  const Verdict verdict = judge({}, evidence).verdict;
  CHECK(verdict.outcome == Outcome::measured);
  CHECK_FALSE(verdict.suspect);
  CHECK_THAT(find(verdict, "flow-imbalance")->detail,
             Catch::Contains("1 of 2 workers carried 99 % of the queries, one got 0.7 %: 8 source ports"));
}

TEST_CASE("counters that loopback mixes are not used as witnesses") {
  TrialEvidence evidence = good_evidence();
  evidence.shared_counters = true;
  evidence.counters.server.in = 239'600;
  evidence.counters.client.in = 239'600;
  evidence.counters.client.rcvbuf_errors = 5'000;
  const Judgement judgement = judge({}, evidence);
  CHECK(judgement.verdict.reasons.empty());
  CHECK_FALSE(judgement.measurements.contains("unexplained_percent"));
}

TEST_CASE("a busy load beside a busy server is not crowded, and the same account with a third program is") {
  TrialEvidence evidence = good_evidence();
  evidence.counters.idle_percent = 2;
  evidence.server_use->cpu_seconds = 11;
  evidence.load_use->cpu_seconds = 10;
  CHECK(find(judge({}, evidence).verdict, "crowded") == nullptr);
  evidence.load_use->cpu_seconds = 5;
  CHECK_THAT(find(judge({}, evidence).verdict, "crowded")->detail, Catch::Contains("0.4 CPUs' worth"));
}

TEST_CASE("an open loop at its rate is no finding, and its window is not expected to be full") {
  TrialEvidence evidence = good_evidence();
  evidence.load_rate = 10'000;
  evidence.load->latency_avg_s = 0.049;
  evidence.counters.idle_percent = 90;
  CHECK(judge({}, evidence).verdict.reasons.empty());
}

TEST_CASE("a load without a series is measured over its whole run") {
  TrialEvidence evidence = good_evidence();
  evidence.load->intervals.clear();
  Experiment experiment;
  experiment.load.kind = "resperf";
  const Judgement judgement = judge(experiment, evidence);
  CHECK(judgement.verdict.reasons.empty());
  CHECK(judgement.measurements.at("qps") == 9'983);
}

TEST_CASE("losses of the opening burst are told from those of the window") {
  TrialEvidence evidence = good_evidence();
  evidence.load->timeout_lines = 200;
  evidence.load->intervals[1].timeouts_before = 150;  // sent in the first second
  evidence.load->intervals[6].timeouts_before = 50;
  const Measurements measured = judge({}, evidence).measurements;
  CHECK(measured.at("burst_lost") == 150);
  CHECK(measured.at("window_lost_percent") == Approx(100.0 * 50 / 100'050).margin(0.001));
  CHECK(measured.at("lost") == 200);
}

TEST_CASE("the first finding decides: a refused setting is not excused by a failed load") {
  TrialEvidence evidence = good_evidence();
  evidence.applied = {applied(SettingStatus::eperm)};
  evidence.load->complete = false;
  CHECK(judge({}, evidence).verdict.outcome == Outcome::failed);
  evidence = good_evidence();
  evidence.drifted = {"sysctl.net.core.rmem_max"};
  evidence.load->completed = 0;
  evidence.load->lost = 120'000;
  evidence.load->rcodes.clear();
  CHECK(judge({}, evidence).verdict.outcome == Outcome::invalid);
}

TEST_CASE("a server without counts leaves its metrics absent, and an objective that needs them cannot be measured") {
  TrialEvidence evidence = good_evidence();
  evidence.server.reset();
  CHECK(judge({}, evidence).measurements.at("qps_per_cpu_second") == Approx(119'800 / 8.0));  // the kernel's account of the process
  evidence.server_use.reset();
  const Judgement judgement = judge({}, evidence);
  CHECK(judgement.verdict.outcome == Outcome::measured);
  CHECK_FALSE(judgement.measurements.contains("server_received"));
  CHECK_FALSE(judgement.measurements.contains("qps_per_cpu_second"));
  Experiment experiment;
  experiment.objective.maximize = "qps_per_cpu_second";
  CHECK(find(judge(experiment, evidence).verdict, "objective-missing") != nullptr);
}
