#include "runners/loads/dnsperf_output.hpp"

#include <catch2/catch.hpp>

namespace netsettle::runners {
namespace {

constexpr std::string_view kBanner = "DNS Performance Testing Tool\nVersion 2.10.0\n\n";
constexpr std::string_view kFinal =
    "\nStatistics:\n\n"
    "  Queries sent:         500\n"
    "  Queries completed:    400 (80.00%)\n"
    "  Queries lost:         100 (20.00%)\n\n"
    "  Response codes:       NOERROR 390 (97.50%), rcode11 10 (2.50%)\n"
    "  Average packet size:  request 36, response 36\n"
    "  Run time (s):         2.000000\n"
    "  Queries per second:   200.000000\n\n"
    "  Average Latency (s):  0.001000 (min 0.000100, max 0.010000)\n"
    "  Latency StdDev (s):   0.000500\n\n";

std::string text(std::initializer_list<std::string_view> parts) {
  std::string whole;
  for (const auto part : parts) whole += part;
  return whole;
}

TEST_CASE("a million timeout lines before the report cost nothing but time") {
  DnsperfOutput output;
  output.feed(kBanner);
  for (int i = 0; i < 1'000'000; ++i) output.feed("[Timeout] Query timed out: msg id 4711\n");
  output.feed(kFinal);
  const LoadReport report = load_report(output.finish());
  CHECK(report.timeout_lines == 1'000'000);
  CHECK(report.complete);
  CHECK(report.qps == 200);
}

TEST_CASE("the pieces in which the output arrives do not matter") {
  const std::string whole = text({kBanner, "1796031032.034949: 0.000000\n1796031032.537270: 1200.427615\n", kFinal});
  for (const std::size_t size : {1u, 2u, 3u, 7u, 64u}) {
    DnsperfOutput output;
    for (std::size_t at = 0; at < whole.size(); at += size) output.feed(std::string_view(whole).substr(at, size));
    const LoadReport report = load_report(output.finish());
    CHECK(report.complete);
    CHECK(report.version == "2.10.0");
    CHECK(report.sent == 500);
    CHECK(report.rcodes == std::map<std::string, std::int64_t>{{"NOERROR", 390}, {"rcode11", 10}});
    REQUIRE(report.intervals.size() == 2);
    CHECK(report.intervals[1].time_s == 1796031032.537270);
    CHECK(report.first_interval_bogus);
  }
}

TEST_CASE("a missing deviation is absent and not 0") {
  const std::string one_answer(kFinal.substr(0, kFinal.find("  Latency StdDev")));
  const LoadReport report = parse_dnsperf(one_answer, "");
  CHECK(report.complete);
  CHECK(report.latency_avg_s == 0.001);
  CHECK_FALSE(report.latency_stddev_s);
}

TEST_CASE("numbers that are none are absent") {
  const LoadReport report = parse_dnsperf(
      "Statistics:\n\n  Queries sent:         99999999999999999999\n  Queries completed:    -5\n  Queries lost:         many\n"
      "  Run time (s):         nan\n  Queries per second:   inf\n  Average Latency (s):  -nan (min , max 1e999)\n",
      "");
  CHECK_FALSE(report.complete);
  CHECK_FALSE(report.sent);
  CHECK_FALSE(report.completed);
  CHECK_FALSE(report.lost);
  CHECK_FALSE(report.runtime_s);
  CHECK_FALSE(report.qps);
  CHECK_FALSE(report.latency_avg_s);
  CHECK_FALSE(report.latency_min_s);
  CHECK_FALSE(report.latency_max_s);
}

TEST_CASE("results outside a report are not results") {
  const LoadReport report = parse_dnsperf(
      "  Queries sent:         500\nWarning: invalid qtype:   Queries per second:   999999.000000\n"
      "> NOERROR   Queries lost:         0 A 0.000166\nStatistics: \n  Queries completed:    400 (80.00%)\n",
      "  Queries per second:   1.000000\n");
  CHECK_FALSE(report.sent);
  CHECK_FALSE(report.completed);
  CHECK_FALSE(report.lost);
  CHECK_FALSE(report.qps);
}

TEST_CASE("the latency of the connections does not replace that of the queries") {
  const LoadReport report =
      parse_dnsperf(text({kFinal, "Connection Statistics:\n\n  Reconnections:        12 (4.00% of 300 connections)\n\n",
                          "  Average Latency (s):  0.900000 (min 0.800000, max 0.990000)\n  Latency StdDev (s):   0.700000\n\n"}),
                    "");
  CHECK(report.latency_avg_s == 0.001);
  CHECK(report.latency_stddev_s == 0.0005);
}

TEST_CASE("a verbose interval does not count as the final report") {
  const LoadReport report = parse_dnsperf(
      "Interval Statistics:\n\n  Queries sent:         10\n  Queries completed:    12 (120.00%)\n  Queries lost:         0 (0.00%)\n\n"
      "  Response codes:       NOERROR 12 (100.00%)\n  Run time (s):         0.200000\n  Queries per second:   60.000000\n\n"
      "  Average Latency (s):  0.001000\n\n",
      "");
  CHECK_FALSE(report.complete);
  CHECK_FALSE(report.sent);
  CHECK(report.rcodes.empty());
  REQUIRE(report.intervals.size() == 1);
  CHECK(report.intervals[0].time_s == 0.2);
  CHECK(report.intervals[0].qps == 60);
}

TEST_CASE("of two reports in one output the last one counts, whole") {
  const LoadReport report = parse_dnsperf(text({kFinal, "Statistics:\n\n  Queries sent:         7\n"}), "");
  CHECK_FALSE(report.complete);
  CHECK(report.sent == 7);
  CHECK_FALSE(report.completed);
  CHECK_FALSE(report.qps);
}

TEST_CASE("a dead server's zeros are no bogus first interval") {
  CHECK_FALSE(parse_dnsperf("1796031032.034949: 0.000000\n1796031032.537270: 0.000000\n", "").first_interval_bogus);
}

TEST_CASE("messages are taken from both streams, and errors are not collected without end") {
  std::string errors = "Warning: received short response\n";
  for (int i = 0; i < 1000; ++i) errors += "Error: bind: Address already in use\n";
  const LoadReport report = parse_dnsperf("Warning: received short response\nWarning: never seen before\n", errors);
  CHECK(report.warnings == std::map<std::string, std::int64_t>{{"short_response", 2}, {"other", 1}});
  CHECK(report.errors.size() == 100);
  CHECK(report.errors.front() == "bind: Address already in use");
}

TEST_CASE("a line without end is not kept") {
  DnsperfOutput output;
  output.feed(text({"Statistics:\n", "  Queries sent:         5"}));
  for (int i = 0; i < 100'000; ++i) output.feed("0000000000");
  output.feed("\n  Queries completed:    3 (60.00%)\n");
  const LoadReport report = load_report(output.finish());
  CHECK_FALSE(report.sent);
  CHECK(report.completed == 3);
}

constexpr std::string_view kLost = "[Timeout] Query timed out: msg id 4711\n";

TEST_CASE("reports of loss belong to the interval that is printed next") {
  const LoadReport report =
      parse_dnsperf(text({kBanner, kLost, kLost, "10.0: 100.0\n", "11.0: 100.0\n", kLost, "12.0: 100.0\n", kLost, kFinal}), "");
  REQUIRE(report.intervals.size() == 3);
  CHECK(report.intervals[0].timeouts_before == 2);
  CHECK(report.intervals[1].timeouts_before == 0);
  CHECK(report.intervals[2].timeouts_before == 1);
  CHECK(report.timeout_lines == 4);
}

TEST_CASE("reports of loss before the block of an interval belong to it, those within it to the next") {
  const std::string_view block = "Interval Statistics:\n\n  Queries sent:         10\n  Queries completed:    10 (100.00%)\n";
  const std::string_view rest = "  Run time (s):         0.200000\n  Queries per second:   50.000000\n\n";
  const LoadReport report = parse_dnsperf(text({kLost, block, kLost, kLost, rest, block, rest, kFinal}), "");
  REQUIRE(report.intervals.size() == 2);
  CHECK(report.intervals[0].timeouts_before == 1);
  CHECK(report.intervals[1].timeouts_before == 2);
}

TEST_CASE("the end of sending is on the clock of the series") {
  const std::string_view command = "[Status] Command line: dnsperf -l 2 -S 0.5\n";
  const std::string_view limit = "[Status] Stopping after 1.900000 seconds\n";
  // One interval before the first line the run began.
  CHECK(parse_dnsperf(text({command, "100.5: 9.0\n101.0: 9.0\n", kFinal}), "").end_time_s.value() == Approx(102));
  // Late answers made the run time longer than the limit.
  CHECK(parse_dnsperf(text({command, limit, "100.5: 9.0\n101.0: 9.0\n", kFinal}), "").end_time_s.value() == Approx(101.9));
  CHECK_FALSE(parse_dnsperf(text({"100.5: 9.0\n101.0: 9.0\n", kFinal}), "").end_time_s);
  CHECK_FALSE(parse_dnsperf(text({command, kFinal}), "").end_time_s);
  CHECK_FALSE(parse_dnsperf(text({command, "100.5: 9.0\n101.0: 9.0\n"}), "").end_time_s);
}

TEST_CASE("a report of loss that was cut counts once its number has begun") {
  CHECK(parse_dnsperf("[Timeout] Query timed out: msg", "").timeout_lines == 0);
  CHECK(parse_dnsperf("[Timeout] Query timed out: msg id ", "").timeout_lines == 0);
  CHECK(parse_dnsperf("[Timeout] Query timed out: msg id 4", "").timeout_lines == 1);
}

}  // namespace
}  // namespace netsettle::runners
