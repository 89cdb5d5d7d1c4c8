#include "tuner/cli/simulate_runs.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>
#include <mutex>
#include <optional>
#include <thread>

#include "strategies/search/choice.hpp"
#include "strategies/worlds/simulation.hpp"

namespace netsettle::tuner {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

double thread_cpu_s() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

std::vector<SimulatedCell> empty_cells(const SimulationPlan& plan) {
  std::vector<SimulatedCell> cells;
  for (const int budget : plan.budgets)
    for (const strategies::TestMachine& machine : plan.machines)
      for (const StrategyKind strategy : plan.strategies) {
        const StudyView study = strategies::study_on(machine, plan.first_seed, budget, strategy);
        cells.push_back(
            {.machine = &machine, .strategy = strategy, .budget = budget, .choice = strategies::choose_search(study).reason, .runs = {}});
      }
  return cells;
}

/// Nullopt where it was stopped.
std::optional<SimulatedRun> run_study(const SimulatedCell& cell, std::uint64_t seed, const runners::StopFlag& stop) {
  SimulatedRun run{.seed = seed, .score = {}};
  const strategies::TestMachine& machine = *cell.machine;
  const double cpu = thread_cpu_s();
  strategies::Simulation simulation(machine.world, strategies::study_on(machine, seed, cell.budget, cell.strategy));
  for (bool more = true; more;) {
    if (stop != 0) return std::nullopt;
    const auto start = Clock::now();
    more = simulation.step();
    run.slowest_step_s = std::max(run.slowest_step_s, seconds_since(start));
  }
  run.cpu_s = thread_cpu_s() - cpu;
  run.score = strategies::score_of(simulation.study(), machine.world, machine.optimum);
  return run;
}

double work_of(const SimulatedCell& cell) { return static_cast<double>(cell.budget) * cell.budget; }

/// Hands the studies out, row by row, and collects them.
class Studies {
 public:
  Studies(const SimulationPlan& plan, const runners::StopFlag& stop, const std::function<void(const SimulationProgress&)>& progress)
      : plan_(&plan), stop_(&stop), progress_(&progress), cells_(empty_cells(plan)) {
    for (const SimulatedCell& cell : cells_) all_work_ += plan.studies * work_of(cell);
  }

  /// The work of one thread.
  void work() {
    const auto studies = static_cast<std::size_t>(plan_->studies);
    for (std::size_t next = next_++; next < studies * cells_.size(); next = next_++) {
      SimulatedCell& cell = cells_[next / studies];
      const auto run = run_study(cell, plan_->first_seed + next % studies, *stop_);
      if (!run) return;
      keep(cell, *run);
    }
  }

  std::vector<SimulatedCell> take() {
    for (SimulatedCell& cell : cells_) std::ranges::sort(cell.runs, {}, &SimulatedRun::seed);
    return std::move(cells_);
  }

 private:
  void keep(SimulatedCell& cell, const SimulatedRun& run) {
    const std::scoped_lock lock(mutex_);
    cell.runs.push_back(run);
    ++done_;
    done_work_ += work_of(cell);
    (*progress_)({.done = done_, .all = plan_->studies * static_cast<int>(cells_.size()), .share = done_work_ / all_work_, .at = &cell});
  }

  const SimulationPlan* plan_;
  const runners::StopFlag* stop_;
  const std::function<void(const SimulationProgress&)>* progress_;
  std::vector<SimulatedCell> cells_;
  std::atomic<std::size_t> next_ = 0;
  std::mutex mutex_;  // of all below and the runs
  int done_ = 0;
  double done_work_ = 0, all_work_ = 0;
};

}  // namespace

std::vector<SimulatedCell> run_simulations(const SimulationPlan& plan, const runners::StopFlag& stop,
                                           const std::function<void(const SimulationProgress&)>& progress) {
  Studies studies(plan, stop, progress);
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < plan.jobs; ++i) threads.emplace_back([&] { studies.work(); });
  }
  return studies.take();
}

}  // namespace netsettle::tuner
