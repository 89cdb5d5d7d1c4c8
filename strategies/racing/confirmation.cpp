#include "strategies/racing/confirmation.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "strategies/racing/next_step.hpp"
#include "strategies/racing/pilot.hpp"
#include "strategies/search/plan.hpp"
#include "strategies/search/standing.hpp"
#include "strategies/statistics/summary.hpp"

namespace netsettle::strategies {
namespace {

constexpr double kWorstShare = 0.75;
constexpr double kSpreadAlpha = 0.01;
constexpr int kSteadyValues = 20;
constexpr int kTailValues = 12;
constexpr double kTailShare = 0.9;
constexpr double kTailRatio = 2;

std::vector<double> logarithms(const std::vector<double>& values) {
  std::vector<double> logs;
  std::ranges::transform(values, std::back_inserter(logs), [](double value) { return std::log(value); });
  return logs;
}

/// How far the 5 % quantile (linear between order statistics) lies below the mean, as a share of it.
double tail_depth(std::vector<double> values, double mean) {
  std::ranges::sort(values);
  const double place = 0.05 * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const double quantile = std::lerp(values[below], values[std::min(below + 1, values.size() - 1)], place - std::floor(place));
  return 1 - quantile / mean;
}

/// The decisions since the last verdict from the first promotion of finalists on.
std::vector<const Decision*> open_decisions(const StudyView& study) {
  std::vector<const Decision*> decisions;
  for (const Decision& decision : study.decisions) {
    if (is_verdict(decision.kind))
      decisions.clear();
    else if (!decisions.empty() || decision.kind == DecisionKind::promote)
      decisions.push_back(&decision);
  }
  return decisions;
}

std::optional<Selection> selection_in(const Decision& promoted, std::size_t arms) {
  const auto inputs = nlohmann::json::parse(promoted.inputs_json, nullptr, false);
  if (!inputs.is_object() || !inputs.contains("selection") || arms < 2) return std::nullopt;
  const auto& given = inputs.at("selection");
  const auto number = [&](const char* name) { return given.is_object() && given.contains(name) && given.at(name).is_number(); };
  if (!number("alpha") || !number("delta") || !number("first_blocks")) return std::nullopt;
  return Selection{.plan = {.alpha = given.at("alpha").get<double>(),
                            .delta = std::log1p(given.at("delta").get<double>()),
                            .first_blocks = given.at("first_blocks").get<int>(),
                            .borrowed = std::nullopt},
                   .arms = arms,
                   .may_claim = given.contains("may_claim") && given.at("may_claim") == true};
}

void apply(const Decision& decision, Finalist& finalist) {
  if (decision.kind == DecisionKind::unstable) finalist.state = FinalistState::unstable;
  if (decision.kind != DecisionKind::eliminate) return;
  if (decision.method == "failed-trial" || decision.method == "subject-to") finalist.state = FinalistState::failing;
  if (decision.method != "kim-nelson") return;  // a finalist may also be a smaller change that did not hold
  finalist.state = FinalistState::eliminated;
  finalist.beaten_by = decision.versus;
}

bool is_complete(const Experiment& experiment, const Block& block) {
  return objective_in(experiment, block, kBaselineId) && std::ranges::all_of(block.trials, [&](const Trial* trial) {
           return trial->outcome == Outcome::failed || objective_of(experiment, *trial);
         });
}

std::vector<Block> fresh_blocks(const StudyView& study, const Decision& promoted) {
  // Blocks before this one were another confirmation's.
  const int first = number_in_inputs(promoted, "first_block").value_or(1);
  std::vector<Block> blocks = only(blocks_of(study), Purpose::confirm);
  std::erase_if(blocks, [first](const Block& block) { return block.number < first; });
  return blocks;
}

/// Whether the values spread by more than is harmless, and by more than a reference of which `n` values had this standard deviation of
/// their logarithms (F test). Names the rule and its p value.
bool spreads_more(const std::vector<double>& values, double deviation, int n, Instability& found) {
  found.rule = "spread-f-test";
  found.p = spread_ratio_p(*summarise_values(logarithms(values))->standard_deviation, static_cast<int>(std::ssize(values)), deviation, n);
  return found.leader_variation > kHarmlessVariation && found.p && *found.p < kSpreadAlpha;
}

}  // namespace

int Confirmation::open() const { return static_cast<int>(std::ranges::count(finalists, FinalistState::open, &Finalist::state)); }

double Confirmation::test_alpha() const { return alpha / static_cast<double>(std::max<std::size_t>(1, finalists.size())); }

const Finalist* Confirmation::find(std::int64_t configuration_id) const {
  const auto found = std::ranges::find(finalists, configuration_id, &Finalist::id);
  return found == finalists.end() ? nullptr : &*found;
}

std::optional<Instability> find_instability(const std::vector<double>& finalist, const std::vector<double>& reference) {
  if (std::ssize(finalist) < kMinimumConfirmation || std::ssize(reference) < kMinimumConfirmation) return std::nullopt;
  const Summary ours = *summarise_values(finalist), theirs = *summarise_values(reference);
  Instability found{.leader_variation = coefficient_of_variation(ours).value_or(0),
                    .baseline_variation = coefficient_of_variation(theirs).value_or(0),
                    .p = std::nullopt,
                    .rule = "worst-trial"};
  if (ours.minimum < kWorstShare * ours.mean && theirs.minimum >= kWorstShare * theirs.mean) return found;
  found.rule = "low-tail";
  const double depth = tail_depth(finalist, ours.mean);
  if (ours.n >= kTailValues && depth > 1 - kTailShare && depth > kTailRatio * tail_depth(reference, theirs.mean)) return found;
  if (spreads_more(finalist, *summarise_values(logarithms(reference))->standard_deviation, theirs.n, found)) return found;
  return std::nullopt;
}

namespace {

/// By the spread that the search's model expects of the steadiest, as if it had been measured kSteadyValues times.
std::optional<Instability> unsteady(const Confirmation& confirmation, const BlockPairs& pairs) {
  if (!confirmation.steady_spread || std::ssize(pairs.values) < kMinimumConfirmation) return std::nullopt;
  if (coefficient_of_variation(*summarise_values(pairs.versus)).value_or(0) <= kHarmlessVariation) return std::nullopt;
  Instability found{.leader_variation = coefficient_of_variation(*summarise_values(pairs.values)).value_or(0),
                    .baseline_variation = *confirmation.steady_spread,
                    .versus_id = std::nullopt,
                    .p = std::nullopt,
                    .rule = ""};
  if (spreads_more(pairs.values, std::max(kHarmlessVariation, *confirmation.steady_spread), kSteadyValues, found)) return found;
  return std::nullopt;
}

/// Against the baseline first, then against each other finalist that is still in; then, where the baseline is no measure, against the
/// steadiest of the search.
std::optional<Instability> instability_of(const Experiment& experiment, const Confirmation& confirmation, const Finalist& finalist) {
  std::vector<std::int64_t> references{kBaselineId};
  for (const Finalist& other : confirmation.finalists)
    if (other.id != finalist.id && other.state == FinalistState::open) references.push_back(other.id);
  for (const std::int64_t id : references) {
    const BlockPairs pairs = pairs_in(experiment, confirmation.complete, finalist.id, id);
    if (auto found = find_instability(pairs.values, pairs.versus)) {
      found->versus_id = id;
      return found;
    }
  }
  return unsteady(confirmation, pairs_in(experiment, confirmation.complete, finalist.id, kBaselineId));
}

}  // namespace

std::optional<Confirmation> confirmation_of(const StudyView& study) {
  const std::vector<const Decision*> decisions = open_decisions(study);
  Confirmation confirmation;
  for (const Decision* decision : decisions)
    if (decision->kind == DecisionKind::promote && decision->configuration_id)
      confirmation.finalists.push_back({.id = *decision->configuration_id});
  if (confirmation.finalists.empty()) return std::nullopt;
  const Decision& promoted = *decisions.front();
  const double finalists = static_cast<double>(confirmation.finalists.size());
  confirmation.planned = promoted.n.value_or(kMinimumConfirmation);
  confirmation.alpha = promoted.alpha.value_or(kAlpha / finalists) * finalists;
  confirmation.selection = selection_in(promoted, confirmation.finalists.size());
  confirmation.steady_spread = value_in_inputs(promoted, "steady_spread");
  confirmation.complete = fresh_blocks(study, promoted);
  confirmation.tried = static_cast<int>(confirmation.complete.size());
  std::erase_if(confirmation.complete, [&](const Block& block) { return !is_complete(study.experiment, block); });
  if (std::ssize(confirmation.complete) > confirmation.planned)
    confirmation.complete.resize(static_cast<std::size_t>(confirmation.planned));
  for (Finalist& finalist : confirmation.finalists) {
    for (const Decision* decision : decisions)
      if (decision->configuration_id == finalist.id) apply(*decision, finalist);
    finalist.comparison =
        compare_paired_log(log_differences(study.experiment, confirmation.complete, finalist.id), confirmation.test_alpha());
    finalist.failures = failures_of(study, finalist.id, Purpose::confirm);
    finalist.obstacle = obstacle_of(study, finalist.id, Purpose::confirm);
  }
  for (Finalist& finalist : confirmation.finalists) finalist.instability = instability_of(study.experiment, confirmation, finalist);
  return confirmation;
}

std::vector<ArmValues> finalist_values(const Experiment& experiment, const Confirmation& confirmation) {
  std::vector<ArmValues> values;
  for (const Block& block : confirmation.complete) {
    ArmValues& row = values.emplace_back();
    for (const Finalist& finalist : confirmation.finalists) {
      const bool left = finalist.state == FinalistState::failing || finalist.state == FinalistState::unstable;
      const auto value = left ? std::nullopt : objective_in(experiment, block, finalist.id);
      row.push_back(value ? std::optional(std::log(*value)) : std::nullopt);
    }
  }
  return values;
}

}  // namespace netsettle::strategies
