// How often netsettle claims a winner where nothing is better, and how often it finds a real gain, over many simulated studies.
// Usage: null_sweep [STUDIES [FIRST_SEED]]; 1,000 studies a row without arguments. Exit 1 where a false-claim rate is above its limit.

#include <fmt/format.h>

#include <charconv>
#include <string_view>
#include <vector>

#include "strategies/statistics/binomial.hpp"
#include "strategies/worlds/simulation.hpp"

namespace {

using namespace netsettle;
using namespace netsettle::strategies;

constexpr double kLimit = 0.05;       // false claims
constexpr double kConfidence = 0.95;  // of the printed upper bound

struct Row {
  std::string_view name;
  World world;
  int trials = 40;
  bool gain = false;              // a configuration is truly better by 20 %
  std::vector<int> further = {};  // budgets with which a study without a winner goes on
};

struct Counts {
  int studies = 0, winners = 0, no_improvement = 0, covered = 0, intervals = 0;
};

Parameter processes() {
  Parameter parameter{.name = "processes", .sets = {"server.processes"}};
  for (const std::int64_t n : {1, 2, 3, 4}) parameter.values.emplace_back(n);
  return parameter;
}

Experiment experiment_with(int trials) {
  Experiment experiment;
  experiment.study.name = "null";
  experiment.parameters = {processes(),
                           {.name = "rmem",
                            .sets = {"server.rmem"},
                            .type = ParameterType::bytes,
                            .low = Expression::number(65536),
                            .high = Expression::number(16777216),
                            .scale = Scale::logarithmic}};
  experiment.budget.trials = trials;
  return experiment;
}

double two_processes(const Configuration& configuration) {
  const auto found = configuration.values.find("processes");
  return found != configuration.values.end() && found->second == Value(std::int64_t{2}) ? 0.2 : 0.0;
}

std::vector<Row> rows() {
  World restless{.noise = 0.03, .block_spread = 0.1, .drift = 0.05};
  World gain{.noise = 0.03};
  gain.effect = two_processes;
  World two_modes{.noise = 0.03};
  two_modes.slow_mode = SlowMode{.probability = 0.3, .depth = 0.25, .applies = [](const Configuration&) { return true; }};
  return {{"all equal, noise 3 %", {.noise = 0.03}},
          {"all equal, noise 10 %", {.noise = 0.10}},
          {"all equal, blocks and drift", restless},
          {"all equal, 10 % invalid", {.noise = 0.03, .invalid = 0.1}},
          {"all equal, two modes everywhere", two_modes},
          {"all equal, 100 trials", {.noise = 0.05}, 100},
          {"processes=2 is 20 % better, beside rmem", gain, 40, true},
          {"all equal, extended twice", {.noise = 0.03}, 40, false, {80, 160}}};
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

Counts count(const Row& row, int studies, std::uint64_t first_seed) {
  Counts counts{.studies = studies};
  for (int i = 0; i < studies; ++i) {
    auto simulated = simulate_study(row.world, experiment_with(row.trials), first_seed + static_cast<std::uint64_t>(i));
    if (!simulated) continue;
    for (const int budget : row.further) go_on(row.world, budget, *simulated);
    const StudyVerdict& verdict = simulated->verdict;
    counts.winners += verdict.kind == VerdictKind::winner ? 1 : 0;
    counts.no_improvement += verdict.kind == VerdictKind::no_improvement ? 1 : 0;
    if (!verdict.effect) continue;
    const Configuration& leader = simulated->study.configurations[static_cast<std::size_t>(verdict.leader_id - 1)].configuration;
    const double truth = row.world.effect ? row.world.effect(leader) : 0;
    ++counts.intervals;
    counts.covered += verdict.effect->low <= truth && truth <= verdict.effect->high ? 1 : 0;
  }
  return counts;
}

/// False where the row claims too often.
bool print(const Row& row, const Counts& counts) {
  const double rate = static_cast<double>(counts.winners) / counts.studies;
  const double upper = clopper_pearson_upper(counts.winners, counts.studies, kConfidence).value_or(1);
  const double coverage = counts.intervals > 0 ? 100.0 * counts.covered / counts.intervals : 0;
  fmt::print("{:<40} {:>7} {:>8} {:>7.2f} % {:>7.2f} % {:>12} {:>9.1f} %\n", row.name, counts.studies, counts.winners, 100 * rate,
             100 * upper, counts.no_improvement, coverage);
  return row.gain || rate <= kLimit;
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
  fmt::print("{:<40} {:>7} {:>8} {:>9} {:>9} {:>12} {:>11}\n", "world", "studies", "winners", "rate", "at most", "ruled out", "coverage");
  bool good = true;
  for (const Row& row : rows()) {
    good = print(row, count(row, studies, seed)) && good;
    seed += static_cast<std::uint64_t>(studies);
  }
  return good ? 0 : 1;
}
