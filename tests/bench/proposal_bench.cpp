// How long the Bayesian strategy thinks about one trial: with hyper-parameters to be fitted (cold, once in many trials) and known (warm),
// in a space of 20 parameters, beside the plain factorisation of a covariance of that size and beside a trial of 30 seconds.

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <chrono>

#include "strategies/search/bayesian.hpp"
#include "strategies/worlds/simulation.hpp"
#include "strategies/worlds/test_bed.hpp"

using namespace netsettle;
using namespace netsettle::strategies;

namespace {

constexpr double kTrialSeconds = 30;

double seconds_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// A record of so many trials, found by random search, as the Bayesian strategy would get it.
StudyView record_of(const TestMachine& machine, int trials) {
  Simulation simulation(machine.world, study_on(machine, 1, 2 * trials, StrategyKind::random));
  while (std::ssize(simulation.study().trials) < trials && simulation.step()) {
  }
  StudyView study = simulation.study();
  std::erase_if(study.trials, [](const Trial& trial) { return !trial.outcome; });
  study.experiment.search.strategy = StrategyKind::bayesian;
  return study;
}

double factorisation(Eigen::Index n) {
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Random(n, n);
  matrix = matrix * matrix.transpose() + static_cast<double>(n) * Eigen::MatrixXd::Identity(n, n);
  return seconds_of([&] { Eigen::LLT<Eigen::MatrixXd> factor(matrix); });
}

void measure(const TestMachine& machine, int trials) {
  constexpr int kProposals = 12;
  const StudyView study = record_of(machine, trials);
  SurrogateMemory memory;
  const Bayesian strategy(&memory);
  const int block = study.trials.back().block + 1;
  const double cold = seconds_of([&] { (void)strategy.ask(study, block, 1); });
  double warm = 0, longest = cold;
  for (int i = 1; i <= kProposals; ++i) {
    const double one = seconds_of([&] { (void)strategy.ask(study, block + i, 1); });
    warm += one / kProposals;
    longest = std::max(longest, one);
  }
  fmt::print("{:>7} {:>9.0f} ms {:>9.0f} ms {:>9.0f} ms {:>12.1f} x {:>13.2f} %\n", trials, 1e3 * cold, 1e3 * warm, 1e3 * longest,
             warm / factorisation(trials), 100 * longest / kTrialSeconds);
}

}  // namespace

int main() {
  const auto machine = test_machine("wide20");
  if (!machine) return 1;
  fmt::print("Proposals of the Bayesian strategy on {} ({} parameters)\n\n", machine->name, machine->experiment.parameters.size());
  fmt::print("{:>7} {:>12} {:>12} {:>12} {:>14} {:>15}\n", "trials", "cold", "warm", "longest", "factorisation", "of a 30 s trial");
  for (const int trials : {100, 300, 1000}) measure(*machine, trials);
}
