// Every captured output of dnsperf 2.0 to 2.14 against the values that a correct reader must find.

#include <catch2/catch.hpp>

#include "runners/loads/load.hpp"
#include "tests/support/captures.hpp"

namespace netsettle::runners {
namespace {

using tests::captured_bytes;
using tests::Json;

template <typename T>
std::optional<T> expected_value(const Json& value) {
  return value.is_null() ? std::nullopt : std::optional<T>(value.get<T>());
}

LoadReport parse_capture(const Json& capture) {
  return make_load("dnsperf").value()->parse(captured_bytes(capture.at("stdout")), captured_bytes(capture.at("stderr")));
}

void check_counts(const LoadReport& report, const Json& expected) {
  CHECK(report.complete == (expected.at("report") == "complete"));
  CHECK(report.sent == expected_value<std::int64_t>(expected.at("sent")));
  CHECK(report.completed == expected_value<std::int64_t>(expected.at("completed")));
  CHECK(report.lost == expected_value<std::int64_t>(expected.at("lost")));
  CHECK(report.interrupted == expected_value<std::int64_t>(expected.at("interrupted")));
  CHECK(report.runtime_s == expected_value<double>(expected.at("runtime_s")));
  CHECK(report.qps == expected_value<double>(expected.at("qps")));
  const auto rcodes = expected_value<std::map<std::string, std::int64_t>>(expected.at("rcodes"));
  CHECK(report.rcodes == rcodes.value_or(std::map<std::string, std::int64_t>{}));
}

void check_latency(const LoadReport& report, const Json& expected) {
  CHECK(report.latency_avg_s == expected_value<double>(expected.at("avg")));
  CHECK(report.latency_min_s == expected_value<double>(expected.at("min")));
  CHECK(report.latency_max_s == expected_value<double>(expected.at("max")));
  CHECK(report.latency_stddev_s == expected_value<double>(expected.at("stddev")));
}

void check_intervals(const LoadReport& report, const Json& expected) {
  const Json& intervals = expected.at("intervals");
  const char* const time = expected.at("interval_kind") == "verbose" ? "run_time_s" : "time_s";
  REQUIRE(report.intervals.size() == intervals.size());
  for (std::size_t i = 0; i < intervals.size(); ++i) {
    CHECK(report.intervals[i].time_s == intervals[i].at(time).get<double>());
    CHECK(report.intervals[i].qps == intervals[i].at("qps").get<double>());
  }
  CHECK(report.first_interval_bogus == expected.at("first_interval_bogus").get<bool>());
}

void check_messages(const LoadReport& report, const Json& expected) {
  const Json& messages = expected.at("messages");
  CHECK(report.version == expected_value<std::string>(expected.at("version")).value_or(""));
  CHECK(report.timeout_lines == messages.at("timeout_lines").get<std::int64_t>());
  CHECK(report.warnings == messages.at("warnings").get<std::map<std::string, std::int64_t>>());
  auto errors = messages.at("errors").get<std::vector<std::string>>();
  const Json& usage_error = messages.at("usage_error");
  if (expected.at("usage_printed")) errors.push_back(usage_error.is_null() ? "usage" : "usage: " + usage_error.get<std::string>());
  CHECK(report.errors == errors);
}

TEST_CASE("every captured dnsperf output is read as its expectation says") {
  for (const Json& capture : tests::load_captures("dnsperf")) {
    INFO(capture.at("id"));
    const LoadReport report = parse_capture(capture);
    const Json& expected = capture.at("expected");
    check_counts(report, expected);
    check_latency(report, expected.at("latency"));
    check_intervals(report, expected);
    check_messages(report, expected);
  }
}

TEST_CASE("a captured output that was cut after any byte never gives a number that the whole one does not have") {
  for (const Json& capture : tests::load_captures("dnsperf")) {
    const std::string whole_text = captured_bytes(capture.at("stdout"));
    if (whole_text.size() > 4000) continue;
    INFO(capture.at("id"));
    const auto load = make_load("dnsperf").value();
    const LoadReport whole = load->parse(whole_text, "");
    for (std::size_t size = 0; size < whole_text.size(); ++size) {
      const LoadReport cut = load->parse(whole_text.substr(0, size), "");
      const bool agrees =
          (!cut.sent || cut.sent == whole.sent) && (!cut.completed || cut.completed == whole.completed) &&
          (!cut.lost || cut.lost == whole.lost) && (!cut.qps || cut.qps == whole.qps) &&
          (!cut.runtime_s || cut.runtime_s == whole.runtime_s) && (!cut.latency_avg_s || cut.latency_avg_s == whole.latency_avg_s) &&
          (!cut.latency_stddev_s || cut.latency_stddev_s == whole.latency_stddev_s) && (cut.rcodes.empty() || cut.rcodes == whole.rcodes) &&
          (!cut.complete || cut.sent == whole.sent) && cut.intervals.size() <= whole.intervals.size() &&
          std::equal(cut.intervals.begin(), cut.intervals.end(), whole.intervals.begin(),
                     [](const Interval& a, const Interval& b) { return a.time_s == b.time_s && a.qps == b.qps; });
      if (!agrees) {
        INFO("cut after byte " << size << ": ..." << whole_text.substr(size > 80 ? size - 80 : 0, std::min<std::size_t>(size, 80)));
        CHECK(agrees);
      }
    }
  }
}

}  // namespace
}  // namespace netsettle::runners
