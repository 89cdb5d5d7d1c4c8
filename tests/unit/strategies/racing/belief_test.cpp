#include "strategies/racing/belief.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "tests/unit/strategies/support.hpp"

using namespace netsettle;
using namespace netsettle::strategies;

namespace {

/// Two finalists, 2 and 3, with six fresh blocks.
StudyView confirmed() {
  StudyView study = fresh(experiment_of({levels("n", {1, 2})}));
  add_configuration(study, with_value("n", 1));
  add_configuration(study, with_value("n", 2));
  add_block(study, Purpose::pilot, {{1, 100}, {1, 102}, {1, 98}});
  add_block(study, Purpose::pilot, {{1, 101}, {1, 99}, {1, 103}});
  for (const std::int64_t id : {2, 3})
    study.decisions.push_back({.kind = DecisionKind::promote, .configuration_id = id, .versus = kBaselineId, .n = 6, .alpha = 0.0125});
  const std::vector<double> baseline{100, 103, 99, 101, 98, 102}, two{104, 105, 103, 106, 101, 105}, three{101, 104, 100, 103, 97, 104};
  for (std::size_t i = 0; i < baseline.size(); ++i) add_block(study, Purpose::confirm, {{1, baseline[i]}, {2, two[i]}, {3, three[i]}});
  return study;
}

Standings standings_with(double mean, double standard_deviation, double noise) {
  return {.level = std::log(100.0), .noise = noise, .others = {{.id = 2, .n = 1, .belief = {mean, standard_deviation}, .obstacle = ""}}};
}

}  // namespace

// Values by R 4.2: lm(log(y) ~ block + arm), pt.
TEST_CASE("the noise is pooled over the pilot and what is left of the fresh blocks without blocks and configurations") {
  const StudyView study = confirmed();
  const auto pilot = pooled_noise(study, nullptr);
  REQUIRE(pilot);
  CHECK(pilot->standard_deviation == Approx(0.01990419));
  CHECK(pilot->freedom == 4);
  const auto confirmation = confirmation_of(study);
  const auto all = pooled_noise(study, &*confirmation);
  REQUIRE(all);
  CHECK(all->standard_deviation == Approx(0.01256564));
  CHECK(all->freedom == 14);
  CHECK_FALSE(pooled_noise(fresh(experiment_of({levels("n", {1})})), nullptr));
}

TEST_CASE("where the pilot was too quiet the search's belief is widened before the fresh blocks are added") {
  const StudyView study = confirmed();
  const auto confirmation = confirmation_of(study);
  const auto belief = final_belief(study, standings_with(0.03, 0.02, 0.01), 2, &*confirmation);
  REQUIRE(belief);
  CHECK(belief->mean == Approx(0.03392621));
  CHECK(belief->standard_deviation == Approx(0.006970162));
  CHECK(belief->freedom == 14);
  CHECK(probability_better(*belief) == Approx(0.9998755).epsilon(1e-6));
  CHECK_FALSE(final_belief(study, standings_with(0.03, 0.02, 0.01), 3, &*confirmation));
}

TEST_CASE("few degrees of freedom make a belief less sure") {
  CHECK(probability_better({.mean = 1.5, .standard_deviation = 1, .freedom = 4}) == Approx(0.896).epsilon(1e-6));
  CHECK(probability_better({.mean = 0, .standard_deviation = 1, .freedom = 4}) == Approx(0.5));
}
