#include "strategies/search/cma_es.hpp"

#include <algorithm>
#include <map>

#include "strategies/designs/blocks.hpp"
#include "strategies/search/evolution.hpp"
#include "strategies/search/leaders.hpp"
#include "strategies/search/starts.hpp"

namespace netsettle::strategies {
namespace {

constexpr double kNewShare = 0.9;
constexpr int kDrawsEach = 50;
constexpr std::uint64_t kSampleSeed = 0x636d61;  // "cma"

/// One generation: different configurations and the points that they come from.
struct Generation {
  std::vector<Configuration> configurations;
  std::vector<Evolution::Offspring> offspring;
};

/// Different from each other, from the baseline, and from what failed before; fewer than wanted where the distribution gives no more.
Generation sampled(const UnitCube& cube, const Evolution& evolution, std::size_t wanted, std::uint64_t seed,
                   std::set<std::string> refused) {
  Generation generation;
  Random random(seed);
  for (std::size_t draw = 0; draw < kDrawsEach * wanted && generation.offspring.size() < wanted; ++draw) {
    Evolution::Offspring offspring = evolution.sample(random);
    auto configuration = cube.at(offspring.point);
    if (!configuration || !refused.insert(canonical_text(*configuration)).second) continue;
    generation.configurations.push_back(*std::move(configuration));
    generation.offspring.push_back(std::move(offspring));
  }
  return generation;
}

/// How a trial ranks: first by group, then by value.
struct Rank {
  int group = 0;  // 0 measured, 1 violates subject_to, 2 failed
  double value = 0;
};

bool holds(const Experiment& experiment, const Trial& trial) {
  const auto lookup = [&](std::string_view name) -> std::optional<ExpressionValue> {
    const auto found = trial.measurements.find(std::string(name));
    return found == trial.measurements.end() ? std::nullopt : std::optional<ExpressionValue>(found->second);
  };
  return std::ranges::all_of(experiment.objective.subject_to,
                             [&](const Expression& limit) { return limit.evaluate_bool(lookup).value_or(false); });
}

/// Absent for what was not measured through no fault of its own.
std::optional<Rank> rank_of(const Experiment& experiment, const Trial& trial) {
  if (trial.outcome == Outcome::failed) return Rank{.group = 2};
  const auto value = objective_of(experiment, trial);
  if (!value) return std::nullopt;
  return Rank{.group = holds(experiment, trial) ? 0 : 1, .value = *value};
}

/// The ranks in a block, by canonical text, baseline left out.
using Ranks = std::map<std::string, std::optional<Rank>>;

Ranks ranks_in(const StudyView& study, const Block& block, const std::map<std::int64_t, std::string>& texts) {
  Ranks ranks;
  for (const Trial* trial : block.trials)
    if (trial->configuration_id != kBaselineId) ranks[texts.at(trial->configuration_id)] = rank_of(study.experiment, *trial);
  return ranks;
}

/// The measured offspring of a generation, best first; nullopt where the block holds something else too, so that it is none of its.
std::optional<std::vector<Evolution::Offspring>> ranked(const Generation& generation, const Ranks& ranks) {
  std::vector<std::pair<Rank, std::size_t>> order;
  std::size_t found = 0;
  for (std::size_t i = 0; i < generation.offspring.size(); ++i) {
    const auto rank = ranks.find(canonical_text(generation.configurations[i]));
    if (rank == ranks.end()) continue;
    ++found;
    if (rank->second) order.emplace_back(*rank->second, i);
  }
  if (found == 0 || found < ranks.size()) return std::nullopt;
  std::ranges::stable_sort(order, [](const auto& a, const auto& b) {
    return a.first.group != b.first.group ? a.first.group < b.first.group : a.first.value > b.first.value;
  });
  std::vector<Evolution::Offspring> best_first;
  for (const auto& [rank, i] : order) best_first.push_back(generation.offspring[i]);
  return best_first;
}

std::map<std::int64_t, std::string> texts_of(const StudyView& study) {
  std::map<std::int64_t, std::string> texts;
  for (const StudyConfiguration& known : study.configurations) texts[known.id] = canonical_text(known.configuration);
  return texts;
}

CubePoint first_mean(const StudyView& study, const UnitCube& cube) {
  for (const Configuration& start : study.experiment.search.start)
    if (const auto whole = completed(study.space, start)) return cube.point_of(*whole);
  return CubePoint(cube.size(), 0.5);
}

/// The generation that follows from the record. A block that was not asked for by a generation (starts, leaders) is passed over.
Generation next_generation(const StudyView& study, const UnitCube& cube, std::size_t wanted) {
  Evolution evolution(first_mean(study, cube), [&cube](std::size_t axis, double place) { return cube.cell(axis, place); });
  const auto texts = texts_of(study);
  const auto seed = derive_seed(study.experiment.study.seed, kSampleSeed);
  std::set<std::string> refused{canonical_text(study.space.baseline())};
  std::uint64_t number = 0;
  Generation generation = sampled(cube, evolution, wanted, derive_seed(seed, number), refused);
  for (const Block& block : only(blocks_of(study), Purpose::search)) {
    const Ranks ranks = ranks_in(study, block, texts);
    const auto best_first = ranked(generation, ranks);
    for (const auto& [text, rank] : ranks)
      if (rank && rank->group == 2) refused.insert(text);
    if (!best_first) continue;
    evolution.update(*best_first);
    generation = sampled(cube, evolution, wanted, derive_seed(seed, ++number), refused);
  }
  return generation;
}

}  // namespace

int CmaEs::block_size(const StudyView& study) const { return default_offspring(study.space.domains().size()); }

std::vector<Proposal> CmaEs::ask(const StudyView& study, int /*block*/, int count) const {
  if (count < 1 || study.space.domains().empty()) return {};
  const auto room = static_cast<std::size_t>(count);
  if (is_leaders_turn(study, kNewShare))
    if (auto proposals = leaders(study, room); !proposals.empty()) return proposals;
  std::vector<Proposal> proposals;
  std::set<std::string> known = tried_texts(study);
  add_starts(study, room, known, proposals);
  if (!proposals.empty()) return proposals;
  const UnitCube cube(study.space);
  Generation generation = next_generation(study, cube, static_cast<std::size_t>(block_size(study)));
  for (Configuration& configuration : generation.configurations)
    if (proposals.size() < room) proposals.push_back({std::move(configuration), "cma-es"});
  return proposals.empty() ? leaders(study, room) : proposals;
}

}  // namespace netsettle::strategies
