#include "tuner/loop/study.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "datasets/model/experiment_file.hpp"

namespace netsettle::tuner {

std::filesystem::path default_database(const std::string& study_name) { return study_name + ".netsettle.db"; }

Expected<Experiment> parsed_experiment(const datasets::StudyRecord& record) {
  std::vector<Override> overrides;
  for (const auto& text : record.overrides) {
    NETSETTLE_ASSIGN(Override override_, parse_override(text));
    overrides.push_back(std::move(override_));
  }
  auto parsed = parse_experiment(record.spec_text, record.spec_file, overrides);
  if (!parsed)
    return fail(ErrorCode::mismatch, record.name,
                "the recorded experiment is not understood by this netsettle: " + to_text(parsed.error().front()));
  return std::move(*parsed);
}

Experiment without_dropped(Experiment experiment, const datasets::StudyRecord& record) {
  std::erase_if(experiment.parameters, [&](const Parameter& parameter) {
    return std::ranges::any_of(record.dropped, [&](const auto& dropped) { return dropped.first == parameter.name; });
  });
  return experiment;
}

Expected<Experiment> recorded_experiment(const datasets::StudyRecord& record) {
  NETSETTLE_ASSIGN(Experiment experiment, parsed_experiment(record));
  return without_dropped(std::move(experiment), record);
}

Expected<StudyView> load_view(const datasets::Store& store) {
  NETSETTLE_ASSIGN(const datasets::StudyRecord record, store.study());
  StudyView view;
  NETSETTLE_ASSIGN(view.experiment, recorded_experiment(record));
  auto space = SearchSpace::resolve(view.experiment, record.facts, record.as_found);
  if (!space) return std::unexpected(space.error().front());
  view.space = std::move(*space);
  NETSETTLE_ASSIGN(view.configurations, store.configurations());
  NETSETTLE_ASSIGN(view.trials, store.trials());
  NETSETTLE_ASSIGN(view.decisions, store.decisions());
  return view;
}

void use_budget(StudyView& view, const BudgetSection& budget) { view.experiment.budget = budget; }

}  // namespace netsettle::tuner
