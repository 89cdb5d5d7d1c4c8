#include "strategies/racing/lineup.hpp"

#include <algorithm>
#include <optional>

#include "strategies/racing/confirmation.hpp"
#include "strategies/surrogate/features.hpp"

namespace netsettle::strategies {
namespace {

constexpr double kSame = 0.02;  // of the range of a number: closer ones are the same for all that trials can tell
constexpr double kNear = 0.1;

class Places {
 public:
  Places(const StudyView& study, const std::vector<Standing>& candidates, double near) : features_(study.space), near_(near) {
    for (const Standing& candidate : candidates) {
      const auto known = std::ranges::find(study.configurations, candidate.id, &StudyConfiguration::id);
      points_.push_back(features_.point(known->configuration));
    }
  }

  /// The same levels, and all numbers close to each other.
  bool near(std::size_t a, std::size_t b) const {
    const Eigen::Index n = features_.coordinates();
    return n == 0 || (points_[a].head(n) - points_[b].head(n)).cwiseAbs().maxCoeff() < near_;
  }
  bool same_levels(std::size_t a, std::size_t b) const {
    return std::ranges::all_of(features_.level_columns(), [&](Eigen::Index column) {
      const Eigen::Index at = features_.coordinates() + column;
      return points_[a][at] == points_[b][at];
    });
  }

 private:
  Features features_;
  double near_;
  std::vector<Eigen::RowVectorXd> points_;
};

/// Places of candidates, none next to another; with `variety`, the last of three or more with other levels than the first where all the
/// others have the same.
std::vector<std::size_t> apart(const Places& places, std::size_t candidates, std::size_t most, bool variety) {
  std::vector<std::size_t> chosen;
  const auto next = [&](bool other_levels) -> std::optional<std::size_t> {
    for (std::size_t i = 0; i < candidates; ++i) {
      const bool close = std::ranges::any_of(chosen, [&](std::size_t other) { return i == other || places.near(i, other); });
      if (!close && !(other_levels && places.same_levels(i, chosen.front()))) return i;
    }
    return std::nullopt;
  };
  while (chosen.size() < most) {
    const bool last = variety && most >= 3 && chosen.size() + 1 == most;
    const bool alike = std::ranges::all_of(chosen, [&](std::size_t i) { return places.same_levels(i, chosen.front()); });
    auto found = next(last && alike);
    if (!found) found = next(false);
    if (!found) break;
    chosen.push_back(*found);
  }
  std::ranges::sort(chosen);
  return chosen;
}

}  // namespace

std::vector<Standing> lineup(const StudyView& study, const std::vector<Standing>& candidates, std::size_t most) {
  const bool restless = pilot_noise(study).value_or(0) > kHarmlessVariation;
  const Places places(study, candidates, restless ? kNear : kSame);
  std::vector<Standing> finalists;
  for (const std::size_t i : apart(places, candidates.size(), most, restless)) finalists.push_back(candidates[i]);
  return finalists;
}

}  // namespace netsettle::strategies
