// Whatever resperf (or something else) prints and writes as its plot: the reader keeps its promises.

#include "runners/loads/parsed_output.hpp"
#include "runners/loads/resperf_output.hpp"
#include "tests/fuzz/fuzz_target.hpp"

using namespace netsettle::runners;

namespace {

ResperfResult read_in_pieces(std::string_view text, std::size_t piece) {
  ResperfOutput output;
  for (std::size_t at = 0; at < text.size(); at += piece) output.feed(text.substr(at, piece));
  return output.finish();
}

bool is_count(const std::optional<std::int64_t>& count) { return !count || *count >= 0; }

}  // namespace

void fuzz_one(std::span<const std::uint8_t> input) {
  using netsettle::fuzz::require;
  const std::string_view text = netsettle::fuzz::as_text(input);
  const netsettle::LoadReport report = load_report(read_resperf(text, text, text));
  require(is_count(report.sent) && is_count(report.completed) && is_count(report.lost));
  require(!report.complete || (report.sent && report.completed && report.lost && report.qps && report.runtime_s));
  require(report.intervals.empty());

  const ResperfPlot plot = read_resperf_plot(text);
  require(plot.rows >= 0 && plot.columns == static_cast<std::int64_t>(plot.last_row.size()) && (plot.rows > 0) == !plot.last_row.empty());

  const RunFacts facts;
  const OrderedJson once = json_of(read_in_pieces(text, text.size() + 1), facts);
  require(once == json_of(read_in_pieces(text, 1 + input.size() % 7), facts));
  const std::string status = once.at("verdict").at("status");
  require(status != "usable" || (once.at("report") == "complete" && once.at("completed").get<std::int64_t>() > 0));
}
