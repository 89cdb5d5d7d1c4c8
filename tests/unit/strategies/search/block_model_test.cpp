#include "strategies/search/block_model.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "datasets/model/study_view.hpp"

using namespace netsettle;
using namespace netsettle::strategies;

namespace {

/// A block: the baseline at `level`, and configurations 2, 3, … at their differences from it.
void add(std::vector<BlockObservation>& observations, int block, double level, const std::vector<double>& differences) {
  observations.push_back({.configuration = kBaselineId, .block = block, .log_value = level});
  std::int64_t id = kBaselineId;
  for (const double difference : differences)
    observations.push_back({.configuration = ++id, .block = block, .log_value = level + difference});
}

}  // namespace

TEST_CASE("without a trial of the baseline there is nothing to compare with") {
  CHECK_FALSE(fit_block_model({}, 0.03));
  CHECK_FALSE(fit_block_model({{.configuration = 2, .block = 1, .log_value = 11}}, 0.03));
}

TEST_CASE("many exact blocks give the true differences, whatever the blocks do") {
  std::vector<BlockObservation> observations;
  for (int block = 1; block <= 20; ++block) add(observations, block, 11 + 0.3 * (block % 3), {0.2, -0.1, 0.05});
  const auto fit = fit_block_model(observations, 0.01);
  REQUIRE(fit);
  CHECK(fit->effects.at(2).mean == Approx(0.2).margin(0.002));
  CHECK(fit->effects.at(3).mean == Approx(-0.1).margin(0.002));
  CHECK(fit->effects.at(4).mean == Approx(0.05).margin(0.002));
  CHECK_FALSE(fit->effects.contains(kBaselineId));
}

TEST_CASE("a single lucky trial is drawn towards the others, a repeated one less") {
  std::vector<BlockObservation> once, often;
  add(once, 1, 11, {0.10, 0.0, -0.01, 0.01});
  for (int block = 1; block <= 10; ++block) add(often, block, 11, {0.10, 0.0, -0.01, 0.01});
  const double after_one = fit_block_model(once, 0.05)->effects.at(2).mean;
  const double after_ten = fit_block_model(often, 0.05)->effects.at(2).mean;
  CHECK(after_one > 0);
  CHECK(after_one < 0.06);
  CHECK(after_ten > after_one);
  CHECK(after_ten < 0.10);
}

TEST_CASE("more trials make a belief more exact") {
  std::vector<BlockObservation> few, many;
  for (int block = 1; block <= 2; ++block) add(few, block, 11, {0.02, 0.04, 0.06});
  for (int block = 1; block <= 12; ++block) add(many, block, 11, {0.02, 0.04, 0.06});
  CHECK(fit_block_model(many, 0.03)->effects.at(2).standard_deviation < fit_block_model(few, 0.03)->effects.at(2).standard_deviation);
}

TEST_CASE("a few very bad configurations do not widen what is believed of the good ones") {
  std::vector<BlockObservation> observations, with_bad;
  add(observations, 1, 11, {0.0, 0.01, 0.02, 0.01, 0.0, 0.02});
  add(with_bad, 1, 11, {0.0, 0.01, 0.02, 0.01, 0.0, 0.02, -3.0});
  CHECK(fit_block_model(with_bad, 0.02)->prior.standard_deviation < 2 * fit_block_model(observations, 0.02)->prior.standard_deviation);
}
