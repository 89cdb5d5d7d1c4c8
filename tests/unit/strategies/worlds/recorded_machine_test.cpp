#include "strategies/worlds/recorded_machine.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "strategies/worlds/simulation.hpp"
#include "tests/unit/strategies/support.hpp"

using namespace netsettle;
using namespace netsettle::strategies;

namespace {

/// A parameter n of 0 to 100, on a machine that gains 1 % with each 10 of n, and cannot start above 80.
StudyView recorded_study() {
  Experiment experiment = experiment_of({range("n", 0, 100)});
  StudyView study = fresh(experiment);
  std::vector<std::int64_t> ids{kBaselineId};
  for (const std::int64_t n : {0, 20, 40, 60, 80, 100}) ids.push_back(add_configuration(study, with_value("n", n)));
  for (int block = 0; block < 4; ++block) {
    std::vector<Seen> seen{{.configuration = kBaselineId, .qps = 100'000}};
    for (std::size_t i = 1; i < ids.size(); ++i) {
      const double gain = 0.02 * static_cast<double>(i - 1);
      const double noise = block % 2 == 0 ? 0.01 : -0.01;
      if (i == 6)
        seen.push_back({.configuration = ids[i], .outcome = Outcome::failed});
      else
        seen.push_back({.configuration = ids[i], .qps = 100'000 * (1 + gain) * std::exp(noise)});
    }
    add_block(study, Purpose::search, seen);
  }
  return study;
}

}  // namespace

TEST_CASE("a machine made of a record has its means, its failures and its spread") {
  const auto machine = recorded_machine(recorded_study());
  REQUIRE(machine);
  const auto gain = [&](std::int64_t n) {
    return truth_of(machine->world, with_value("n", n)).mean / truth_of(machine->world, with_value("n", 0)).mean - 1;
  };
  CHECK(gain(80) > gain(60));
  CHECK(gain(60) > gain(40));
  CHECK(gain(80) == Approx(0.08).margin(0.025));
  CHECK(gain(50) == Approx((gain(40) + gain(60)) / 2).margin(0.005));
  CHECK(truth_of(machine->world, with_value("n", 95)).fails);
  CHECK_FALSE(truth_of(machine->world, with_value("n", 85)).fails);
  for (const double residual : machine->world.residuals) CHECK(std::abs(residual) < 0.012);
  CHECK(machine->optimum == truth_of(machine->world, machine->best).mean);
  CHECK(machine->optimum >= truth_of(machine->world, with_value("n", 80)).mean);
}

TEST_CASE("a study runs on a machine made of a record, and hands over what is good there") {
  const auto machine = recorded_machine(recorded_study());
  REQUIRE(machine);
  const StudyScore score = simulate(*machine, 5, 60, StrategyKind::random);
  CHECK(score.trials <= 60);
  CHECK(score.regret_percent < 6);
  CHECK_FALSE(score.unstable);
}

TEST_CASE("the baseline of a recorded machine works, whatever failed near it") {
  StudyView study = recorded_study();
  add_block(study, Purpose::search, {{.configuration = kBaselineId, .outcome = Outcome::failed}});
  const auto machine = recorded_machine(study);
  REQUIRE(machine);
  CHECK_FALSE(truth_of(machine->world, machine->space.baseline()).fails);
}

TEST_CASE("a record in which too little was measured makes no machine, and says of what") {
  StudyView study = fresh(experiment_of({range("n", 0, 100)}));
  add_block(study, Purpose::pilot, {{.qps = 100}, {.qps = 101}, {.qps = 99}});
  const auto few = recorded_machine(study);
  REQUIRE_FALSE(few);
  CHECK(few.error().code == ErrorCode::not_found);
  CHECK(few.error().text.find("3 configurations") != std::string::npos);
  for (const std::int64_t n : {20, 40})
    add_block(study, Purpose::search, {{.configuration = add_configuration(study, with_value("n", n)), .qps = 100}});
  const auto once = recorded_machine(study);
  REQUIRE_FALSE(once);
  CHECK(once.error().text.find("measured twice") != std::string::npos);
}
