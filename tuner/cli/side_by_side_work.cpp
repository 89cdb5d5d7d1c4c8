#include "tuner/cli/side_by_side_work.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "strategies/racing/next_step.hpp"
#include "strategies/statistics/planning.hpp"
#include "tuner/report/json_parts.hpp"
#include "tuner/report/report_data.hpp"
#include "tuner/report/side_by_side_text.hpp"
#include "tuner/report/text.hpp"

namespace netsettle::tuner {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kFewestBlocks = 2, kUsualBlocks = 6, kMostBlocks = 1000;
constexpr double kTwofold = 1;
constexpr std::size_t kLogWidth = 120;

std::size_t width() {
  const int columns = terminal_width();
  return columns > 0 ? static_cast<std::size_t>(columns) : kLogWidth;
}

void print_paragraph(const std::string& text) {
  for (const std::string& line : wrapped(text, width())) fmt::print("{}\n", line);
}

/// The smallest difference that the blocks show with probability 0.8, by the pilot's noise.
std::optional<double> provable(const SideBySideWork& work) {
  const auto pilot = strategies::pilot_of(work.own.record.view);
  if (!pilot) return std::nullopt;
  return strategies::detectable_effect({.noise = pilot->coefficient_of_variation, .blocks = work.blocks, .alpha = work.alpha});
}

void print_plan(const SideBySideWork& work) {
  const StudyView& view = work.own.record.view;
  fmt::print("{} fresh blocks, each of these in random order:\n", work.blocks);
  for (const std::int64_t id : work.configurations)
    fmt::print("  {:>4}  {}\n", id, changes(view, find_configuration(view, id)->configuration));
  if (const auto effect = provable(work))
    print_paragraph(*effect > kTwofold ? "By the pilot's noise so few blocks hardly show anything."
                                       : fmt::format("By the pilot's noise they show differences from about {:.1f} % on.", 100 * *effect));
  print_paragraph(work.own.is_recorded
                      ? "They go into the record as trials of your own: the study's search and verdict do not look at them."
                      : "The record stays as it is.");
}

Json plan_json(const SideBySideWork& work, const Experiment& experiment) {
  Json ids = Json::array();
  for (const std::int64_t id : work.configurations) ids.push_back(id);
  const auto effect = provable(work);
  const auto trials = static_cast<std::size_t>(work.blocks) * work.configurations.size();
  return {{"record", work.own.record.path.string()},
          {"recorded", work.own.is_recorded},
          {"configuration_ids", std::move(ids)},
          {"planned_blocks", work.blocks},
          {"planned_trials", trials},
          {"planned_seconds", trial_seconds(experiment) * static_cast<double>(trials)},
          {"provable_effect", effect ? Json(*effect) : Json(nullptr)}};
}

int print_dry_run(const SideBySideWork& work, const Experiment& experiment) {
  const Json json = plan_json(work, experiment);
  if (work.own.as_json) {
    fmt::print("{}\n", json.dump(2));
    return kDone;
  }
  print_plan(work);
  const auto seconds = static_cast<std::int64_t>(json["planned_seconds"].get<double>());
  fmt::print("{} trials, about {}. A dry run: nothing was measured.\n", json["planned_trials"].get<std::size_t>(),
             format_duration_us(seconds * 1'000'000));
  return kDone;
}

bool is_complete(const std::vector<OwnTrial>& planned, const std::vector<Trial>& trials) {
  std::set<std::pair<int, int>> places;
  for (const Trial& trial : trials) places.insert({trial.block, trial.position});
  return places.size() == planned.size();
}

int measure(const SideBySideWork& work, const RigWork& rig) {
  const StudyView& view = work.own.record.view;
  const auto planned = plan_own_blocks(view, work.configurations, work.blocks);
  if (!planned) return print_error(planned.error());
  if (!work.own.as_json) print_plan(work);
  const auto trials = run_own_trials(work.own, rig, *planned, view.experiment.trial.attempts);
  if (!trials) return trials.error();
  const bool complete = is_complete(*planned, *trials);
  const SideBySide compared = side_by_side(view, *trials, work.configurations, work.pairs, work.alpha);
  const std::string conclusion = complete ? work.conclusion(compared) : "";
  Json json = plan_json(work, rig.experiment);
  json["complete"] = complete;
  json["trials"] = Json::array();
  for (const Trial& trial : *trials) json["trials"].push_back(trial_object(trial));
  print_side_by_side(work.own, compared, conclusion, std::move(json));
  if (!work.own.as_json && !complete)
    print_paragraph(
        fmt::format("Ended before the {} blocks were complete: there is no conclusion. Who may stop when the numbers look good "
                    "errs more often than the intervals say.",
                    work.blocks));
  if (!work.own.as_json && complete && !work.note.empty()) print_paragraph(work.note);
  const bool any = std::ranges::any_of(compared.pairs, [](const PairDifference& pair) { return pair.comparison.has_value(); });
  return any && complete ? kDone : kEndedEarly;
}

}  // namespace

Expected<int> blocks_of_line(const CommandLine& line) {
  if (!line.has("blocks")) return kUsualBlocks;
  const auto blocks = whole_number(line.text("blocks"), kFewestBlocks, kMostBlocks);
  if (!blocks)
    return fail(ErrorCode::invalid_input, "--blocks", fmt::format("a number from {} to {} is needed", kFewestBlocks, kMostBlocks));
  return static_cast<int>(*blocks);
}

int run_side_by_side(const SideBySideWork& work) {
  const auto experiment = parsed_experiment(work.own.record.study);
  if (!experiment) return print_error(experiment.error());
  const auto before = [&](const Machine& machine) {
    const auto refused = refuse_other_machine(work.own, *experiment, machine);
    return refused || !work.is_dry_run ? refused : std::optional(print_dry_run(work, *experiment));
  };
  return work_in_rig_of(*experiment, before, [&](const RigWork& rig) { return measure(work, rig); });
}

void print_side_by_side(const OwnWork& own, const SideBySide& compared, const std::string& conclusion, Json json) {
  const StudyView& view = own.record.view;
  if (own.as_json) {
    json.update(side_by_side_json(view, compared));
    json["conclusion"] = conclusion.empty() ? Json(nullptr) : Json(conclusion);
    fmt::print("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
    return;
  }
  fmt::print("\n{}\n", side_by_side_text(view, compared, width()));
  if (!conclusion.empty()) print_paragraph(conclusion);
}

}  // namespace netsettle::tuner
