#include "strategies/search/screening.hpp"

#include <algorithm>

#include "strategies/designs/sample.hpp"
#include "strategies/search/leaders.hpp"
#include "strategies/search/neighbours.hpp"
#include "strategies/search/screening_plan.hpp"
#include "strategies/search/standing.hpp"
#include "strategies/search/starts.hpp"

namespace netsettle::strategies {
namespace {

constexpr int kBlockSize = 4;
constexpr double kNewShare = 0.8;
constexpr std::size_t kDrawsEach = 50;
constexpr std::uint64_t kProposalSeed = 0x73637265656e;  // "screen"

/// Runs of the plan that were not tried, up to `count`; a group is not cut where a block can hold it.
std::vector<Proposal> next_runs(const ScreeningPlan& plan, std::set<std::string> known, std::size_t count) {
  std::vector<Proposal> proposals;
  std::vector<int> groups;
  for (const ScreeningRun& run : plan.runs)
    if (known.insert(canonical_text(run.configuration)).second) {
      proposals.push_back({run.configuration, "screening"});
      groups.push_back(run.group);
    }
  if (proposals.size() <= count) return proposals;
  std::size_t end = count;
  while (end > 0 && groups[end] == groups[end - 1]) --end;
  proposals.resize(end == 0 ? count : end);
  return proposals;
}

/// With everything as found that does not matter.
std::optional<Configuration> reduced(const SearchSpace& space, const Configuration& configuration, const std::set<std::string>& matters) {
  Configuration kept;
  for (const Domain& domain : space.domains()) {
    const auto value = configuration.values.find(domain.name);
    const bool keep = value != configuration.values.end() && matters.contains(domain.name);
    kept.values[domain.name] = keep ? value->second : Value(AsFound{});
  }
  auto canonical = space.canonical(kept);
  if (!canonical || !space.satisfies(*canonical)) return std::nullopt;
  return *std::move(canonical);
}

/// Parameters that matter; all of them where nothing is known.
std::set<std::string> names_that_matter(const StudyView& study) {
  std::set<std::string> names;
  for (const ScreenedEffect& effect : screening_effects(study))
    if (effect.matters) names.insert(effect.parameter);
  if (names.empty())
    for (const Domain& domain : study.space.domains()) names.insert(domain.name);
  return names;
}

Configuration best_of(const StudyView& study) {
  const auto standings = standings_of(study);
  const Standing* leader = standings ? leader_of(*standings) : nullptr;
  if (leader == nullptr || leader->belief.mean <= 0) return study.space.baseline();
  const auto found = std::ranges::find(study.configurations, leader->id, &StudyConfiguration::id);
  return found == study.configurations.end() ? study.space.baseline() : found->configuration;
}

/// New configurations over what matters: the leader without the rest, then two neighbours for each random one.
class Reduced {
 public:
  Reduced(const StudyView& study, int block, std::set<std::string> known)
      : study_(study),
        known_(std::move(known)),
        matters_(names_that_matter(study)),
        random_(derive_seed(derive_seed(study.experiment.study.seed, static_cast<std::uint64_t>(block)), kProposalSeed)) {}

  std::vector<Proposal> proposals(std::size_t count) {
    const Configuration centre = reduced(study_.space, best_of(study_), matters_).value_or(study_.space.baseline());
    add(centre, count);
    const UnitCube cube(study_.space);
    std::vector<std::size_t> axes;
    for (std::size_t axis = 0; axis < cube.size(); ++axis)
      if (matters_.contains(cube.name(axis))) axes.push_back(axis);
    std::vector<Configuration> neighbours = neighbours_of(cube, centre, axes, known_, random_);
    for (std::size_t i = 0; i < std::max(neighbours.size(), kDrawsEach * count) && proposals_.size() < count; ++i) {
      if (i < neighbours.size()) add(neighbours[i], count);
      if (i % 2 != 0) continue;
      const auto drawn = draw_configuration(study_.space, random_);
      if (const auto kept = drawn ? reduced(study_.space, *drawn, matters_) : std::nullopt) add(*kept, count);
    }
    return std::move(proposals_);
  }

 private:
  void add(const Configuration& configuration, std::size_t count) {
    if (proposals_.size() < count && known_.insert(canonical_text(configuration)).second) proposals_.push_back({configuration, "reduced"});
  }

  const StudyView& study_;
  std::set<std::string> known_;
  std::set<std::string> matters_;
  Random random_;
  std::vector<Proposal> proposals_;
};

}  // namespace

int Screening::block_size(const StudyView& study) const {
  const auto plan = screening_plan(study);
  const bool screens = plan && !next_runs(*plan, tried_texts(study), 1).empty();
  return screens ? plan->block_size : kBlockSize;
}

std::vector<Proposal> Screening::ask(const StudyView& study, int block, int count) const {
  if (count < 1) return {};
  const auto room = static_cast<std::size_t>(count);
  std::vector<Proposal> proposals;
  std::set<std::string> known = tried_texts(study);
  add_starts(study, room, known, proposals);
  if (!proposals.empty()) return proposals;
  if (const auto plan = screening_plan(study))
    if (proposals = next_runs(*plan, known, room); !proposals.empty()) return proposals;
  if (is_leaders_turn(study, kNewShare))
    if (proposals = leaders(study, room); !proposals.empty()) return proposals;
  proposals = Reduced(study, block, known).proposals(room);
  return proposals.empty() ? leaders_short_of_repeats(study, room, room) : proposals;
}

}  // namespace netsettle::strategies
