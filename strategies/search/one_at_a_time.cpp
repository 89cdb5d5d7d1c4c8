#include "strategies/search/one_at_a_time.hpp"

#include <algorithm>
#include <map>

#include "strategies/designs/unit_cube.hpp"
#include "strategies/search/leaders.hpp"
#include "strategies/search/standing.hpp"
#include "strategies/search/starts.hpp"

namespace netsettle::strategies {
namespace {

constexpr int kBlockSize = 5;
constexpr int kMostRounds = 20;
constexpr std::size_t kFewValues = 6;
constexpr double kPlaces[] = {0, 0.25, 0.5, 0.75, 1};  // of a parameter with more values
constexpr std::size_t kLeaders = 3;

/// What is believed of each configuration that can lead, by canonical text; the baseline is 0.
std::map<std::string, double> beliefs_of(const StudyView& study) {
  std::map<std::string, double> beliefs{{canonical_text(study.space.baseline()), 0}};
  const auto standings = standings_of(study);
  if (!standings) return beliefs;
  std::map<std::int64_t, double> by_id;
  for (const Standing& standing : standings->others)
    if (standing.obstacle.empty()) by_id[standing.id] = standing.belief.mean;
  for (const StudyConfiguration& known : study.configurations)
    if (const auto found = by_id.find(known.id); found != by_id.end()) beliefs[canonical_text(known.configuration)] = found->second;
  return beliefs;
}

/// The configuration with another value of one parameter, for each of a few values.
std::vector<Configuration> variants_of(const UnitCube& cube, const Configuration& base, std::size_t axis) {
  if (!base.values.contains(cube.name(axis))) return {};
  std::vector<double> places = cube.middles(axis);
  if (places.empty() || places.size() > kFewValues) places.assign(std::begin(kPlaces), std::end(kPlaces));
  std::vector<Configuration> variants;
  CubePoint point = cube.point_of(base);
  for (const double place : places) {
    point[axis] = place;
    auto configuration = cube.at(point);
    const bool is_new = configuration && *configuration != base && std::ranges::find(variants, *configuration) == variants.end();
    if (is_new) variants.push_back(*std::move(configuration));
  }
  return variants;
}

/// Where the walk is: the best so far, and the values of the next parameter that are still to be tried (none: the walk has ended).
struct Walk {
  Configuration best;
  std::vector<Configuration> next;
};

std::vector<Configuration> without(std::vector<Configuration> configurations, const std::set<std::string>& known) {
  std::erase_if(configurations, [&](const Configuration& each) { return known.contains(canonical_text(each)); });
  return configurations;
}

Walk walk_of(const StudyView& study, const std::set<std::string>& known) {
  const std::map<std::string, double> beliefs = beliefs_of(study);
  const auto belief = [&](const Configuration& configuration) -> std::optional<double> {
    const auto found = beliefs.find(canonical_text(configuration));
    return found == beliefs.end() ? std::nullopt : std::optional(found->second);
  };
  const UnitCube cube(study.space);
  Walk walk{.best = study.space.baseline(), .next = {}};
  const auto keep_better = [&](const Configuration& configuration) {
    const auto value = belief(configuration);
    const bool better = value && *value > belief(walk.best).value_or(0);
    if (better) walk.best = configuration;
    return better;
  };
  for (const Configuration& start : study.experiment.search.start)
    if (const auto whole = completed(study.space, start)) keep_better(*whole);
  for (int round = 0; round < kMostRounds; ++round) {
    bool changed = false;
    for (std::size_t axis = 0; axis < cube.size(); ++axis) {
      const auto variants = variants_of(cube, walk.best, axis);
      walk.next = without(variants, known);
      if (!walk.next.empty()) return walk;
      for (const Configuration& variant : variants) changed = keep_better(variant) || changed;
    }
    if (!changed) break;
  }
  return walk;
}

}  // namespace

int OneAtATime::block_size(const StudyView& /*study*/) const { return kBlockSize; }

std::vector<Proposal> OneAtATime::ask(const StudyView& study, int /*block*/, int count) const {
  const auto room = static_cast<std::size_t>(std::max(0, count));
  std::vector<Proposal> proposals;
  std::set<std::string> known = tried_texts(study);
  add_starts(study, room, known, proposals);
  if (!proposals.empty()) return proposals;
  Walk walk = walk_of(study, known);
  for (Configuration& configuration : walk.next)
    if (proposals.size() < room) proposals.push_back({std::move(configuration), "one-at-a-time"});
  return proposals.empty() ? leaders_short_of_repeats(study, kLeaders, room) : proposals;
}

}  // namespace netsettle::strategies
