// Whatever dnsperf (or something else) prints, in whatever pieces: the reader keeps its promises.

#include <cmath>

#include "runners/loads/dnsperf_output.hpp"
#include "runners/loads/parsed_output.hpp"
#include "tests/fuzz/fuzz_target.hpp"

using netsettle::LoadReport;
using namespace netsettle::runners;

namespace {

DnsperfResult read_in_pieces(std::string_view text, std::size_t piece) {
  DnsperfOutput output;
  for (std::size_t at = 0; at < text.size(); at += piece) output.feed(text.substr(at, piece));
  return output.finish();
}

bool is_count(const std::optional<std::int64_t>& count) { return !count || *count >= 0; }
bool is_finite(const std::optional<double>& number) { return !number || std::isfinite(*number); }

void check_report(const LoadReport& report) {
  using netsettle::fuzz::require;
  require(is_count(report.sent) && is_count(report.completed) && is_count(report.lost) && is_count(report.interrupted));
  require(!report.complete || (report.sent && report.completed && report.lost && report.qps && report.runtime_s));
  require(is_finite(report.qps) && is_finite(report.latency_max_s));
  std::int64_t timeouts = 0;
  for (const auto& interval : report.intervals) {
    require(std::isfinite(interval.time_s) && std::isfinite(interval.qps) && interval.timeouts_before >= 0);
    timeouts += interval.timeouts_before;
  }
  require(timeouts <= report.timeout_lines);
}

}  // namespace

void fuzz_one(std::span<const std::uint8_t> input) {
  using netsettle::fuzz::require;
  const std::string_view text = netsettle::fuzz::as_text(input);
  check_report(parse_dnsperf(text, text));

  const RunFacts facts;
  const OrderedJson once = json_of(read_in_pieces(text, text.size() + 1), facts);
  const OrderedJson pieces = json_of(read_in_pieces(text, 1 + input.size() % 7), facts);
  require(once == pieces);
  const std::string status = once.at("verdict").at("status");
  require(status != "usable" || once.at("completed").get<std::int64_t>() > 0);
  require((status == "usable") == once.at("verdict").at("reasons").empty());
}
