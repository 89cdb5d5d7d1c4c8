// How often netsettle claims too much where nothing is better or several are close, and how often it finds a real gain, over many simulated
// studies.
// Usage: null_sweep [STUDIES [FIRST_SEED]]; 1,000 studies a row without arguments. Exit 1 where a rate of wrong claims is above its limit.

#include <fmt/format.h>

#include <charconv>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "strategies/statistics/binomial.hpp"
#include "strategies/worlds/simulation.hpp"

namespace {

using namespace netsettle;
using namespace netsettle::strategies;

constexpr double kLimit = 0.05;          // wrong winners, and wrong claims of any kind
constexpr double kBestLimit = 0.0125;    // wrong "best of the finalists": above it by chance at most
constexpr double kConfidence = 0.95;     // of the printed upper bound
constexpr double kWorstHandOver = -0.5;  // percent, mean over the studies of a row

struct Row {
  std::string_view name;
  World world;
  Experiment experiment;
  std::vector<int> further = {};  // budgets with which a study without a winner goes on
};

struct Counts {
  int studies = 0, winners = 0, wrong_winners = 0, no_improvement = 0, covered = 0, intervals = 0;
  int best = 0, wrong_best = 0, smaller = 0, wrong_any = 0;
  double handed_over = 0;  // sum of true effects
};

Parameter processes(int most) {
  Parameter parameter{.name = "processes", .sets = {"server.processes"}};
  for (int n = 1; n <= most; ++n) parameter.values.emplace_back(std::int64_t{n});
  return parameter;
}

/// Four values and a range that does nothing.
Experiment random_search(int trials) {
  Experiment experiment;
  experiment.study.name = "null";
  experiment.search.strategy = StrategyKind::random;
  experiment.parameters = {processes(4),
                           {.name = "rmem",
                            .sets = {"server.rmem"},
                            .type = ParameterType::bytes,
                            .low = Expression::number(65536),
                            .high = Expression::number(16777216),
                            .scale = Scale::logarithmic}};
  experiment.budget.trials = trials;
  return experiment;
}

/// Eight values, each as often as the budget allows.
Experiment sweep(int trials) {
  Experiment experiment;
  experiment.study.name = "null";
  experiment.search.strategy = StrategyKind::sweep;
  experiment.search.repeats = trials;
  experiment.parameters = {processes(8)};
  experiment.budget.trials = trials;
  return experiment;
}

std::int64_t processes_in(const Configuration& configuration) {
  const auto found = configuration.values.find("processes");
  const auto* number = found == configuration.values.end() ? nullptr : std::get_if<std::int64_t>(&found->second);
  return number != nullptr ? *number : 0;
}

World gain(double effect) {
  World world{.noise = 0.03};
  world.effect = [effect](const Configuration& configuration) { return processes_in(configuration) == 2 ? effect : 0.0; };
  return world;
}

World ladder(double step) {
  World world{.noise = 0.03};
  world.effect = [step](const Configuration& configuration) { return step * static_cast<double>(processes_in(configuration)); };
  return world;
}

/// Everything else is worse than the settings that were found.
World worse(double loss, double noise) {
  World world{.noise = noise};
  world.effect = [loss](const Configuration& configuration) { return processes_in(configuration) == 0 ? 0.0 : -loss; };
  return world;
}

std::vector<Row> rows() {
  const World restless{.noise = 0.03, .block_spread = 0.1, .drift = 0.05};
  World two_modes{.noise = 0.03};
  two_modes.slow_mode = SlowMode{.probability = 0.3, .depth = 0.25, .applies = [](const Configuration&) { return true; }};
  World two_modes_restless = restless;
  two_modes_restless.slow_mode = two_modes.slow_mode;
  return {{"equal, 40 trials, noise 3 %", {.noise = 0.03}, random_search(40)},
          {"equal, 40 trials, noise 10 %", {.noise = 0.10}, random_search(40)},
          {"equal, 40 trials, blocks and drift", restless, random_search(40)},
          {"equal, 40 trials, 10 % invalid", {.noise = 0.03, .invalid = 0.1}, random_search(40)},
          {"equal, 40 trials, two modes everywhere", two_modes, random_search(40)},
          {"equal, 100 trials", {.noise = 0.05}, random_search(100)},
          {"equal, 100 trials, noise 8 %", {.noise = 0.08}, random_search(100)},
          {"equal, 200 trials", {.noise = 0.03}, sweep(200)},
          {"equal, 200 trials, noise 8 %", {.noise = 0.08}, sweep(200)},
          {"equal, 200 trials, two modes, drift", two_modes_restless, sweep(200)},
          {"equal, 400 trials", {.noise = 0.05}, sweep(400)},
          {"equal, 600 trials", {.noise = 0.05}, sweep(600)},
          {"equal, extended twice (40, 80, 160)", {.noise = 0.03}, random_search(40), {80, 160}},
          {"equal, extended twice (100, 200, 400)", {.noise = 0.05}, sweep(100), {200, 400}},
          {"all others 1 % worse, 100 trials", worse(0.01, 0.05), random_search(100)},
          {"all others 3 % worse, 200 trials", worse(0.03, 0.08), sweep(200)},
          {"one 20 % better, beside rmem, 40 trials", gain(0.2), random_search(40)},
          {"slippage: one 6 % better, 200 trials", gain(0.06), sweep(200)},
          {"slippage: one 4 % better, 400 trials", gain(0.04), sweep(400)},
          {"ladder of 2 %, 200 trials", ladder(0.02), sweep(200)},
          {"ladder of 2 %, 600 trials", ladder(0.02), sweep(600)}};
}

/// Somebody who was not told of a winner gives the study more trials.
void go_on(const World& world, int budget, SimulatedStudy& simulated) {
  if (simulated.verdict.kind == VerdictKind::winner) return;
  simulated.study.experiment.budget.trials = budget;
  Simulation simulation(world, simulated.study);
  while (simulation.step()) {
  }
  simulated = {.study = simulation.study(), .verdict = *verdict_of(simulation.study())};
}

double true_effect(const World& world, const StudyView& study, std::int64_t id) {
  return world.effect ? world.effect(study.configurations[static_cast<std::size_t>(id - 1)].configuration) : 0;
}

/// Whether some finalist is better than the leader by more than was said; nullopt where nothing was said.
std::optional<bool> wrong_best(const World& world, const SimulatedStudy& simulated) {
  const auto inputs = nlohmann::json::parse(simulated.study.decisions.back().inputs_json);
  if (!inputs.contains("best_of_finalists")) return std::nullopt;
  const double delta = inputs.at("best_of_finalists").at("delta").get<double>();
  const double leader = true_effect(world, simulated.study, simulated.verdict.leader_id);
  bool wrong = false;
  for (const FinalistSummary& finalist : simulated.verdict.finalists) {
    if (finalist.standing == "failing" || finalist.standing == "unstable") continue;
    wrong = wrong || (1 + true_effect(world, simulated.study, finalist.id)) / (1 + leader) - 1 > delta + 1e-12;
  }
  return wrong;
}

void add(const World& world, const SimulatedStudy& simulated, Counts& counts) {
  const StudyVerdict& verdict = simulated.verdict;
  const double handed_over = true_effect(world, simulated.study, verdict.configuration_id);
  const bool winner = verdict.kind == VerdictKind::winner;
  const bool wrong_winner = winner && handed_over <= 0;
  const auto best = wrong_best(world, simulated);
  counts.handed_over += handed_over;
  counts.winners += winner ? 1 : 0;
  counts.wrong_winners += wrong_winner ? 1 : 0;
  counts.no_improvement += verdict.kind == VerdictKind::no_improvement ? 1 : 0;
  counts.best += best ? 1 : 0;
  counts.wrong_best += best.value_or(false) ? 1 : 0;
  counts.wrong_any += wrong_winner || best.value_or(false) ? 1 : 0;
  counts.smaller += winner && verdict.smallest_id != verdict.configuration_id ? 1 : 0;
  if (!verdict.effect) return;
  const double truth = true_effect(world, simulated.study, verdict.leader_id);
  ++counts.intervals;
  counts.covered += verdict.effect->low <= truth && truth <= verdict.effect->high ? 1 : 0;
}

Counts count(const Row& row, int studies, std::uint64_t first_seed) {
  Counts counts{.studies = studies};
  for (int i = 0; i < studies; ++i) {
    auto simulated = simulate_study(row.world, row.experiment, first_seed + static_cast<std::uint64_t>(i));
    if (!simulated) continue;
    for (const int budget : row.further) go_on(row.world, budget, *simulated);
    add(row.world, *simulated, counts);
  }
  return counts;
}

double share(int n, int of) { return of > 0 ? 100.0 * n / of : 0; }

double bound(int n, int of) { return 100 * clopper_pearson_upper(n, of, kConfidence).value_or(1); }

/// False where the row claims too often, or hands over what is worse.
bool print(const Row& row, const Counts& counts) {
  const double mean = 100 * counts.handed_over / counts.studies;
  fmt::print("{:<40} {:>7} {:>8} {:>6} {:>6.2f} {:>7.2f} {:>10} {:>8.1f} {:>6} {:>6} {:>7.2f} {:>8} {:>+8.2f}\n", row.name, counts.studies,
             counts.winners, counts.wrong_winners, share(counts.wrong_winners, counts.studies), bound(counts.wrong_winners, counts.studies),
             counts.no_improvement, share(counts.covered, counts.intervals), counts.best, counts.wrong_best,
             bound(counts.wrong_best, counts.studies), counts.smaller, mean);
  std::fflush(stdout);
  const bool best_holds = counts.wrong_best <= 1 || share(counts.wrong_best, counts.studies) <= 100 * 2 * kBestLimit;
  return counts.wrong_any <= kLimit * counts.studies && best_holds && mean >= kWorstHandOver;
}

template <typename Number>
Number argument(int count, char** values, int index, Number otherwise) {
  if (index >= count) return otherwise;
  const std::string_view text = values[index];
  std::from_chars(text.data(), text.data() + text.size(), otherwise);
  return otherwise;
}

}  // namespace

int main(int count_of_arguments, char** arguments) {
  const int studies = argument(count_of_arguments, arguments, 1, 1000);
  auto seed = argument<std::uint64_t>(count_of_arguments, arguments, 2, 1'000'000);
  fmt::print(
      "wrong: the winner is not better than what was found; best: \"best of the finalists\" was said; handed over: true effect, %\n");
  fmt::print("{:<40} {:>7} {:>8} {:>6} {:>6} {:>7} {:>10} {:>8} {:>6} {:>6} {:>7} {:>8} {:>8}\n", "world", "studies", "winners", "wrong",
             "%", "at most", "ruled out", "coverage", "best", "wrong", "at most", "smaller", "handed");
  bool good = true;
  for (const Row& row : rows()) {
    good = print(row, count(row, studies, seed)) && good;
    seed += static_cast<std::uint64_t>(studies);
  }
  return good ? 0 : 1;
}
