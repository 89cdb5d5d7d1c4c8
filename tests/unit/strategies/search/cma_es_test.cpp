#include "strategies/search/cma_es.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "tests/unit/strategies/support.hpp"

using namespace netsettle;
using namespace netsettle::strategies;

namespace {

Parameter found(Parameter parameter) {
  parameter.default_value = Value(std::int64_t{100});
  return parameter;
}

StudyView three_numbers() {
  Experiment experiment = experiment_of({found(range("a", 1, 1000)), found(range("b", 1, 1000)), found(range("c", 1, 1000))});
  experiment.search.strategy = StrategyKind::cma_es;
  experiment.budget.trials = 1000;
  StudyView study = fresh(experiment);
  add_block(study, Purpose::pilot, {{kBaselineId, 100}, {kBaselineId, 99}, {kBaselineId, 101}});
  return study;
}

double number(const Configuration& configuration, const std::string& name) {
  const auto* whole = std::get_if<std::int64_t>(&configuration.values.at(name));
  return whole == nullptr ? 100 : static_cast<double>(*whole);
}

/// Runs one generation; the further a is from 900, the worse.
void run_generation(StudyView& study) {
  std::vector<Seen> trials{{kBaselineId, 100}};
  const int block = static_cast<int>(study.trials.back().block) + 1;
  const auto proposals = CmaEs().ask(study, block, CmaEs().block_size(study));
  for (const Proposal& proposal : proposals) {
    const auto known = std::ranges::find(study.configurations, proposal.configuration, &StudyConfiguration::configuration);
    const std::int64_t id = known == study.configurations.end() ? add_configuration(study, proposal.configuration) : known->id;
    trials.push_back({id, 100 - std::abs(number(proposal.configuration, "a") - 900) / 10});
  }
  add_block(study, Purpose::search, trials);
}

double mean_of_a(const StudyView& study) {
  double sum = 0;
  const auto proposals = CmaEs().ask(study, 1, 100);
  for (const Proposal& proposal : proposals) sum += number(proposal.configuration, "a") / static_cast<double>(proposals.size());
  return sum;
}

}  // namespace

TEST_CASE("generations move towards what is better") {
  StudyView study = three_numbers();
  CHECK(mean_of_a(study) == Approx(500).margin(250));
  for (int i = 0; i < 25; ++i) run_generation(study);
  CHECK(mean_of_a(study) == Approx(900).margin(60));
}

TEST_CASE("the next generation follows from the record alone, and blocks of other things do not disturb it") {
  StudyView study = three_numbers();
  for (int i = 0; i < 3; ++i) run_generation(study);
  StudyView with_leaders = study;
  add_block(with_leaders, Purpose::search, {{kBaselineId, 100}, {2, 90}, {9, 95}});
  const auto one = CmaEs().ask(study, 50, 7), other = CmaEs().ask(with_leaders, 51, 7);
  REQUIRE(one.size() == other.size());
  for (std::size_t i = 0; i < one.size(); ++i) CHECK(one[i].configuration == other[i].configuration);
}

TEST_CASE("a generation has what violates the limits behind the others, and nothing that failed") {
  StudyView study = three_numbers();
  study.experiment.objective.subject_to = {expression("qps >= 60")};
  run_generation(study);
  std::string failed;
  for (Trial& trial : study.trials)
    if (trial.configuration_id == 3) {
      trial.outcome = Outcome::failed;
      failed = canonical_text(study.configurations[2].configuration);
    }
  for (int i = 0; i < 5; ++i) {
    const auto proposals = CmaEs().ask(study, 20 + i, 7);
    CHECK(proposals.size() == 7);
    for (const Proposal& proposal : proposals) CHECK(canonical_text(proposal.configuration) != failed);
    run_generation(study);
  }
}

TEST_CASE("a generation that does not fit into the block is cut, and counts") {
  StudyView study = three_numbers();
  const auto whole = CmaEs().ask(study, 3, 100), cut = CmaEs().ask(study, 3, 2);
  CHECK(whole.size() == 7);
  REQUIRE(cut.size() == 2);
  CHECK(cut[1].configuration == whole[1].configuration);
  add_block(
      study, Purpose::search,
      {{kBaselineId, 100}, {add_configuration(study, cut[0].configuration), 90}, {add_configuration(study, cut[1].configuration), 95}});
  CHECK_FALSE(CmaEs().ask(study, 4, 2)[0].configuration == cut[0].configuration);
}
