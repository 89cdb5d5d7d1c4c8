#include "tuner/cli/simulate_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "strategies/worlds/score_summary.hpp"
#include "tuner/report/table.hpp"

namespace netsettle::tuner {
namespace {

using Json = nlohmann::ordered_json;

struct Row {
  const SimulatedCell* cell = nullptr;
  strategies::ScoreSummary scores;
  double cpu_s = 0;         // of a study, mean
  double ms_per_trial = 0;  // CPU, mean
  double slowest_s = 0;
};

std::vector<strategies::StudyScore> scores_of(const SimulatedCell& cell) {
  std::vector<strategies::StudyScore> scores;
  for (const SimulatedRun& run : cell.runs) scores.push_back(run.score);
  return scores;
}

std::vector<Row> rows_of(std::span<const SimulatedCell> cells, int budget) {
  std::vector<Row> rows;
  for (const SimulatedCell& cell : cells) {
    if (cell.budget != budget || cell.runs.empty()) continue;
    Row row{.cell = &cell, .scores = strategies::summarise_scores(scores_of(cell))};
    double cpu = 0, trials = 0;
    for (const SimulatedRun& run : cell.runs) {
      cpu += run.cpu_s;
      trials += run.score.trials;
      row.slowest_s = std::max(row.slowest_s, run.slowest_step_s);
    }
    row.cpu_s = cpu / row.scores.studies;
    row.ms_per_trial = trials > 0 ? 1000 * cpu / trials : 0;
    rows.push_back(row);
  }
  return rows;
}

std::string share(int part, int whole) { return whole == 0 ? "-" : fmt::format("{}/{}", part, whole); }
std::string whole_percent(double share) { return fmt::format("{:.0f} %", 100 * share); }
std::string error_of(const std::optional<double>& error) { return error ? fmt::format("{:.2f}", *error) : "-"; }

std::vector<std::string> cells_of(const std::string& world, StrategyKind strategy, const Row& row) {
  const strategies::ScoreSummary& s = row.scores;
  return {world,
          std::string(to_text(strategy)),
          std::to_string(s.studies),
          fmt::format("{:.2f}", s.mean),
          error_of(s.standard_error),
          fmt::format("{:.2f}", s.median),
          fmt::format("{:.2f}", s.p90),
          whole_percent(s.within_2),
          whole_percent(s.within_5),
          std::to_string(s.claims),
          std::to_string(s.wrong_claims),
          std::to_string(s.unstable),
          share(s.intervals_holding, s.intervals),
          fmt::format("{:.2f}", row.cpu_s),
          fmt::format("{:.1f}", row.ms_per_trial),
          fmt::format("{:.2f}", row.slowest_s),
          ""};
}

/// Over the machines, each with the same weight: counts are summed, standard errors of means add in squares.
Row mean_of(const std::vector<Row>& rows) {
  const double n = static_cast<double>(rows.size());
  Row mean{.scores = {.standard_error = std::nullopt}};
  double variance = 0;
  for (const Row& row : rows) {
    const strategies::ScoreSummary& s = row.scores;
    strategies::ScoreSummary& m = mean.scores;
    m.mean += s.mean / n;
    m.median += s.median / n;
    m.p90 += s.p90 / n;
    m.within_2 += s.within_2 / n;
    m.within_5 += s.within_5 / n;
    m.studies += s.studies;
    m.claims += s.claims;
    m.wrong_claims += s.wrong_claims;
    m.unstable += s.unstable;
    m.intervals += s.intervals;
    m.intervals_holding += s.intervals_holding;
    variance += std::pow(s.standard_error.value_or(std::nan("")) / n, 2);
    mean.cpu_s += row.cpu_s / n;
    mean.ms_per_trial += row.ms_per_trial / n;
    mean.slowest_s = std::max(mean.slowest_s, row.slowest_s);
  }
  if (!std::isnan(variance)) mean.scores.standard_error = std::sqrt(variance);
  return mean;
}

const std::vector<Column>& columns() {
  static const std::vector<Column> kColumns{
      {"world", Align::left, 0},    {"strategy", Align::left, 0}, {"studies", Align::right, 5},  {"regret %", Align::right, 0},
      {"s.e.", Align::right, 1},    {"median", Align::right, 2},  {"P90", Align::right, 2},      {"<= 2 %", Align::right, 2},
      {"<= 5 %", Align::right, 3},  {"claims", Align::right, 2},  {"wrong", Align::right, 1},    {"unstable", Align::right, 2},
      {"covered", Align::right, 3}, {"CPU s", Align::right, 4},   {"ms/trial", Align::right, 6}, {"slowest s", Align::right, 6}};
  return kColumns;
}

Json json_of(const SimulatedRun& run) {
  const strategies::StudyScore& score = run.score;
  Json values = Json::object();
  for (const auto& [name, value] : score.configuration.values) values[name] = to_text(value);
  return {{"seed", run.seed},
          {"regret_percent", score.regret_percent},
          {"verdict", strategies::to_text(score.verdict)},
          {"claimed", score.claimed},
          {"wrong_claim", score.wrong_claim},
          {"slow_probability", score.slow_probability},
          {"slow_depth", score.slow_depth},
          {"interval_holds_truth", score.interval_holds_truth ? Json(*score.interval_holds_truth) : Json(nullptr)},
          {"trials", score.trials},
          {"cpu_s", run.cpu_s},
          {"slowest_step_s", run.slowest_step_s},
          {"configuration", std::move(values)}};
}

Json json_of(const Row& row) {
  const strategies::ScoreSummary& s = row.scores;
  Json runs = Json::array();
  for (const SimulatedRun& run : row.cell->runs) runs.push_back(json_of(run));
  return {{"world", row.cell->machine->name},
          {"strategy", to_text(row.cell->strategy)},
          {"choice", row.cell->choice},
          {"budget", row.cell->budget},
          {"studies", s.studies},
          {"regret_percent",
           {{"mean", s.mean},
            {"standard_error", s.standard_error ? Json(*s.standard_error) : Json(nullptr)},
            {"median", s.median},
            {"p90", s.p90}}},
          {"share_within_2_percent", s.within_2},
          {"share_within_5_percent", s.within_5},
          {"claims", s.claims},
          {"wrong_claims", s.wrong_claims},
          {"unstable", s.unstable},
          {"intervals", s.intervals},
          {"intervals_holding_truth", s.intervals_holding},
          {"cpu_s_per_study", row.cpu_s},
          {"cpu_ms_per_trial", row.ms_per_trial},
          {"slowest_step_s", row.slowest_s},
          {"runs", std::move(runs)}};
}

}  // namespace

std::string simulation_tables(const SimulationPlan& plan, std::span<const SimulatedCell> cells, std::size_t width) {
  std::string text;
  for (const int budget : plan.budgets) {
    const std::vector<Row> rows = rows_of(cells, budget);
    if (rows.empty()) continue;
    std::vector<std::vector<std::string>> lines;
    for (const Row& row : rows) lines.push_back(cells_of(row.cell->machine->name, row.cell->strategy, row));
    for (const StrategyKind strategy : plan.strategies) {
      std::vector<Row> of_strategy;
      std::ranges::copy_if(rows, std::back_inserter(of_strategy), [&](const Row& row) { return row.cell->strategy == strategy; });
      if (of_strategy.size() > 1 && of_strategy.size() == plan.machines.size())
        lines.push_back(cells_of("mean of all", strategy, mean_of(of_strategy)));
    }
    text += fmt::format("{}{} trials\n{}", text.empty() ? "" : "\n", budget, render_table(columns(), "", lines, width));
  }
  return text;
}

std::string simulation_json(const SimulationPlan& plan, std::span<const SimulatedCell> cells, Completeness completeness) {
  Json results = Json::array();
  for (const int budget : plan.budgets)
    for (const Row& row : rows_of(cells, budget)) results.push_back(json_of(row));
  const Json document = {{"first_seed", plan.first_seed},
                         {"studies", plan.studies},
                         {"interrupted", completeness == Completeness::interrupted},
                         {"results", std::move(results)}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace netsettle::tuner
