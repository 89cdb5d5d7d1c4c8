#include "strategies/racing/instead.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "tests/unit/strategies/support.hpp"

using namespace netsettle;
using namespace netsettle::strategies;

namespace {

/// Finalist 2 was found to be unstable; 3, 4 and 5 are others that the search tried.
StudyView study_with_unstable_finalist() {
  StudyView study = fresh(experiment_of({levels("n", {1, 2, 3, 4})}));
  for (const std::int64_t n : {1, 2, 3, 4}) add_configuration(study, with_value("n", n));
  add_block(study, Purpose::pilot, {{1, 100}, {1, 102}, {1, 98}});
  add_block(study, Purpose::pilot, {{1, 101}, {1, 99}, {1, 103}});
  study.decisions.push_back({.kind = DecisionKind::promote, .configuration_id = 2, .versus = kBaselineId, .n = 6, .alpha = 0.025});
  for (const double value : {130.0, 90.0, 131.0, 91.0, 129.0, 90.0}) add_block(study, Purpose::confirm, {{1, 100}, {2, value}});
  study.decisions.push_back({.kind = DecisionKind::unstable, .configuration_id = 2});
  return study;
}

Standing standing(std::int64_t id, double mean, double spread) {
  return {.id = id, .n = 1, .belief = {.mean = mean, .standard_deviation = 0.03}, .spread = spread};
}

std::optional<std::int64_t> instead(const std::vector<Standing>& others) {
  const StudyView study = study_with_unstable_finalist();
  const Standings standings{.level = std::log(100.0), .noise = 0.02, .steady = 0.02, .others = others};
  const auto confirmation = confirmation_of(study);
  REQUIRE(confirmation);
  const auto found = believed_instead(study, standings, *confirmation);
  return found ? std::optional(found->id) : std::nullopt;
}

}  // namespace

TEST_CASE("in place of an unstable finalist the best of the others is believed in that is not as restless") {
  CHECK(instead({standing(2, 0.3, 0.15), standing(3, 0.25, 0.12), standing(4, 0.2, 0.05), standing(5, 0.15, 0.02)}) == 4);
}

TEST_CASE("an unstable finalist that the model expected to be steady says nothing about others") {
  CHECK(instead({standing(2, 0.3, 0.025), standing(3, 0.25, 0.12), standing(4, 0.2, 0.02)}) == 3);
}

TEST_CASE("nobody is believed in who is not surely better, or has an obstacle") {
  Standing failing = standing(4, 0.4, 0.02);
  failing.obstacle = "it failed in 1 trial";
  CHECK_FALSE(instead({standing(2, 0.3, 0.15), standing(3, 0.04, 0.02), failing}));
}
