#include "strategies/worlds/score_summary.hpp"

#include <catch2/catch.hpp>

using namespace netsettle;
using namespace netsettle::strategies;

namespace {

StudyScore with_regret(double percent) { return {.regret_percent = percent, .interval_holds_truth = std::nullopt}; }

}  // namespace

// R 4.2: mean(x), sd(x)/3, median(x), quantile(x, .9).
TEST_CASE("regrets are summed up as R does") {
  std::vector<StudyScore> scores;
  for (const double regret : {0.5, 7.25, 2.0, 3.5, 12.0, 4.75, 1.25, 5.0, 9.0}) scores.push_back(with_regret(regret));
  const ScoreSummary summary = summarise_scores(scores);
  CHECK(summary.studies == 9);
  CHECK(summary.mean == Approx(5.02777777777778).epsilon(1e-13));
  CHECK(*summary.standard_error == Approx(1.26754659982032).epsilon(1e-13));
  CHECK(summary.median == Approx(4.75));
  CHECK(summary.p90 == Approx(9.6));
  CHECK(summary.within_2 == Approx(3.0 / 9));
  CHECK(summary.within_5 == Approx(6.0 / 9));
}

TEST_CASE("one study has no standard error") {
  const std::vector scores{with_regret(3)};
  CHECK_FALSE(summarise_scores(scores).standard_error);
  CHECK(summarise_scores(scores).p90 == 3);
}

TEST_CASE("claims, unstable configurations and intervals are counted") {
  StudyScore right = with_regret(1), wrong = with_regret(2), none = with_regret(3);
  right.claimed = wrong.claimed = wrong.wrong_claim = true;
  right.interval_holds_truth = true;
  wrong.interval_holds_truth = false;
  none.unstable = true;
  const std::vector scores{right, wrong, none};
  const ScoreSummary summary = summarise_scores(scores);
  CHECK(summary.claims == 2);
  CHECK(summary.wrong_claims == 1);
  CHECK(summary.unstable == 1);
  CHECK(summary.intervals == 2);
  CHECK(summary.intervals_holding == 1);
}
