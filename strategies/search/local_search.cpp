#include "strategies/search/local_search.hpp"

#include <algorithm>

#include "strategies/designs/space_filling.hpp"
#include "strategies/search/leaders.hpp"
#include "strategies/search/neighbours.hpp"
#include "strategies/search/standing.hpp"
#include "strategies/search/starts.hpp"

namespace netsettle::strategies {
namespace {

constexpr int kBlockSize = 5;
constexpr std::size_t kCombinations = 3;  // in a block
constexpr double kNewShare = 0.9;
constexpr std::int64_t kPatience = 6;                     // times the number of parameters
constexpr std::uint64_t kOrderSeed = 0x6c6f63616c;        // "local"
constexpr std::uint64_t kRestartSeed = 0x72657374617274;  // "restart"
constexpr std::string_view kRestart = "restart";

/// A climb from the last restart, or from the baseline.
struct Climb {
  Configuration origin;
  std::int64_t origin_id = kBaselineId;
  std::vector<Standing> better;  // than the origin, best first
};

const StudyConfiguration* find(const StudyView& study, std::int64_t id) {
  const auto found = std::ranges::find(study.configurations, id, &StudyConfiguration::id);
  return found == study.configurations.end() ? nullptr : &*found;
}

Climb climb_of(const StudyView& study) {
  Climb climb{.origin = study.space.baseline(), .better = {}};
  for (const StudyConfiguration& known : study.configurations)
    if (known.origin == kRestart) {
      climb.origin = known.configuration;
      climb.origin_id = known.id;
    }
  const auto standings = standings_of(study);
  if (!standings) return climb;
  std::optional<double> least;  // absent where the origin cannot lead
  if (climb.origin_id == kBaselineId) least = 0;
  for (const Standing& standing : standings->others)
    if (standing.id == climb.origin_id && standing.obstacle.empty()) least = standing.belief.mean;
  for (const Standing& standing : standings->others)
    if (standing.id > climb.origin_id && standing.obstacle.empty() && (!least || standing.belief.mean > *least))
      climb.better.push_back(standing);
  std::ranges::stable_sort(climb.better, std::greater{}, [](const Standing& standing) { return standing.belief.mean; });
  return climb;
}

/// New configurations since this one was.
std::int64_t tried_since(const StudyView& study, std::int64_t id) {
  return std::ranges::count_if(study.configurations, [id](const StudyConfiguration& known) { return known.id > id; });
}

/// The restarts of a study are the points of one sequence that were not tried otherwise.
std::optional<Proposal> restart(const StudyView& study, const std::set<std::string>& known) {
  const auto seed = derive_seed(study.experiment.study.seed, kRestartSeed);
  const auto places = space_filling(study.space, known.size() + 1, seed, Filling::sobol);
  for (const Configuration& place : places)
    if (!known.contains(canonical_text(place))) return Proposal{place, std::string(kRestart)};
  return std::nullopt;
}

/// The incumbent with what each of the others that are better than the origin changed.
std::vector<Configuration> combinations(const StudyView& study, const Climb& climb, std::set<std::string> known) {
  std::vector<Configuration> found;
  if (climb.better.size() < 2) return found;
  const StudyConfiguration* best = find(study, climb.better.front().id);
  for (std::size_t i = 1; i < climb.better.size() && found.size() < kCombinations; ++i) {
    const StudyConfiguration* other = find(study, climb.better[i].id);
    if (best == nullptr || other == nullptr) continue;
    auto both = combined(study.space, climb.origin, best->configuration, other->configuration);
    if (both && known.insert(canonical_text(*both)).second) found.push_back(*std::move(both));
  }
  return found;
}

/// New configurations around the incumbent, the most promising first.
std::vector<Configuration> around(const StudyView& study, int block, const Climb& climb, const Configuration& centre,
                                  std::set<std::string> known) {
  std::vector<Configuration> found = combinations(study, climb, known);
  for (const Configuration& both : found) known.insert(canonical_text(both));
  const UnitCube cube(study.space);
  Random random(derive_seed(derive_seed(study.experiment.study.seed, static_cast<std::uint64_t>(block)), kOrderSeed));
  std::ranges::move(neighbours_of(cube, centre, all_axes(cube), known, random), std::back_inserter(found));
  return found;
}

std::vector<Proposal> next_climb(const StudyView& study, const std::set<std::string>& known, std::size_t room) {
  auto place = restart(study, known);
  if (!place) return {};
  std::vector<Proposal> proposals = leaders(study, room - 1);
  proposals.push_back(*std::move(place));
  return proposals;
}

}  // namespace

int LocalSearch::block_size(const StudyView& /*study*/) const { return kBlockSize; }

std::vector<Proposal> LocalSearch::ask(const StudyView& study, int block, int count) const {
  if (count < 1) return {};
  const auto room = static_cast<std::size_t>(count);
  if (is_leaders_turn(study, kNewShare))
    if (auto proposals = leaders(study, room); !proposals.empty()) return proposals;
  std::vector<Proposal> proposals;
  std::set<std::string> known = tried_texts(study);
  add_starts(study, room, known, proposals);
  if (!proposals.empty()) return proposals;
  const Climb climb = climb_of(study);
  const StudyConfiguration* best = climb.better.empty() ? nullptr : find(study, climb.better.front().id);
  const std::int64_t since = best == nullptr ? climb.origin_id : best->id;
  std::vector<Configuration> next = around(study, block, climb, best == nullptr ? climb.origin : best->configuration, known);
  if (next.empty() || tried_since(study, since) >= kPatience * std::ssize(study.space.domains()))
    if (auto elsewhere = next_climb(study, known, room); !elsewhere.empty()) return elsewhere;
  if (next.empty()) return leaders_short_of_repeats(study, room, room);
  for (Configuration& configuration : next)
    if (proposals.size() < room) proposals.push_back({std::move(configuration), "local"});
  return proposals;
}

}  // namespace netsettle::strategies
