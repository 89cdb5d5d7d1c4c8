#pragma once
// Small experiments and records for the tests of strategies/.

#include "datasets/model/study_view.hpp"
#include "strategies/worlds/simulation.hpp"

namespace netsettle::strategies {

inline Expression expression(std::string_view text) { return Expression::parse(text).value(); }

/// A parameter with these whole numbers as levels.
inline Parameter levels(std::string name, const std::vector<std::int64_t>& numbers) {
  Parameter parameter{.name = name, .sets = {"server." + name}};
  for (const std::int64_t number : numbers) parameter.values.emplace_back(number);
  return parameter;
}

inline Parameter range(std::string name, double low, double high) {
  return {.name = name, .sets = {"server." + name}, .low = Expression::number(low), .high = Expression::number(high)};
}

inline Experiment experiment_of(std::vector<Parameter> parameters) {
  Experiment experiment;
  experiment.study.name = "test";
  experiment.parameters = std::move(parameters);
  return experiment;
}

inline SearchSpace space_of(const Experiment& experiment) {
  auto space = SearchSpace::resolve(experiment, {{"cpus", 8}}, {});
  if (!space) throw std::runtime_error(to_text(space.error().front()));
  return *space;
}

inline StudyView fresh(const Experiment& experiment) { return fresh_study(experiment, space_of(experiment)); }

inline Configuration with_value(std::string name, std::int64_t value) { return {.values = {{std::move(name), Value(value)}}}; }

/// Records a configuration; its id.
inline std::int64_t add_configuration(StudyView& study, Configuration configuration) {
  study.configurations.push_back({std::ssize(study.configurations) + 1, std::move(configuration), "random"});
  return study.configurations.back().id;
}

struct Seen {
  std::int64_t configuration = kBaselineId;
  double qps = 0;
  Outcome outcome = Outcome::measured;
};

/// Adds one block of done trials.
inline void add_block(StudyView& study, Purpose purpose, const std::vector<Seen>& trials) {
  const int block = study.trials.empty() ? 1 : study.trials.back().block + 1;
  int position = 0;
  for (const Seen& seen : trials) {
    Trial trial{.id = std::ssize(study.trials) + 1,
                .configuration_id = seen.configuration,
                .purpose = purpose,
                .block = block,
                .position = position++,
                .state = TrialState::done,
                .outcome = seen.outcome};
    if (seen.outcome == Outcome::measured) trial.measurements["qps"] = seen.qps;
    study.trials.push_back(std::move(trial));
  }
}

}  // namespace netsettle::strategies
