#include "strategies/search/standing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "strategies/designs/blocks.hpp"
#include "strategies/search/block_model.hpp"
#include "strategies/statistics/summary.hpp"

namespace netsettle::strategies {
namespace {

constexpr double kUnknownNoise = 0.05;  // where the pilot could not say
constexpr double kLeastNoise = 0.001;   // clocks and counters are not more exact

std::vector<BlockObservation> observations_of(const StudyView& study, const std::vector<Block>& blocks) {
  std::vector<BlockObservation> observations;
  for (const Block& block : blocks) {
    if (block.purpose != Purpose::pilot && block.purpose != Purpose::search) continue;
    for (const Trial* trial : block.trials)
      if (const auto value = objective_of(study.experiment, *trial))
        observations.push_back({.configuration = trial->configuration_id, .block = block.number, .log_value = std::log(*value)});
  }
  return observations;
}

/// Means of all measurements over the measured trials of a configuration in one phase.
Measurements mean_measurements(const std::vector<Block>& blocks, std::int64_t configuration_id) {
  std::map<std::string, std::pair<double, int>, std::less<>> sums;
  for (const Block& block : blocks)
    for (const Trial* trial : block.trials) {
      if (trial->configuration_id != configuration_id || trial->outcome != Outcome::measured) continue;
      for (const auto& [name, value] : trial->measurements) {
        sums[name].first += value;
        ++sums[name].second;
      }
    }
  Measurements means;
  for (const auto& [name, sum] : sums) means[name] = sum.first / sum.second;
  return means;
}

/// Configurations of the search in order of their ids, each once.
std::map<std::int64_t, int> measured_in_search(const StudyView& study, const std::vector<Block>& search) {
  std::map<std::int64_t, int> measured;
  for (const Block& block : search)
    for (const Trial* trial : block.trials)
      if (trial->configuration_id != kBaselineId) measured[trial->configuration_id] += objective_of(study.experiment, *trial) ? 1 : 0;
  return measured;
}

}  // namespace

std::optional<double> pilot_noise(const StudyView& study) {
  std::vector<Summary> groups;
  for (const Block& block : only(blocks_of(study), Purpose::pilot)) {
    std::vector<double> logs;
    for (const Trial* trial : block.trials)
      if (const auto value = objective_of(study.experiment, *trial)) logs.push_back(std::log(*value));
    if (const auto summary = summarise_values(logs)) groups.push_back(*summary);
  }
  return pooled_standard_deviation(groups);
}

int failures_of(const StudyView& study, std::int64_t configuration_id, Purpose phase) {
  int n = 0;
  for (const Block& block : only(blocks_of(study), phase))
    n += static_cast<int>(std::ranges::count_if(block.trials, [&](const Trial* trial) {
      return trial->configuration_id == configuration_id && trial->outcome == Outcome::failed;
    }));
  return n;
}

std::string obstacle_of(const StudyView& study, std::int64_t configuration_id, Purpose phase) {
  if (const int failed = failures_of(study, configuration_id, phase); failed > 0)
    return fmt::format("it failed in {} {}", failed, failed == 1 ? "trial" : "trials");
  const Measurements means = mean_measurements(only(blocks_of(study), phase), configuration_id);
  if (means.empty()) return {};
  const auto lookup = [&](std::string_view name) -> std::optional<ExpressionValue> {
    const auto found = means.find(name);
    if (found == means.end()) return std::nullopt;
    return ExpressionValue(found->second);
  };
  for (const Expression& limit : study.experiment.objective.subject_to) {
    const auto holds = limit.evaluate_bool(lookup);
    if (!holds) return fmt::format("whether {} holds could not be measured", limit.text());
    if (!*holds) return fmt::format("{} does not hold", limit.text());
  }
  return {};
}

std::optional<Standings> standings_of(const StudyView& study) {
  const std::vector<Block> blocks = blocks_of(study);
  const double noise = std::max(kLeastNoise, pilot_noise(study).value_or(kUnknownNoise));
  const auto fit = fit_block_model(observations_of(study, blocks), noise);
  if (!fit) return std::nullopt;
  Standings standings{.level = fit->level, .noise = noise, .others = {}};
  for (const auto& [id, n] : measured_in_search(study, only(blocks, Purpose::search))) {
    Standing standing{.id = id, .n = n, .belief = fit->prior, .obstacle = obstacle_of(study, id, Purpose::search)};
    if (const auto found = fit->effects.find(id); found != fit->effects.end()) standing.belief = found->second;
    if (n == 0 && standing.obstacle.empty()) standing.obstacle = "no trial of it was valid";
    standings.others.push_back(std::move(standing));
  }
  return standings;
}

const Standing* leader_of(const Standings& standings) {
  const Standing* leader = nullptr;
  for (const Standing& standing : standings.others)
    if (standing.obstacle.empty() && (leader == nullptr || standing.belief.mean > leader->belief.mean)) leader = &standing;
  return leader;
}

}  // namespace netsettle::strategies
