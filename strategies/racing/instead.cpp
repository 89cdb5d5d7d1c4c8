#include "strategies/racing/instead.hpp"

#include <algorithm>
#include <limits>

#include "strategies/racing/finalists.hpp"

namespace netsettle::strategies {
namespace {

constexpr double kAlike = 0.7;     // of the spread of an unstable one
constexpr double kRestless = 1.5;  // times the spread of the steadiest

/// The spread from which on others are like an unstable finalist. One that fell though the model expected it to be steady says nothing
/// about its neighbours.
double unstable_spread(const Standings& standings, const Confirmation& confirmation) {
  double least = std::numeric_limits<double>::infinity();
  for (const Standing& standing : standings.others) {
    const Finalist* const finalist = confirmation.find(standing.id);
    const bool unstable = finalist != nullptr && (finalist->state == FinalistState::unstable || finalist->instability);
    if (unstable && standings.steady && standing.spread.value_or(0) > kRestless * *standings.steady)
      least = std::min(least, kAlike * *standing.spread);
  }
  return least;
}

}  // namespace

std::optional<Believed> believed_instead(const StudyView& study, const Standings& standings, const Confirmation& confirmation) {
  const double too_much = unstable_spread(standings, confirmation);
  for (const Standing& standing : candidates_of(study, standings)) {
    if (confirmation.find(standing.id) != nullptr || standing.spread.value_or(0) > too_much) continue;
    const auto belief = final_belief(study, standings, standing.id, &confirmation);
    if (belief && probability_better(*belief) >= kEnoughToHandOver) return Believed{.id = standing.id, .belief = *belief};
  }
  return std::nullopt;
}

}  // namespace netsettle::strategies
