#include "strategies/designs/blocks.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace netsettle::strategies {
namespace {

Purpose purpose_of(const std::vector<const Trial*>& trials) {
  const auto other = std::ranges::find_if(trials, [](const Trial* trial) { return trial->purpose != Purpose::baseline; });
  return other == trials.end() ? Purpose::search : (*other)->purpose;
}

}  // namespace

std::vector<Block> blocks_of(const StudyView& study) {
  const auto place = [](const Trial* trial) { return std::tuple(trial->block, trial->position, trial->attempt); };
  std::vector<const Trial*> trials;
  trials.reserve(study.trials.size());
  for (const Trial& trial : study.trials) trials.push_back(&trial);
  // A record is in this order but for its repeats.
  if (!std::ranges::is_sorted(trials, {}, place)) std::ranges::stable_sort(trials, {}, place);
  std::vector<Block> blocks;
  for (const Trial* trial : trials) {
    if (blocks.empty() || blocks.back().number != trial->block)
      blocks.push_back({.number = trial->block, .purpose = Purpose::search, .trials = {}});
    auto& in_block = blocks.back().trials;
    if (!in_block.empty() && in_block.back()->position == trial->position)
      in_block.back() = trial;  // the last attempt counts
    else
      in_block.push_back(trial);
  }
  for (Block& block : blocks) block.purpose = purpose_of(block.trials);
  return blocks;
}

int next_block_number(const StudyView& study) {
  int highest = 0;
  for (const Trial& trial : study.trials) highest = std::max(highest, trial.block);
  return highest + 1;
}

double oriented(const Experiment& experiment, double value) {
  const Metric* const metric = find_metric(experiment.objective.maximize);
  return metric != nullptr && metric->better == Better::lower ? 1 / value : value;
}

std::optional<double> objective_of(const Experiment& experiment, const Trial& trial) {
  const auto value = measured_objective(experiment, trial);
  return value ? std::optional(oriented(experiment, *value)) : std::nullopt;
}

std::optional<double> measured_objective(const Experiment& experiment, const Trial& trial) {
  if (trial.outcome != Outcome::measured) return std::nullopt;
  const auto found = trial.measurements.find(experiment.objective.maximize);
  if (found == trial.measurements.end() || !std::isfinite(found->second) || found->second <= 0) return std::nullopt;
  return found->second;
}

std::optional<double> objective_in(const Experiment& experiment, const Block& block, std::int64_t configuration_id) {
  double sum = 0;
  int n = 0;
  for (const Trial* trial : block.trials) {
    if (trial->configuration_id != configuration_id) continue;
    if (const auto value = objective_of(experiment, *trial)) {
      sum += *value;
      ++n;
    }
  }
  if (n == 0) return std::nullopt;
  return sum / n;
}

BlockPairs pairs_in(const Experiment& experiment, const std::vector<Block>& blocks, std::int64_t configuration_id, std::int64_t versus) {
  BlockPairs pairs;
  for (const Block& block : blocks) {
    const auto value = objective_in(experiment, block, configuration_id), reference = objective_in(experiment, block, versus);
    if (!value || !reference) continue;
    pairs.values.push_back(*value);
    pairs.versus.push_back(*reference);
  }
  return pairs;
}

BlockPairs as_measured(const Experiment& experiment, BlockPairs pairs) {
  for (double& value : pairs.values) value = oriented(experiment, value);
  for (double& value : pairs.versus) value = oriented(experiment, value);
  return pairs;
}

std::vector<double> log_differences(const Experiment& experiment, const std::vector<Block>& blocks, std::int64_t configuration_id,
                                    std::int64_t versus) {
  std::vector<double> differences;
  const BlockPairs pairs = pairs_in(experiment, blocks, configuration_id, versus);
  for (std::size_t i = 0; i < pairs.values.size(); ++i) differences.push_back(std::log(pairs.values[i] / pairs.versus[i]));
  return differences;
}

std::vector<Block> only(const std::vector<Block>& blocks, Purpose purpose) {
  std::vector<Block> chosen;
  std::ranges::copy_if(blocks, std::back_inserter(chosen), [&](const Block& block) { return block.purpose == purpose; });
  return chosen;
}

}  // namespace netsettle::strategies
