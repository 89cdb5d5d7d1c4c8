#pragma once
// The test bed: machines with a known optimum, modelled on tuning a network stack, to compare strategies on. Other optimisers are measured
// on the first seven of them (tests/bench/strategy_bench).

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/model/experiment.hpp"
#include "strategies/racing/next_step.hpp"
#include "strategies/worlds/world.hpp"

namespace netsettle::strategies {

struct TestMachine {
  std::string name;
  std::string about;      // half a sentence
  Experiment experiment;  // rig external, objective `value`, no budget
  SearchSpace space;
  World world;
  Configuration best;  // one with the highest true mean
  double optimum = 0;  // its true mean
};

/// In the order of tables: the seven on which others were measured, then the rest.
std::vector<std::string> test_machine_names();

/// Nullopt for a name that is none of test_machine_names().
std::optional<TestMachine> test_machine(std::string_view name);

/// What a study handed over and claimed, against the truth.
struct StudyScore {
  double regret_percent = 0;  // of the configuration handed over: 100 * (1 - its true mean / the optimum)
  VerdictKind verdict = VerdictKind::cannot_tell;
  bool claimed = false;                         // an improvement
  bool wrong_claim = false;                     // of one that is none
  double slow_probability = 0, slow_depth = 0;  // true, of the configuration handed over
  bool unstable = false;                        // its slow mode costs it 5 % of its rate or more
  std::optional<bool> interval_holds_truth;     // the printed interval of the confirmed configuration; absent where none was printed
  int trials = 0;                               // that count against the budget
  Configuration configuration;                  // the one handed over
};

/// A study on a machine, before its first trial.
StudyView study_on(const TestMachine& machine, std::uint64_t seed, int budget, StrategyKind strategy);

/// Scores a study that has its verdict. `optimum`: the highest true mean of `world`.
StudyScore score_of(const StudyView& study, const World& world, double optimum);

/// A whole study on a machine.
StudyScore simulate(const TestMachine& machine, std::uint64_t seed, int budget, StrategyKind strategy = StrategyKind::automatic);

}  // namespace netsettle::strategies
