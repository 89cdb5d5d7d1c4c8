#pragma once
// A finished study with three configurations, for the tests of this folder. Made by hand: what strategies conclude is tested there.

#include "tuner/report/report_data.hpp"

namespace netsettle::tuner {

struct Sample {
  StudyView study;
  datasets::StudyRecord record;
  std::vector<strategies::ConfigurationSummary> summaries;
  std::optional<strategies::StudyVerdict> verdict;
  std::optional<strategies::PilotResult> pilot;

  ReportData data() const { return {.study = study, .record = record, .summaries = summaries, .verdict = verdict, .pilot = pilot}; }
};

inline Parameter sample_parameter(const std::string& name, const std::string& sets, ParameterType type) {
  Parameter parameter;
  parameter.name = name;
  parameter.sets = {sets};
  parameter.type = type;
  return parameter;
}

inline StudyView sample_study() {
  StudyView study;
  study.experiment.study.name = "quick";
  study.experiment.load.queries = "/somewhere/queries/mixed-1k.txt";
  study.experiment.budget.trials = 46;
  study.experiment.parameters = {sample_parameter("processes", "server.processes", ParameterType::integer),
                                 sample_parameter("rmem", "sysctl.net.core.rmem_max", ParameterType::bytes)};
  const auto configuration = [](Value processes, Value rmem) { return Configuration{{{"processes", processes}, {"rmem", rmem}}}; };
  study.configurations = {{1, configuration(AsFound{}, AsFound{}), "baseline"},
                          {2, configuration(std::int64_t{2}, std::int64_t{4194304}), "random"},
                          {3, configuration(std::int64_t{4}, AsFound{}), "random"}};
  Trial measured{
      .id = 1, .configuration_id = 1, .purpose = Purpose::pilot, .block = 1, .state = TrialState::done, .outcome = Outcome::measured};
  measured.measurements = {{"qps", 41234.4}, {"lost_percent", 0.0}};
  measured.started_us = 1'796'020'200'000'000;
  Trial invalid{
      .id = 2, .configuration_id = 2, .purpose = Purpose::search, .block = 2, .state = TrialState::done, .outcome = Outcome::invalid};
  invalid.reasons = {{"clock-step", "the clock was set during the measurement"}};
  study.trials = {measured, invalid};
  return study;
}

/// A block of the confirmation: configuration 2 and the baseline.
inline void add_block(StudyView& study, double ours, double baseline) {
  const int block = study.trials.back().block + 1;
  int position = 0;
  for (const auto& [id, rate] : {std::pair{2, ours}, std::pair{1, baseline}}) {
    Trial trial{.id = study.trials.back().id + 1,
                .configuration_id = id,
                .purpose = Purpose::confirm,
                .block = block,
                .position = position++,
                .state = TrialState::done,
                .outcome = Outcome::measured};
    trial.measurements["qps"] = rate;
    study.trials.push_back(trial);
  }
}

inline Sample sample() {
  Sample result;
  result.study = sample_study();
  result.record.name = "quick";
  result.record.spec_file = "it's/quick.toml";
  result.record.spec_text = "schema = 1\n";
  result.record.overrides = {"budget.trials=46"};
  result.record.spec_hash = "abc";
  result.record.seed = 20261130;
  result.record.status = datasets::StudyStatus::converged;
  result.record.created_us = 1'796'020'200'000'000;
  result.record.host_facts_json = R"({"kernel_release":"6.1.0","server_cpus":"0-1","load_cpus":"1"})";
  result.summaries = {
      {.id = 1, .n = 20, .mean = 41234.4, .minimum = 39800, .maximum = 42100},
      {.id = 2,
       .n = 9,
       .invalid = 1,
       .mean = 54100,
       .minimum = 52300,
       .maximum = 55900,
       .versus_baseline = strategies::Interval95{0.31, 0.241, 0.38}},
      {.id = 3, .n = 2, .mean = 60000, .minimum = 1000.4, .maximum = 61000, .versus_baseline = strategies::Interval95{-0.02, -0.3, 0.26}}};
  result.verdict = strategies::StudyVerdict{.kind = strategies::VerdictKind::winner,
                                            .configuration_id = 2,
                                            .leader_id = 2,
                                            .effect = strategies::Interval95{0.31, 0.24, 0.38},
                                            .blocks = 6,
                                            .statement = "processes=2, rmem=4 MiB beats the settings you had by 31 %."};
  result.pilot = strategies::PilotResult{.n = 6, .mean = 41000, .coefficient_of_variation = 0.021, .provable_effect = 0.034};
  return result;
}

}  // namespace netsettle::tuner
