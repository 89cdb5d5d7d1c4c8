#pragma once
// Which of its two limits ends the rounds of the network softirq: netdev_budget (packets) or netdev_budget_usecs (time). The kernel counts
// both ends in one counter, time_squeeze; the number of packets says what it can have been.

#include <cstdint>
#include <optional>
#include <string>

namespace netsettle::strategies {

struct SoftirqRounds {
  std::int64_t packets = 0;  // handled, all CPUs
  std::int64_t cut_off = 0;  // time_squeeze: rounds that ended with work left
  std::int64_t budget = 0;   // net.core.netdev_budget while they were counted
};

/// A round that the packet budget ends has handled at least that many packets. nullopt where either limit may have ended all rounds, or
/// where the budget is not above 0.
std::optional<std::string> explain_rounds(const SoftirqRounds& rounds);

}  // namespace netsettle::strategies
