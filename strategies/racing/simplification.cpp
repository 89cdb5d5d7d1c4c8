#include "strategies/racing/simplification.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "strategies/racing/confirmation.hpp"
#include "strategies/racing/next_step.hpp"
#include "strategies/search/plan.hpp"
#include "strategies/search/standing.hpp"

namespace netsettle::strategies {
namespace {

constexpr std::string_view kPlan = "simplification-plan";
constexpr std::string_view kTest = "non-inferiority-t-log";

const StudyConfiguration* find(const StudyView& study, std::int64_t id) {
  const auto found = std::ranges::find(study.configurations, id, &StudyConfiguration::id);
  return found == study.configurations.end() ? nullptr : &*found;
}

std::vector<std::string> dropped_in(const Decision& decision) {
  std::vector<std::string> names;
  const auto inputs = nlohmann::json::parse(decision.inputs_json, nullptr, false);
  if (!inputs.is_object() || !inputs.contains("dropped") || !inputs.at("dropped").is_array()) return names;
  for (const auto& name : inputs.at("dropped"))
    if (name.is_string()) names.push_back(name.get<std::string>());
  return names;
}

double delta_in(const Decision& decision) {
  const auto inputs = nlohmann::json::parse(decision.inputs_json, nullptr, false);
  const bool given = inputs.is_object() && inputs.contains("delta") && inputs.at("delta").is_number();
  return given ? inputs.at("delta").get<double>() : 0;
}

void fill_blocks(const StudyView& study, int first_block, SimplificationTest& test) {
  for (Block& block : only(blocks_of(study), Purpose::simplify)) {
    if (block.number < first_block) continue;
    ++test.tried;
    const bool complete = test.id && objective_in(study.experiment, block, *test.id) &&
                          objective_in(study.experiment, block, test.winner_id) && std::ssize(test.complete) < test.planned;
    if (complete) test.complete.push_back(std::move(block));
  }
}

std::optional<SimplificationTest> test_of(const StudyView& study, const Decision& plan) {
  const StudyConfiguration* const winner = find(study, plan.configuration_id.value_or(kBaselineId));
  if (winner == nullptr) return std::nullopt;
  SimplificationTest test{.winner_id = winner->id, .dropped = dropped_in(plan), .delta = delta_in(plan), .planned = plan.n.value_or(0)};
  const auto simpler = without(study.space, winner->configuration, test.dropped);
  if (!simpler) return std::nullopt;
  test.simpler = *simpler;
  const auto known = std::ranges::find(study.configurations, test.simpler, &StudyConfiguration::configuration);
  if (known != study.configurations.end()) test.id = known->id;
  fill_blocks(study, number_in_inputs(plan, "first_block").value_or(1), test);
  if (!test.id) return test;
  test.comparison = compare_paired_log(log_differences(study.experiment, test.complete, *test.id, test.winner_id), kSimplificationAlpha);
  test.failures = failures_of(study, *test.id, Purpose::simplify);
  test.obstacle = obstacle_of(study, *test.id, Purpose::simplify);
  if (!test.obstacle.empty()) return test;
  std::vector<double> ours, reference;
  for (const Block& block : test.complete) {
    ours.push_back(*objective_in(study.experiment, block, *test.id));
    reference.push_back(*objective_in(study.experiment, block, test.winner_id));
  }
  if (find_instability(ours, reference)) test.obstacle = "it is unstable";
  return test;
}

}  // namespace

bool SimplificationTest::wants_more() const {
  const int most = planned + std::max(2, planned / 2);
  return std::ssize(complete) < planned && tried < most && failures == 0;
}

bool SimplificationTest::holds() const {
  return obstacle.empty() && comparison && comparison->n >= kMinimumConfirmation && comparison->low > -delta;
}

Simplification simplification_of(const StudyView& study) {
  Simplification found;
  const Decision* plan = nullptr;
  for (const Decision& decision : study.decisions) {
    if (is_verdict(decision.kind) || decision.kind == DecisionKind::promote) {
      found = {};
      plan = nullptr;
    }
    if (decision.method == kPlan) plan = &decision;
    if (decision.method != kTest) continue;
    plan = nullptr;
    found.failed = decision.kind != DecisionKind::suggest;
    if (found.failed) continue;
    found.held = dropped_in(decision);
    found.smallest_id = decision.configuration_id;
  }
  if (plan != nullptr) found.open = test_of(study, *plan);
  return found;
}

std::optional<Decision> simplification_plan(const StudyView& study, const Simplification& before, std::int64_t winner_id, double delta,
                                            int blocks, int affordable, SurrogateMemory* memory) {
  const StudyConfiguration* const winner = find(study, winner_id);
  if (before.failed || winner == nullptr || affordable < 2 * kMinimumConfirmation) return std::nullopt;
  const auto change = smaller_change(study, winner->configuration, before.held, delta, memory);
  if (!change) return std::nullopt;
  const nlohmann::json inputs = {{"dropped", change->dropped},
                                 {"predicted_loss", change->predicted_loss},
                                 {"delta", delta},
                                 {"scale", "log"},
                                 {"minimum_blocks", kMinimumConfirmation},
                                 {"first_block", next_block_number(study)}};
  return Decision{.kind = DecisionKind::suggest,
                  .configuration_id = winner_id,
                  .versus = winner_id,
                  .method = std::string(kPlan),
                  .n = std::clamp(blocks, kMinimumConfirmation, affordable / 2),
                  .alpha = kSimplificationAlpha,
                  .inputs_json = inputs.dump()};
}

Decision simplification_result(const StudyView& study, const SimplificationTest& test) {
  auto blocks = nlohmann::json::array();
  for (const Block& block : test.complete)
    blocks.push_back({{"block", block.number},
                      {"smaller", *objective_in(study.experiment, block, *test.id)},
                      {"winner", *objective_in(study.experiment, block, test.winner_id)}});
  nlohmann::json inputs = {
      {"dropped", test.dropped}, {"delta", test.delta}, {"planned_blocks", test.planned}, {"blocks", std::move(blocks)}};
  if (!test.obstacle.empty()) inputs["reason"] = test.obstacle;
  Decision decision{.kind = test.holds() ? DecisionKind::suggest : DecisionKind::eliminate,
                    .configuration_id = test.id.value_or(test.winner_id),
                    .versus = test.winner_id,
                    .method = std::string(kTest),
                    .n = static_cast<int>(test.complete.size()),
                    .alpha = kSimplificationAlpha,
                    .inputs_json = inputs.dump()};
  if (test.comparison) {
    decision.effect = test.comparison->effect;
    decision.low = test.comparison->low;
    decision.high = test.comparison->high;
  }
  return decision;
}

}  // namespace netsettle::strategies
