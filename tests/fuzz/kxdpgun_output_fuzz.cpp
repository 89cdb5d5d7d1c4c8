// Whatever kxdpgun (or something else) prints, as text or JSON: the reader keeps its promises. The same input as the facts of a run, and as
// the output of a user's own program.

#include <cmath>

#include "runners/loads/command_load.hpp"
#include "runners/loads/parsed_output.hpp"
#include "tests/fuzz/fuzz_target.hpp"

using namespace netsettle::runners;
using netsettle::fuzz::require;

namespace {

bool is_count(const std::optional<std::int64_t>& count) { return !count || *count >= 0; }

void check_kxdpgun(std::string_view text) {
  const KxdpgunResult result = read_kxdpgun(text, text);
  require(result.final.has_value() == (result.report != ReportState::none));
  const netsettle::LoadReport report = load_report(result);
  require(is_count(report.sent) && is_count(report.completed) && is_count(report.lost));
  require(!report.complete || report.completed);
  require(!report.qps || (std::isfinite(*report.qps) && *report.qps >= 0));
  for (const auto& interval : report.intervals) require(std::isfinite(interval.time_s) && std::isfinite(interval.qps));
  const OrderedJson json = json_of(result, {});
  const std::string status = json.at("verdict").at("status");
  require(status != "usable" || json.at("final").at("replies").get<std::int64_t>() > 0);
  require((status == "usable") == json.at("verdict").at("reasons").empty());
}

void check_command(std::string_view text) {
  netsettle::LoadSection load;
  load.result = {{"sent", "/final/queries"}, {"completed", "/responses"}, {"seconds", "/0/a~1b"}};
  const netsettle::LoadReport report = CommandLoad(load).parse(text, "");
  require(is_count(report.sent) && is_count(report.completed) && is_count(report.lost));
  require(report.errors.empty() == report.complete);
}

}  // namespace

void fuzz_one(std::span<const std::uint8_t> input) {
  const std::string_view text = netsettle::fuzz::as_text(input);
  check_kxdpgun(text);
  check_command(text);
  const auto facts = read_run_facts(text, "meta");
  if (facts) require(!facts->accepted_rcodes.empty());
}
