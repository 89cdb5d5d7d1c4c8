#include <catch2/catch.hpp>

#include <limits>

#include "runners/loads/load.hpp"

namespace netsettle::runners {
namespace {

LoadReport report_of(std::int64_t completed, double mean_s, double deviation_s) {
  LoadReport report;
  report.complete = true;
  report.sent = completed + 10;
  report.completed = completed;
  report.lost = 10;
  report.interrupted = 0;
  report.rcodes = {{"NOERROR", completed}};
  report.runtime_s = 2.0;
  report.qps = static_cast<double>(completed) / 2;
  report.latency_avg_s = mean_s;
  report.latency_min_s = mean_s / 2;
  report.latency_max_s = mean_s * 2;
  report.latency_stddev_s = deviation_s;
  return report;
}

LoadReport series(std::vector<Interval> intervals) {
  LoadReport report = report_of(100, 0.001, 0);
  report.intervals = std::move(intervals);
  return report;
}

TEST_CASE("counts, rates, codes and messages of instances are summed") {
  LoadReport first = report_of(100, 0.001, 0), second = report_of(300, 0.001, 0);
  second.rcodes["SERVFAIL"] = 3;
  second.runtime_s = 2.5;
  first.warnings = {{"adjusted", 1}};
  second.warnings = {{"adjusted", 2}, {"other", 1}};
  second.errors = {"bind: Address already in use"};
  first.version = "2.10.0";
  first.timeout_lines = 4;
  const LoadReport sum = added_up({first, second});
  CHECK(sum.complete);
  CHECK(sum.sent == 420);
  CHECK(sum.completed == 400);
  CHECK(sum.lost == 20);
  CHECK(sum.interrupted == 0);
  CHECK(sum.rcodes == std::map<std::string, std::int64_t>{{"NOERROR", 400}, {"SERVFAIL", 3}});
  CHECK(sum.qps == 200.0);
  CHECK(sum.runtime_s == 2.5);
  CHECK(sum.warnings == std::map<std::string, std::int64_t>{{"adjusted", 3}, {"other", 1}});
  CHECK(sum.errors == std::vector<std::string>{"bind: Address already in use"});
  CHECK(sum.version == "2.10.0");
  CHECK(sum.timeout_lines == 4);
}

TEST_CASE("latencies are those of all answers together") {
  // 1, 3 and 5, 5, 8: mean 4.4, deviation sqrt(6.8) (numpy: std([1,3,5,5,8], ddof=1) = 2.6076809620810595).
  LoadReport first = report_of(2, 2, std::sqrt(2.0)), second = report_of(3, 6, std::sqrt(3.0));
  first.latency_min_s = 1, first.latency_max_s = 3;
  second.latency_min_s = 5, second.latency_max_s = 8;
  const LoadReport sum = added_up({first, second});
  CHECK(sum.latency_avg_s.value() == Approx(4.4));
  CHECK(sum.latency_min_s == 1.0);
  CHECK(sum.latency_max_s == 8.0);
  CHECK(sum.latency_stddev_s.value() == Approx(2.6076809620810595));
}

TEST_CASE("an instance without an answer has no part in the latencies, and its zeros are none") {
  LoadReport silent = report_of(0, 0, 0);
  silent.latency_stddev_s.reset();
  const LoadReport sum = added_up({silent, report_of(100, 0.004, 0.001)});
  CHECK(sum.completed == 100);
  CHECK(sum.latency_avg_s.value() == Approx(0.004));
  CHECK(sum.latency_min_s == 0.002);
  CHECK(sum.latency_stddev_s.value() == Approx(0.001));
}

TEST_CASE("a single answer needs no deviation") {
  LoadReport one = report_of(1, 0.002, 0);
  one.latency_stddev_s.reset();
  LoadReport other = report_of(1, 0.004, 0);
  other.latency_stddev_s.reset();
  CHECK(added_up({one, other}).latency_stddev_s.value() == Approx(std::sqrt(2e-6)));
}

TEST_CASE("what one instance does not say is absent from the sum") {
  LoadReport cut = report_of(100, 0.001, 0.001);
  cut.complete = false;
  cut.lost.reset();
  cut.latency_avg_s.reset();
  cut.qps.reset();
  const LoadReport sum = added_up({report_of(100, 0.001, 0.001), cut});
  CHECK_FALSE(sum.complete);
  CHECK_FALSE(sum.lost);
  CHECK_FALSE(sum.qps);
  CHECK_FALSE(sum.latency_avg_s);
  CHECK_FALSE(sum.latency_stddev_s);
  CHECK(sum.completed == 200);
}

TEST_CASE("a sum that has no room is absent") {
  LoadReport huge = report_of(1, 0.001, 0);
  huge.sent = std::numeric_limits<std::int64_t>::max();
  CHECK_FALSE(added_up({huge, report_of(1, 0.001, 0)}).sent);
}

TEST_CASE("one report is itself, and none is nothing") {
  const LoadReport one = series({{1, 10, 2}});
  CHECK(added_up({one}).intervals.size() == 1);
  CHECK(added_up({one}).sent == one.sent);
  CHECK_FALSE(added_up({}).complete);
}

TEST_CASE("series on the same times are summed interval by interval") {
  const LoadReport sum = added_up({series({{1, 10}, {2, 20}, {3, 30}}), series({{1, 1}, {2, 2}, {3, 3}})});
  REQUIRE(sum.intervals.size() == 3);
  CHECK(sum.intervals[0].time_s == 1.0);
  CHECK(sum.intervals[0].qps == Approx(11));
  CHECK(sum.intervals[2].qps == Approx(33));
}

TEST_CASE("series that are shifted are summed over the common time only, by the share of each interval") {
  // The second runs from 0.5 to 3.5: its rate between 1 and 2 is half of 2 and half of 4.
  const LoadReport sum = added_up({series({{1, 10}, {2, 20}, {3, 30}, {4, 40}}), series({{1.5, 2}, {2.5, 4}, {3.5, 6}})});
  REQUIRE(sum.intervals.size() == 2);
  CHECK(sum.intervals[0].time_s == 2.0);
  CHECK(sum.intervals[0].qps == Approx(20 + 3));
  CHECK(sum.intervals[1].time_s == 3.0);
  CHECK(sum.intervals[1].qps == Approx(30 + 5));
}

TEST_CASE("a bogus first interval has no part in the summed series") {
  LoadReport bogus = series({{1, 0}, {2, 20}, {3, 30}});
  bogus.first_interval_bogus = true;
  const LoadReport sum = added_up({series({{1, 1}, {2, 2}, {3, 3}}), bogus});
  REQUIRE(sum.intervals.size() == 2);
  CHECK(sum.intervals[0].qps == Approx(22));
  CHECK_FALSE(sum.first_interval_bogus);
}

TEST_CASE("without a common time, without a series, or with a stepped clock there is no summed series") {
  const LoadReport usual = series({{1, 10}, {2, 20}, {3, 30}});
  CHECK(added_up({usual, series({{11, 1}, {12, 2}})}).intervals.empty());
  CHECK(added_up({usual, series({})}).intervals.empty());
  CHECK(added_up({usual, series({{1, 1}, {2, 2}, {1.5, 3}})}).intervals.empty());
}

TEST_CASE("reports of loss keep their interval") {
  const LoadReport sum = added_up({series({{1, 10, 5}, {2, 20, 0}, {3, 30, 1}}), series({{1, 1, 0}, {2, 2, 7}, {3, 3, 2}})});
  REQUIRE(sum.intervals.size() == 3);
  CHECK(sum.intervals[0].timeouts_before == 5);
  CHECK(sum.intervals[1].timeouts_before == 7);
  CHECK(sum.intervals[2].timeouts_before == 3);
}

TEST_CASE("sending ends when the first instance ends") {
  LoadReport first = series({{1, 1}, {2, 2}}), second = first;
  first.end_time_s = 2.4;
  second.end_time_s = 2.1;
  CHECK(added_up({first, second}).end_time_s == 2.1);
  second.end_time_s.reset();
  CHECK_FALSE(added_up({first, second}).end_time_s);
}

}  // namespace
}  // namespace netsettle::runners
