#include "strategies/course/pending.hpp"

#include <catch2/catch.hpp>

using namespace netsettle;
using namespace netsettle::strategies;

namespace {

Trial trial(std::int64_t id, int block, int position, int attempt, TrialState state, std::optional<Outcome> outcome) {
  Trial result;
  result.id = id;
  result.configuration_id = 100 + position;
  result.block = block;
  result.position = position;
  result.attempt = attempt;
  result.state = state;
  result.outcome = outcome;
  result.ended_us = id;
  return result;
}

Trial measured(std::int64_t id, int block, int position, int attempt = 1) {
  return trial(id, block, position, attempt, TrialState::done, Outcome::measured);
}
Trial invalid(std::int64_t id, int block, int position, int attempt = 1) {
  return trial(id, block, position, attempt, TrialState::done, Outcome::invalid);
}
Trial planned(std::int64_t id, int block, int position) { return trial(id, block, position, 1, TrialState::planned, std::nullopt); }
Trial cut_off(std::int64_t id, int block, int position, int attempt = 1) {
  return trial(id, block, position, attempt, TrialState::interrupted, Outcome::invalid);
}

std::optional<PendingTrial> pending_in(const std::vector<Trial>& trials, int attempts) {
  return next_pending(trials, {.attempts = attempts}, {}, std::nullopt);
}

}  // namespace

TEST_CASE("a complete block has nothing pending") {
  CHECK_FALSE(pending_in({}, 2).has_value());
  CHECK_FALSE(pending_in({measured(1, 1, 0), measured(2, 1, 1)}, 2).has_value());
}

TEST_CASE("planned trials run in the order of their positions") {
  const auto next = pending_in({measured(1, 1, 0), planned(2, 1, 1), planned(3, 1, 2)}, 2);
  REQUIRE(next.has_value());
  CHECK(next->planned_id == 2);
  CHECK(next->like.attempt == 1);
}

TEST_CASE("an invalid trial is repeated within its block, at most `attempts` times") {
  const auto next = pending_in({invalid(1, 1, 0), planned(2, 1, 1)}, 2);
  REQUIRE(next.has_value());
  CHECK_FALSE(next->planned_id.has_value());
  CHECK(next->like.attempt == 2);
  CHECK(next->retry_of == 1);
  CHECK(next->like.configuration_id == 100);
  CHECK_FALSE(pending_in({invalid(1, 1, 0), invalid(2, 1, 0, 2)}, 2).has_value());
  CHECK_FALSE(pending_in({invalid(1, 1, 0)}, 1).has_value());
}

TEST_CASE("a trial that an interruption cut off is repeated and costs no attempt") {
  const auto next = pending_in({cut_off(1, 3, 0), cut_off(2, 3, 0, 2)}, 1);
  REQUIRE(next.has_value());
  CHECK(next->like.attempt == 3);
  const auto again = pending_in({cut_off(1, 3, 0), invalid(2, 3, 0, 2)}, 2);
  REQUIRE(again.has_value());
  CHECK(again->like.attempt == 3);
}

TEST_CASE("blocks of an earlier phase are closed, and those of the same purpose before the last one are not") {
  Trial pilot = invalid(1, 1, 0);
  pilot.purpose = Purpose::pilot;
  CHECK_FALSE(pending_in({pilot, measured(2, 2, 0)}, 2).has_value());
  const auto next = pending_in({invalid(1, 1, 0), planned(2, 2, 0)}, 2);
  REQUIRE(next.has_value());
  CHECK(next->retry_of == 1);
}

TEST_CASE("a trial that is out is not given again") {
  const std::vector<Trial> trials = {planned(1, 1, 0), planned(2, 1, 1)};
  CHECK(next_pending(trials, {}, {1}, std::nullopt)->planned_id == 2);
  CHECK_FALSE(next_pending(trials, {}, {1, 2}, std::nullopt).has_value());
}

TEST_CASE("an empty budget allows no repeat of a measurement that failed, but of one that was cut off") {
  CHECK_FALSE(next_pending({invalid(1, 1, 0)}, {}, {}, 0).has_value());
  CHECK(next_pending({invalid(1, 1, 0)}, {}, {}, 1).has_value());
  CHECK(next_pending({cut_off(1, 1, 0)}, {}, {}, 0).has_value());
}

TEST_CASE("where another program runs the trials a configuration that fails is not tried again") {
  Experiment experiment;
  experiment.rig.kind = RigKind::external;
  const Trial failed = trial(1, 1, 0, 1, TrialState::failed, Outcome::failed);
  CHECK_FALSE(next_pending({failed}, retry_rule(experiment), {}, 9).has_value());
  CHECK(next_pending({invalid(1, 1, 0)}, retry_rule(experiment), {}, 9).has_value());
  experiment.rig.kind = RigKind::loopback;
  CHECK(next_pending({failed}, retry_rule(experiment), {}, 9).has_value());
}

TEST_CASE("a person's own trials and those of another record are neither pending nor spent") {
  Trial own = planned(1, 1, 0), other = planned(2, 2, 0);
  own.purpose = Purpose::manual;
  other.imported_from = "old.db";
  CHECK_FALSE(pending_in({own, other}, 2).has_value());
  CHECK(trials_spent({own, other}) == 0);
}

TEST_CASE("the budget counts repeats and planned trials, but not interrupted ones") {
  CHECK(trials_spent({measured(1, 1, 0), cut_off(2, 1, 1), invalid(3, 1, 1, 2), planned(4, 1, 2)}) == 3);
}

TEST_CASE("failures in a row are counted since the last measured trial") {
  CHECK(consecutive_failures({}) == 0);
  CHECK(consecutive_failures({invalid(1, 1, 0), measured(2, 1, 1)}) == 0);
  CHECK(consecutive_failures({measured(1, 1, 0), invalid(2, 1, 1), cut_off(3, 1, 2), invalid(4, 1, 2, 2)}) == 2);
}
