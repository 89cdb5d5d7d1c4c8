// Whatever dnsperf (or something else) prints, in whatever pieces: the reader keeps its promises.

#include "runners/loads/dnsperf_output.hpp"
#include "tests/fuzz/fuzz_target.hpp"

using netsettle::LoadReport;
using netsettle::runners::DnsperfOutput;

namespace {

LoadReport read_in_pieces(std::string_view text, std::size_t piece) {
  DnsperfOutput output;
  for (std::size_t at = 0; at < text.size(); at += piece) output.feed(text.substr(at, piece));
  return output.finish();
}

bool is_count(const std::optional<std::int64_t>& count) { return !count || *count >= 0; }

}  // namespace

void fuzz_one(std::span<const std::uint8_t> input) {
  const std::string_view text = netsettle::fuzz::as_text(input);
  const LoadReport whole = netsettle::runners::parse_dnsperf(text, text);
  netsettle::fuzz::require(is_count(whole.sent) && is_count(whole.completed) && is_count(whole.lost) && is_count(whole.interrupted));
  netsettle::fuzz::require(!whole.complete || (whole.sent && whole.completed && whole.lost && whole.qps && whole.runtime_s));

  const LoadReport once = read_in_pieces(text, text.size() + 1), pieces = read_in_pieces(text, 1 + input.size() % 7);
  netsettle::fuzz::require(once.complete == pieces.complete && once.sent == pieces.sent && once.qps == pieces.qps);
  netsettle::fuzz::require(once.rcodes == pieces.rcodes && once.warnings == pieces.warnings && once.errors == pieces.errors);
  netsettle::fuzz::require(once.intervals.size() == pieces.intervals.size() && once.timeout_lines == pieces.timeout_lines);
}
