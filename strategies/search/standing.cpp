#include "strategies/search/standing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "strategies/designs/blocks.hpp"
#include "strategies/search/block_model.hpp"
#include "strategies/search/choice.hpp"
#include "strategies/statistics/summary.hpp"

namespace netsettle::strategies {
namespace {

constexpr double kUnknownNoise = 0.05;  // where the pilot could not say
constexpr double kBorne = 3;            // times the spread of the steadiest
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

using Trials = std::vector<const Trial*>;

/// Of the blocks' trials, those of each configuration, in their order: one pass for all configurations.
std::map<std::int64_t, Trials> by_configuration(const std::vector<Block>& blocks) {
  std::map<std::int64_t, Trials> shares;
  for (const Block& block : blocks)
    for (const Trial* trial : block.trials) shares[trial->configuration_id].push_back(trial);
  return shares;
}

Trials trials_of(const StudyView& study, std::int64_t configuration_id, Purpose phase) {
  return by_configuration(only(blocks_of(study), phase))[configuration_id];
}

int failures_among(const Trials& trials) {
  return static_cast<int>(std::ranges::count(trials, std::optional(Outcome::failed), &Trial::outcome));
}

/// Means of all measurements over the measured ones.
Measurements mean_measurements(const Trials& trials) {
  std::map<std::string, std::pair<double, int>, std::less<>> sums;
  for (const Trial* trial : trials) {
    if (trial->outcome != Outcome::measured) continue;
    for (const auto& [name, value] : trial->measurements) {
      sums[name].first += value;
      ++sums[name].second;
    }
  }
  Measurements means;
  for (const auto& [name, sum] : sums) means[name] = sum.first / sum.second;
  return means;
}

/// See obstacle_of.
std::string obstacle_among(const Experiment& experiment, const Trials& trials) {
  if (const int failed = failures_among(trials); failed > 0)
    return fmt::format("it failed in {} {}", failed, failed == 1 ? "trial" : "trials");
  if (experiment.objective.subject_to.empty()) return {};
  const Measurements means = mean_measurements(trials);
  if (means.empty()) return {};
  const auto lookup = [&](std::string_view name) -> std::optional<ExpressionValue> {
    const auto found = means.find(name);
    if (found == means.end()) return std::nullopt;
    return ExpressionValue(found->second);
  };
  for (const Expression& limit : experiment.objective.subject_to) {
    const auto holds = limit.evaluate_bool(lookup);
    if (!holds) return fmt::format("whether {} holds could not be measured", limit.text());
    if (!*holds) return fmt::format("{} does not hold", limit.text());
  }
  return {};
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
  return failures_among(trials_of(study, configuration_id, phase));
}

std::string obstacle_of(const StudyView& study, std::int64_t configuration_id, Purpose phase) {
  return obstacle_among(study.experiment, trials_of(study, configuration_id, phase));
}

namespace {

/// Every configuration of the search but the baseline, what is believed of it still open.
std::vector<Standing> tried_in_search(const StudyView& study, const std::vector<Block>& blocks) {
  std::vector<Standing> tried;
  for (const auto& [id, trials] : by_configuration(only(blocks, Purpose::search))) {
    if (id == kBaselineId) continue;
    const auto n = std::ranges::count_if(trials, [&](const Trial* trial) { return objective_of(study.experiment, *trial).has_value(); });
    Standing standing{.id = id, .n = static_cast<int>(n), .belief = {}, .obstacle = obstacle_among(study.experiment, trials)};
    if (standing.n == 0 && standing.obstacle.empty()) standing.obstacle = "no trial of it was valid";
    tried.push_back(std::move(standing));
  }
  return tried;
}

std::optional<Standings> by_block_model(const StudyView& study) {
  const std::vector<Block> blocks = blocks_of(study);
  const double noise = std::max(kLeastNoise, pilot_noise(study).value_or(kUnknownNoise));
  const auto fit = fit_block_model(observations_of(study, blocks), noise);
  if (!fit) return std::nullopt;
  Standings standings{.level = fit->level, .noise = noise, .others = tried_in_search(study, blocks)};
  for (Standing& standing : standings.others) {
    const auto found = fit->effects.find(standing.id);
    standing.belief = found == fit->effects.end() ? fit->prior : found->second;
  }
  return standings;
}

/// The spread that the steadiest tenth does not exceed.
double steadiest(std::vector<double> spreads) {
  if (spreads.empty()) return 0;
  const auto tenth = spreads.begin() + std::ssize(spreads) / 10;
  std::ranges::nth_element(spreads, tenth);
  return *tenth;
}

std::optional<Standings> by_surrogate(const StudyView& study, SurrogateMemory* memory) {
  const auto surrogate = Surrogate::of(study, search_data(study), memory);
  if (!surrogate) return std::nullopt;
  const Eigen::MatrixXd baseline = surrogate->features().point(study.space.baseline());
  Standings standings{
      .level = 0, .noise = std::max(kLeastNoise, surrogate->noise(baseline)[0]), .others = tried_in_search(study, blocks_of(study))};
  std::map<std::int64_t, const Configuration*> known;
  for (const StudyConfiguration& configuration : study.configurations) known[configuration.id] = &configuration.configuration;
  std::vector<Configuration> configurations;
  for (const Standing& standing : standings.others) configurations.push_back(*known.at(standing.id));
  const Eigen::MatrixXd points = surrogate->features().points(configurations);
  const auto [mean, covariance] = surrogate->versus_baseline(points);
  const Eigen::VectorXd spread = surrogate->noise(points);
  standings.steady = std::max(kLeastNoise, steadiest({spread.begin(), spread.end()}));
  Eigen::Index row = 0;
  for (Standing& standing : standings.others) {
    standing.belief = {.mean = mean[row], .standard_deviation = std::sqrt(std::max(1e-12, covariance(row, row)))};
    standing.spread = spread[row];
    standing.unrest = std::max(0.0, spread[row] - kBorne * *standings.steady);
    ++row;
  }
  standings.level = surrogate->level() + surrogate->scale() * surrogate->process().mean(baseline)[0];
  return standings;
}

}  // namespace

std::optional<Standings> standings_of(const StudyView& study, SurrogateMemory* memory) {
  if (choose_search(study).kind == StrategyKind::bayesian)
    if (auto standings = by_surrogate(study, memory)) return standings;
  return by_block_model(study);
}

SurrogateData search_data(const StudyView& study) {
  SurrogateData data;
  double time = 0;
  for (const Trial& trial : study.trials) {
    if (trial.state == TrialState::interrupted) continue;
    ++time;
    if (trial.purpose != Purpose::pilot && trial.purpose != Purpose::search) continue;
    if (const auto value = objective_of(study.experiment, trial))
      data.trials.push_back({.configuration_id = trial.configuration_id, .time = time, .log_value = std::log(*value)});
  }
  for (const auto& [id, trials] : by_configuration(only(blocks_of(study), Purpose::search))) {
    const bool over = std::ranges::any_of(trials, [](const Trial* trial) { return trial->outcome && trial->outcome != Outcome::invalid; });
    if (over && id != kBaselineId) data.works[id] = obstacle_among(study.experiment, trials).empty();
  }
  data.works[kBaselineId] = true;
  return data;
}

const Standing* leader_of(const Standings& standings) {
  const Standing* leader = nullptr;
  for (const Standing& standing : standings.others)
    if (standing.obstacle.empty() && (leader == nullptr || promise(standing) > promise(*leader))) leader = &standing;
  return leader;
}

}  // namespace netsettle::strategies
