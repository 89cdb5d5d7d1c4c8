#include "strategies/racing/confirmation.hpp"

#include <algorithm>
#include <cmath>

#include "strategies/racing/next_step.hpp"
#include "strategies/racing/pilot.hpp"
#include "strategies/search/plan.hpp"
#include "strategies/search/standing.hpp"
#include "strategies/statistics/summary.hpp"

namespace netsettle::strategies {
namespace {

constexpr double kWorstShare = 0.75;
constexpr double kHarmlessVariation = 0.05;
constexpr double kSpreadAlpha = 0.01;

std::vector<double> logarithms(const std::vector<double>& values) {
  std::vector<double> logs;
  std::ranges::transform(values, std::back_inserter(logs), [](double value) { return std::log(value); });
  return logs;
}

std::vector<double> values_of(const Experiment& experiment, const std::vector<Block>& blocks, std::int64_t configuration_id) {
  std::vector<double> values;
  for (const Block& block : blocks)
    if (const auto value = objective_in(experiment, block, configuration_id)) values.push_back(*value);
  return values;
}

/// The last promotion, unless its verdict was given already.
const Decision* open_promotion(const StudyView& study) {
  const Decision* promoted = nullptr;
  for (const Decision& decision : study.decisions) {
    if (decision.kind == DecisionKind::promote) promoted = &decision;
    if (is_verdict(decision.kind)) promoted = nullptr;
  }
  return promoted;
}

/// Blocks before this one were another confirmation's.
int first_block_of(const Decision& promoted) { return number_in_inputs(promoted, "first_block").value_or(1); }

std::vector<Block> complete_blocks(const Experiment& experiment, std::vector<Block> blocks, std::int64_t leader_id) {
  std::erase_if(blocks, [&](const Block& block) {
    return !objective_in(experiment, block, leader_id) || !objective_in(experiment, block, kBaselineId);
  });
  return blocks;
}

}  // namespace

std::optional<Instability> find_instability(const std::vector<double>& leader, const std::vector<double>& baseline) {
  if (std::ssize(leader) < kMinimumConfirmation || std::ssize(baseline) < kMinimumConfirmation) return std::nullopt;
  const Summary ours = *summarise_values(leader), reference = *summarise_values(baseline);
  Instability found{.leader_variation = coefficient_of_variation(ours).value_or(0),
                    .baseline_variation = coefficient_of_variation(reference).value_or(0),
                    .p = std::nullopt,
                    .rule = "worst-trial"};
  if (ours.minimum < kWorstShare * ours.mean && reference.minimum >= kWorstShare * reference.mean) return found;
  found.rule = "spread-f-test";
  found.p = spread_ratio_p(*summarise_values(logarithms(leader))->standard_deviation, ours.n,
                           *summarise_values(logarithms(baseline))->standard_deviation, reference.n);
  if (found.leader_variation > kHarmlessVariation && found.p && *found.p < kSpreadAlpha) return found;
  return std::nullopt;
}

std::optional<Confirmation> confirmation_of(const StudyView& study) {
  const Decision* promoted = open_promotion(study);
  if (promoted == nullptr || !promoted->configuration_id) return std::nullopt;
  std::vector<Block> blocks = only(blocks_of(study), Purpose::confirm);
  std::erase_if(blocks, [first = first_block_of(*promoted)](const Block& block) { return block.number < first; });
  Confirmation confirmation{.leader_id = *promoted->configuration_id,
                            .planned = promoted->n.value_or(kMinimumConfirmation),
                            .tried = static_cast<int>(blocks.size()),
                            .alpha = promoted->alpha.value_or(kAlpha),
                            .complete = complete_blocks(study.experiment, blocks, *promoted->configuration_id),
                            .comparison = std::nullopt,
                            .failures = failures_of(study, *promoted->configuration_id, Purpose::confirm),
                            .obstacle = obstacle_of(study, *promoted->configuration_id, Purpose::confirm),
                            .instability = std::nullopt};
  const std::int64_t leader = confirmation.leader_id;
  confirmation.comparison = compare_paired_log(log_differences(study.experiment, confirmation.complete, leader), confirmation.alpha);
  confirmation.instability = find_instability(values_of(study.experiment, confirmation.complete, leader),
                                              values_of(study.experiment, confirmation.complete, kBaselineId));
  return confirmation;
}

}  // namespace netsettle::strategies
