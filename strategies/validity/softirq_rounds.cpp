#include "strategies/validity/softirq_rounds.hpp"

#include <fmt/format.h>

namespace netsettle::strategies {

std::optional<std::string> explain_rounds(const SoftirqRounds& rounds) {
  if (rounds.packets <= 0 || rounds.budget <= 0) return std::nullopt;
  if (rounds.cut_off <= 0)
    return "no round of the network softirq was cut off: neither netdev_budget nor netdev_budget_usecs was reached, and raising them "
           "changes nothing";
  const std::int64_t by_packets = rounds.packets / rounds.budget;  // at most
  if (by_packets >= rounds.cut_off) return std::nullopt;
  return fmt::format(
      "at least {} of {} rounds of the network softirq that were cut off ended by time (netdev_budget_usecs), not by the budget of {} "
      "packets: raising netdev_budget alone changes nothing there",
      rounds.cut_off - by_packets, rounds.cut_off, rounds.budget);
}

}  // namespace netsettle::strategies
