#include "tuner/report/side_by_side.hpp"

#include <algorithm>
#include <cmath>

#include "datasets/model/metric.hpp"
#include "strategies/designs/blocks.hpp"
#include "strategies/statistics/best_set.hpp"
#include "strategies/statistics/summary.hpp"

namespace netsettle::tuner {
namespace {

using strategies::Block;

constexpr double kAlpha = 0.025;

bool less_is_better(const Experiment& experiment) {
  const Metric* const metric = find_metric(experiment.objective.maximize);
  return metric != nullptr && metric->better == Better::lower;
}

Steadiness steadiness_of(const Experiment& experiment, const std::vector<Block>& blocks, std::int64_t id) {
  Steadiness result{.id = id};
  std::vector<double> values;
  for (const Block& block : blocks)
    for (const Trial* trial : block.trials) {
      if (trial->configuration_id != id) continue;
      result.failed += trial->outcome == Outcome::failed ? 1 : 0;
      result.invalid += trial->outcome == Outcome::invalid ? 1 : 0;
      const auto value = strategies::measured_objective(experiment, *trial);
      if (!value) continue;
      values.push_back(*value);
      result.suspect += trial->suspect ? 1 : 0;
    }
  const auto summary = strategies::summarise_values(values);
  if (!summary) return result;
  result.n = summary->n;
  result.mean = summary->mean;
  result.minimum = summary->minimum;
  result.maximum = summary->maximum;
  result.coefficient_of_variation = strategies::coefficient_of_variation(*summary);
  if (summary->n > 1) result.worst_share = (less_is_better(experiment) ? summary->maximum : summary->minimum) / summary->mean;
  return result;
}

std::vector<PairDifference> pairs_of(std::span<const std::int64_t> ids, Pairs which) {
  std::vector<PairDifference> pairs;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (which == Pairs::with_baseline && ids[i] != kBaselineId) pairs.push_back({.id = ids[i], .versus = kBaselineId});
    // The baseline is what others are held against, wherever it was named.
    for (std::size_t j = i + 1; which == Pairs::all && j < ids.size(); ++j) {
      const bool turned = ids[i] == kBaselineId;
      pairs.push_back({.id = turned ? ids[j] : ids[i], .versus = turned ? ids[i] : ids[j]});
    }
  }
  return pairs;
}

std::optional<std::vector<std::int64_t>> may_be_best(const Experiment& experiment, const std::vector<Block>& blocks,
                                                     std::span<const std::int64_t> ids) {
  std::vector<std::vector<double>> complete;
  for (const Block& block : blocks) {
    std::vector<double> logs;
    for (const std::int64_t id : ids)
      if (const auto value = strategies::objective_in(experiment, block, id)) logs.push_back(std::log(*value));
    if (logs.size() == ids.size()) complete.push_back(std::move(logs));
  }
  const auto set = strategies::best_set(complete);
  if (!set) return std::nullopt;
  std::vector<std::int64_t> best;
  for (const strategies::BestCandidate& arm : set->arms)
    if (arm.may_be_best) best.push_back(ids[arm.arm]);
  return best;
}

SideBySide compared(const Experiment& experiment, const std::vector<Block>& blocks, std::span<const std::int64_t> ids, Pairs which,
                    double alpha) {
  SideBySide result{.configurations = {}, .pairs = pairs_of(ids, which), .alpha = alpha};
  for (const std::int64_t id : ids) result.configurations.push_back(steadiness_of(experiment, blocks, id));
  for (PairDifference& pair : result.pairs) {
    const auto differences = strategies::log_differences(experiment, blocks, pair.id, pair.versus);
    pair.blocks = static_cast<int>(differences.size());
    pair.comparison = strategies::compare_paired_log(differences, alpha);
  }
  if (which == Pairs::all && ids.size() > 2) result.may_be_best = may_be_best(experiment, blocks, ids);
  return result;
}

/// Blocks of the study itself, or of others where it has none, without the pilot (the baseline alone).
std::vector<Block> recorded_blocks(const StudyView& study) {
  const bool only_imported = std::ranges::all_of(study.trials, [](const Trial& trial) { return trial.imported_from.has_value(); });
  auto blocks = strategies::blocks_of(study);
  std::erase_if(blocks, [&](const Block& block) {
    const bool is_other = block.trials.front()->imported_from.has_value() && !only_imported;
    return is_other || block.purpose == Purpose::pilot || block.purpose == Purpose::profile;
  });
  return blocks;
}

}  // namespace

SideBySide side_by_side(const StudyView& study, std::span<const Trial> trials, std::span<const std::int64_t> configurations, Pairs pairs,
                        double alpha) {
  StudyView view{.experiment = study.experiment, .space = {}, .configurations = {}, .trials = {}, .decisions = {}};
  view.trials.assign(trials.begin(), trials.end());
  return compared(study.experiment, strategies::blocks_of(view), configurations, pairs, alpha);
}

SideBySide side_by_side_in_record(const StudyView& study, std::span<const std::int64_t> configurations) {
  const auto all = recorded_blocks(study);
  auto settled = all;
  std::erase_if(settled, [](const Block& block) { return block.purpose == Purpose::search; });
  SideBySide result = compared(study.experiment, settled, configurations, Pairs::all, kAlpha);
  result.source = BlockSource::settled;
  if (std::ranges::all_of(result.pairs, [](const PairDifference& pair) { return pair.comparison.has_value(); })) return result;
  result = compared(study.experiment, all, configurations, Pairs::all, kAlpha);
  result.source = BlockSource::searched;
  return result;
}

}  // namespace netsettle::tuner
