#include "tuner/loop/trial_runner.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "strategies/racing/next_step.hpp"
#include "strategies/validity/judge.hpp"
#include "tuner/report/account.hpp"

namespace netsettle::tuner {
namespace {

constexpr int kLowestPort = 10240, kHighestPort = 32000;  // below the kernel's default range, which starts at 32768

const StudyConfiguration* find_configuration(const StudyView& view, std::int64_t id) {
  const auto found = std::ranges::find(view.configurations, id, &StudyConfiguration::id);
  return found == view.configurations.end() ? nullptr : &*found;
}

TrialState final_state(const TrialEvidence& evidence, const Verdict& verdict) {
  if (evidence.failure == TrialFailure::interrupted) return TrialState::interrupted;
  return verdict.outcome == Outcome::failed ? TrialState::failed : TrialState::done;
}

}  // namespace

std::optional<int> first_source_port(const Experiment& experiment, int block) {
  if (experiment.load.source_ports == SourcePorts::random) return std::nullopt;
  const int used_block = experiment.load.source_ports == SourcePorts::fixed ? 0 : block;
  const int ports = std::max(1, experiment.load.clients * experiment.load.instances);
  const auto choices = static_cast<std::uint64_t>(kHighestPort - kLowestPort - ports);
  int first = kLowestPort + static_cast<int>(strategies::block_seed(experiment.study.seed ^ 0x706f727473ULL, used_block) % choices);
  const int server = experiment.server.port;
  if (first <= server && server < first + ports) first = server + 1;
  return first;
}

std::optional<std::string> abort_condition(const Experiment& experiment, const std::vector<Trial>& trials) {
  static const std::vector<std::string_view> kDefaults = {"memory_available_percent < 5", "consecutive_failures >= 5"};
  std::vector<Expression> conditions = experiment.safety.abort_if;
  if (conditions.empty())
    for (const auto text : kDefaults)
      if (auto condition = Expression::parse(text)) conditions.push_back(std::move(*condition));
  Measurements values = trials.back().measurements;
  values["consecutive_failures"] = strategies::consecutive_failures(trials);
  for (const auto& condition : conditions) {
    const auto names = condition.names();
    if (std::ranges::any_of(names, [&](const std::string& name) { return !values.contains(name); })) continue;
    const auto holds = condition.evaluate_bool([&](std::string_view name) -> std::optional<ExpressionValue> {
      const auto value = values.find(name);
      return value == values.end() ? std::nullopt : std::optional<ExpressionValue>(value->second);
    });
    if (holds && *holds) return fmt::format("abort_if: {} holds", condition.text());
  }
  return std::nullopt;
}

Expected<void> TrialRunner::run(const Trial& planned, strategies::StudyCourse& course, const Progress& progress) {
  const StudyView& view = course.study();
  const auto* configuration = find_configuration(view, planned.configuration_id);
  if (!configuration) return fail(ErrorCode::internal, "configuration", fmt::format("{} is not in the record", planned.configuration_id));
  NETSETTLE_ASSIGN(const auto settings, view.space.settings_of(configuration->configuration));
  Trial ended = planned;
  ended.started_us = host_.clock().utc().count();
  const runners::TrialRequest request{settings, first_source_port(view.experiment, planned.block)};
  Expected<void> recorded;
  const auto on_state = [&](TrialState state) {
    if (recorded) recorded = store_.set_trial_state(planned.id, state);
    observer_.progress(progress, state);
  };
  TrialEvidence evidence = runners::run_trial(rig_.setup(), request, stop_, on_state);
  NETSETTLE_TRY(std::move(recorded));
  evidence.artifacts.push_back({"account", account_of(evidence).dump()});
  const auto judgement = strategies::judge(view.experiment, evidence);
  ended.state = final_state(evidence, judgement.verdict);
  ended.outcome = judgement.verdict.outcome;
  ended.suspect = judgement.verdict.suspect;
  ended.reasons = judgement.verdict.reasons;
  ended.measurements = judgement.measurements;
  ended.ended_us = host_.clock().utc().count();
  NETSETTLE_TRY(course.end(ended, &evidence));
  observer_.trial_ended(ended, progress, view);
  return {};
}

}  // namespace netsettle::tuner
