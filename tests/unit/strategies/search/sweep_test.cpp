#include "strategies/search/sweep.hpp"

#include <catch2/catch.hpp>

#include "strategies/search/strategy.hpp"
#include "tests/unit/strategies/support.hpp"

using namespace netsettle;
using namespace netsettle::strategies;

namespace {

StudyView swept(int repeats) {
  Experiment experiment = experiment_of({levels("n", {1, 2, 3})});
  experiment.search.strategy = StrategyKind::sweep;
  experiment.search.repeats = repeats;
  return fresh(experiment);
}

/// Runs a block of what the sweep asks for; its size.
std::size_t run_block(StudyView& study, int count) {
  const auto proposals = make_strategy(study)->ask(study, 1, count);
  std::vector<Seen> trials{{kBaselineId, 100}};
  for (const Proposal& proposal : proposals) {
    const auto known = std::ranges::find(study.configurations, proposal.configuration, &StudyConfiguration::configuration);
    trials.push_back({known != study.configurations.end() ? known->id : add_configuration(study, proposal.configuration), 100});
  }
  if (!proposals.empty()) add_block(study, Purpose::search, trials);
  return proposals.size();
}

}  // namespace

TEST_CASE("a sweep wants every configuration but the baseline in each block, as often as repeats says") {
  StudyView study = swept(3);
  CHECK(make_strategy(study)->name() == "sweep");
  CHECK(make_strategy(study)->block_size(study) == 3);
  for (int block = 0; block < 3; ++block) CHECK(run_block(study, 3) == 3);
  CHECK(run_block(study, 3) == 0);
  CHECK(study.configurations.size() == 4);
}

TEST_CASE("a sweep that does not fit tries everything once and does not repeat") {
  StudyView study = swept(3);
  CHECK(run_block(study, 2) == 2);
  CHECK(run_block(study, 2) == 1);
  CHECK(run_block(study, 2) == 0);
  CHECK(study.configurations.size() == 4);
}

TEST_CASE("a configuration that failed is not swept again") {
  StudyView study = swept(3);
  run_block(study, 3);
  study.trials.back().outcome = Outcome::failed;
  CHECK(run_block(study, 3) == 2);
}
