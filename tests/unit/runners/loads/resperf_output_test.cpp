#include "runners/loads/resperf_output.hpp"

#include <catch2/catch.hpp>

#include "runners/loads/parsed_output.hpp"

namespace netsettle::runners {
namespace {

constexpr std::string_view kReport =
    "DNS Resolution Performance Testing Tool\nVersion 2.14.0\n\n[Status] Command line: resperf -s 127.0.0.1\n[Status] Sending\n"
    "[Status] Fell behind by 1021 queries, ending test at 15537 qps\n[Status] Waiting for more responses\n[Status] Testing complete\n\n"
    "Statistics:\n\n  Queries sent:         1000\n  Queries completed:    990\n  Queries lost:         10\n"
    "  Response codes:       NOERROR 990 (100.00%)\n\n  Run time (s):         2.500000\n  Maximum throughput:   800.000000 qps\n"
    "  Lost at that point:   0.50%\n";

std::string changed(std::string_view from, std::string_view to) {
  std::string text(kReport);
  text.replace(text.find(from), from.size(), to);
  return text;
}

OutputVerdict verdict(const std::string& text) { return resperf_verdict(read_resperf(text, "", std::nullopt), {}); }

TEST_CASE("the maximum throughput is the rate of a resperf report, and there is no series") {
  const LoadReport report = load_report(read_resperf(kReport, "", std::nullopt));
  CHECK(report.complete);
  CHECK(report.qps == 800.0);
  CHECK(report.sent == 1000);
  CHECK(report.completed == 990);
  CHECK(report.lost == 10);
  CHECK(report.runtime_s == 2.5);
  CHECK(report.intervals.empty());
  CHECK_FALSE(report.latency_avg_s);
  CHECK(report.version == "2.14.0");
}

TEST_CASE("a resperf report that was cut after any byte never gives another number") {
  for (std::size_t size = 0; size < kReport.size(); ++size) {
    INFO(size);
    const ResperfResult cut = read_resperf(kReport.substr(0, size), "", std::nullopt);
    CHECK((!cut.sent || cut.sent == 1000));
    CHECK((!cut.completed || cut.completed == 990));
    CHECK((!cut.max_qps || cut.max_qps == 800.0));
    CHECK((!cut.runtime_s || cut.runtime_s == 2.5));
    CHECK((!cut.lost_at_max_percent || cut.lost_at_max_percent == 0.5));
    CHECK((cut.report == ReportState::complete) == (size >= kReport.size() - 1));
    CHECK((!cut.fell_behind_queries || cut.fell_behind_queries == 1021));
  }
}

TEST_CASE("the last line counts without its line end where its form shows that it is whole") {
  const std::string text = std::string(kReport) + "\n  Connection attempts:  7 (6 successful, 85.71%)";
  CHECK(read_resperf(text, "", std::nullopt).connections_successful == 6);
  CHECK_FALSE(read_resperf(text.substr(0, text.size() - 3), "", std::nullopt).connections_successful);
  CHECK(read_resperf_plot("  0.250   250.00   248.00   247.00     0.00 0.000092").rows == 1);
  CHECK(read_resperf_plot("  0.250   250.00   248.00   247.00     0.00 0.00009").rows == 0);
}

TEST_CASE("impossible results of resperf are not usable") {
  CHECK(verdict(std::string(kReport)).status == "usable");
  CHECK(verdict(changed("800.000000 qps", "0.000000 qps")).reasons == std::vector<std::string>{"ZERO_MAXIMUM"});
  CHECK(verdict(changed("sent:         1000", "sent:         1001")).reasons == std::vector<std::string>{"COUNT_MISMATCH"});
  CHECK(verdict(changed("by 1021", "by -1")).reasons == std::vector<std::string>{"FELL_BEHIND_NEGATIVE"});
  CHECK(verdict(changed("NOERROR 990 (100.00%)", "NOERROR 979 (98.89%), REFUSED 11 (1.11%)")).reasons == std::vector<std::string>{"RCODE"});
}

TEST_CASE("a plot with rows that are no numbers keeps the others") {
  const ResperfPlot plot = read_resperf_plot(
      "# time target_qps actual_qps responses_per_sec failures_per_sec avg_latency\n  0.25 10 10 9 0 0.1\n  nan x\n\n 0.75 20 20 18.5 1 "
      "0.2\n 1.2");
  CHECK(plot.rows == 2);
  CHECK(plot.columns == 6);
  CHECK(plot.max_responses_per_s == 18.5);
  CHECK(plot.max_failures_per_s == 1.0);
  CHECK(plot.last_row == std::vector<double>{0.75, 20, 20, 18.5, 1, 0.2});
}

}  // namespace
}  // namespace netsettle::runners
