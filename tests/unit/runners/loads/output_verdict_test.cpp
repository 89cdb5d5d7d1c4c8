// The rules for a single output of dnsperf, one by one.

#include <catch2/catch.hpp>

#include <limits>

#include "runners/loads/output_verdict.hpp"

namespace netsettle::runners {
namespace {

using Strings = std::vector<std::string>;

DnsperfResult good_result() {
  DnsperfResult result;
  result.report = ReportState::complete;
  DnsperfBlock& block = result.final;
  block.sent = block.completed = 10'000;
  block.lost = block.interrupted = 0;
  block.rcodes = RcodeCounts{{"NOERROR", 10'000}};
  block.runtime_s = 10.0;
  block.qps = 1000.0;
  block.latency = {0.001, 0.0001, 0.01, 0.002, std::nullopt};
  block.latency_line_seen = true;
  return result;
}

RunFacts good_run() {
  RunFacts run;
  run.argv = {"dnsperf", "-q", "100", "-t", "5", "-Q", "1000", "-S1"};
  run.exit_code = 0;
  run.wall_s = 10.05;
  return run;
}

void lose(DnsperfResult& result, std::int64_t count) {
  result.final.completed = *result.final.completed - count;
  result.final.lost = count;
  result.final.rcodes->front().second -= count;
}

Strings reasons(const DnsperfResult& result, const RunFacts& run = good_run()) { return dnsperf_verdict(result, run).reasons; }
Strings notes(const DnsperfResult& result, const RunFacts& run = good_run()) { return dnsperf_verdict(result, run).notes; }

TEST_CASE("a good output is usable without a word") {
  const OutputVerdict verdict = dnsperf_verdict(good_result(), good_run());
  CHECK(verdict.status == "usable");
  CHECK(verdict.reasons.empty());
  CHECK(verdict.notes.empty());
  CHECK(verdict.reasons_with_counters.empty());
}

TEST_CASE("how the process ended comes first") {
  RunFacts run = good_run();
  run.exit_code = 1;
  CHECK(dnsperf_verdict(good_result(), run).status == "failed");
  CHECK(reasons(good_result(), run) == Strings{"EXIT_NONZERO"});
  run.exit_code.reset();
  run.exit_signal = "SIGKILL";
  CHECK(reasons(DnsperfResult(), run) == Strings{"KILLED_BY_SIGNAL", "NO_STATISTICS"});
}

TEST_CASE("loss is noted up to 1 percent and too much above") {
  DnsperfResult result = good_result();
  lose(result, 100);
  CHECK(reasons(result).empty());
  CHECK(notes(result) == Strings{"LOSS", "WINDOW_SUSPECT"});
  result = good_result();
  lose(result, 101);
  CHECK(reasons(result) == Strings{"HIGH_LOSS"});
}

TEST_CASE("the share of the window that lost queries held is computed from window and timeout") {
  DnsperfResult result = good_result();
  lose(result, 100);  // 100 × 5 s of 100 × 10 s
  CHECK(dnsperf_shares(result, good_run()).dead_slot_share == 0.5);
  RunFacts run = good_run();
  run.argv = {"dnsperf", "-q50"};  // the default timeout is 5 s
  CHECK(dnsperf_shares(result, run).dead_slot_share == 1.0);
  CHECK(reasons(result, run) == Strings{"WINDOW_LIMITED"});
  run.argv.clear();
  CHECK_FALSE(dnsperf_shares(result, run).dead_slot_share);
  result.status.command_line = "dnsperf -q 500 -t 0.5";
  CHECK(dnsperf_shares(result, run).dead_slot_share == 0.01);
}

TEST_CASE("response codes outside the accepted ones are noted up to 1 percent") {
  DnsperfResult result = good_result();
  result.final.rcodes = RcodeCounts{{"NOERROR", 9900}, {"REFUSED", 100}};
  CHECK(notes(result) == Strings{"RCODE_MINOR"});
  result.final.rcodes = RcodeCounts{{"NOERROR", 9899}, {"REFUSED", 101}};
  CHECK(reasons(result) == Strings{"RCODE"});
  RunFacts run = good_run();
  run.accepted_rcodes = {"NOERROR", "REFUSED"};
  CHECK(reasons(result, run).empty());
}

TEST_CASE("impossible latencies are nonsense") {
  const auto with = [](PrintedLatency latency) {
    DnsperfResult result = good_result();
    result.final.latency = std::move(latency);
    return reasons(result);
  };
  const Strings nonsense = {"LATENCY_NONSENSE"};
  CHECK(with({0.001, 0.0001, 16.0, 0.002, std::nullopt}).empty());  // run time + timeout + 1 s
  CHECK(with({0.001, 0.0001, 16.01, 0.002, std::nullopt}) == nonsense);
  CHECK(with({0.02, 0.0001, 0.01, 0.002, std::nullopt}) == nonsense);
  CHECK(with({0.00001, 0.0001, 0.01, 0.002, std::nullopt}) == nonsense);
  CHECK(with({std::nullopt, 0.0001, 0.01, 0.002, std::nullopt}) == nonsense);
  CHECK(with({0.001, 0.0001, 0.01, std::nullopt, "-nan"}) == nonsense);
  CHECK(with({0.001, 0.0001, 0.01, std::nullopt, std::nullopt}).empty());
}

TEST_CASE("counts that do not add up are a mismatch, also near the largest numbers") {
  DnsperfResult result = good_result();
  result.final.sent = 10'001;
  CHECK(reasons(result) == Strings{"COUNT_MISMATCH"});
  result.final.sent = result.final.completed = std::numeric_limits<std::int64_t>::max();
  result.final.lost = std::numeric_limits<std::int64_t>::max();
  CHECK(reasons(result).front() == "COUNT_MISMATCH");
}

TEST_CASE("an interval without an answer is a standstill, unless it is the first") {
  DnsperfResult result = good_result();
  result.intervals = {{1, 0, 0, std::nullopt}, {2, 1000, 0, std::nullopt}};
  CHECK(reasons(result).empty());
  result.intervals.push_back({3, 0, 0, std::nullopt});
  CHECK(reasons(result) == Strings{"STALLED"});
}

TEST_CASE("a clock that was stepped shows in the times of the intervals or in the run time") {
  DnsperfResult result = good_result();
  result.intervals = {{1, 1000, 0, std::nullopt}, {2.5, 1000, 0, std::nullopt}, {3.5, 1000, 0, std::nullopt}};
  CHECK(reasons(result).empty());
  result.intervals.push_back({3.0, 1000, 0, std::nullopt});
  CHECK(reasons(result) == Strings{"CLOCK_STEP"});
  result.intervals.back().time_s = 60;
  CHECK(reasons(result) == Strings{"CLOCK_STEP"});
  RunFacts run = good_run();
  run.wall_s = 9.7;
  CHECK(reasons(good_result(), run) == Strings{"CLOCK_STEP"});
}

TEST_CASE("connections of which fewer than half succeeded are failures") {
  DnsperfResult result = good_result();
  result.final.connection.emplace();
  result.final.connection->attempts = 101;
  result.final.connection->successful = 51;
  CHECK(reasons(result).empty());
  result.final.connection->successful = 50;
  CHECK(reasons(result) == Strings{"CONNECTION_FAILURES"});
}

TEST_CASE("a rate below 90 percent of the wanted one is noted") {
  DnsperfResult result = good_result();
  result.final.qps = 899.9;
  CHECK(notes(result) == Strings{"RATE_NOT_REACHED"});
  result.final.qps = 900.0;
  CHECK(notes(result).empty());
}

TEST_CASE("messages and few answers are noted") {
  DnsperfResult result = good_result();
  result.final.sent = result.final.completed = 99;
  result.final.rcodes = RcodeCounts{{"NOERROR", 99}};
  result.final.latency.min_s = 0.0;
  result.first_interval_bogus = true;
  result.messages.warnings = {{"input_line", 1}, {"adjusted", 1}, {"short_response", 2}};
  CHECK(notes(result) == Strings{"MIN_ZERO", "FIRST_INTERVAL_BOGUS", "FEW_ANSWERS", "INPUT_WARNINGS", "CONFIG_ADJUSTED", "ODD_ANSWERS"});
}

TEST_CASE("that nobody listened is known only with the kernel's counters") {
  DnsperfResult result = good_result();
  lose(result, 10'000);
  RunFacts run = good_run();
  CHECK(dnsperf_verdict(result, run).reasons == Strings{"ZERO_COMPLETED"});
  CHECK(dnsperf_verdict(result, run).reasons_with_counters.empty());
  run.udp_deltas = {{"NoPorts", 10'000}};
  CHECK(dnsperf_verdict(result, run).reasons_with_counters == Strings{"SERVER_DEAD"});
  run.udp_deltas = {{"NoPorts", 4}};
  CHECK(dnsperf_verdict(result, run).reasons_with_counters.empty());
}

TEST_CASE("facts of a run are read strictly where they are there") {
  CHECK(read_run_facts("{}", "m"));
  CHECK(read_run_facts(R"({"id": null, "argv": ["a"], "exit": {"code": null, "signal": "SIGINT"}, "more": 1})", "m").value().exit_signal ==
        "SIGINT");
  for (const char* text : {"", "[]", "{", R"({"argv": "dnsperf"})", R"({"argv": [1]})", R"({"wall_s": "3"})", R"({"exit": 0})",
                           R"({"accepted_rcodes": [0]})", R"({"snmp_udp_delta": {"NoPorts": "1"}})", R"({"id": 4})"}) {
    INFO(text);
    const auto facts = read_run_facts(text, "meta.json");
    REQUIRE_FALSE(facts);
    CHECK(facts.error().code == ErrorCode::invalid_input);
    CHECK(facts.error().subject == "meta.json");
  }
}

}  // namespace
}  // namespace netsettle::runners
