#pragma once
// The rules by which a single output is judged: pure functions of what was read and what is known of the run. A trial is judged by
// strategies/validity instead, which knows the machine and the other trials.

#include "runners/loads/dnsperf_result.hpp"
#include "runners/loads/kxdpgun_result.hpp"
#include "runners/loads/resperf_result.hpp"
#include "runners/loads/run_facts.hpp"

namespace netsettle::runners {

/// Shares computed from a complete report, rounded as they are printed; absent where they cannot be computed.
struct DnsperfShares {
  std::optional<double> loss_ratio;              // lost / sent
  std::optional<double> dead_slot_share;         // lost × timeout / (window × run time): what lost queries held of the window
  std::optional<double> unaccepted_rcode_share;  // of the answers
};
DnsperfShares dnsperf_shares(const DnsperfResult& result, const RunFacts& run);

OutputVerdict dnsperf_verdict(const DnsperfResult& result, const RunFacts& run);
OutputVerdict resperf_verdict(const ResperfResult& result, const RunFacts& run);
OutputVerdict kxdpgun_verdict(const KxdpgunResult& result, const RunFacts& run);

}  // namespace netsettle::runners
