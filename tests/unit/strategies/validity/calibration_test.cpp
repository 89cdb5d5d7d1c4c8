#include "strategies/validity/calibration.hpp"

#include <catch2/catch.hpp>
#include <random>

using namespace netsettle::strategies;

namespace {

/// A server that answers `capacity` and a client whose window gives at most `per_place` each; 2 % noise that blocks share in part.
struct Rig {
  double capacity = 100'000, per_place = 1'000;
  double noise = 0.02;
};

std::vector<LoadLevel> measured(const Rig& rig, int blocks, unsigned seed, double file_window = 200) {
  std::vector<LoadLevel> levels;
  for (const double factor : {0.25, 0.5, 1.0, 2.0, 4.0})
    levels.push_back({.name = "outstanding=" + std::to_string(static_cast<int>(factor * file_window)),
                      .window = factor * file_window,
                      .is_file = factor == 1.0,
                      .rates = {}});
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal;
  for (int block = 0; block < blocks; ++block) {
    const double shared = 1 + 0.05 * normal(generator);
    for (LoadLevel& level : levels)
      level.rates.emplace_back(std::min(rig.capacity, rig.per_place * level.window) * shared * (1 + rig.noise * normal(generator)));
  }
  return levels;
}

}  // namespace

TEST_CASE("a load beyond the knee is enough, and the headroom says how far beyond") {
  const Calibration calibration = calibrate(measured({}, 6, 1), 0.02);
  CHECK(calibration.fit == LoadFit::enough);
  CHECK(calibration.knee_window == 100);
  CHECK(calibration.headroom == Approx(2));
  CHECK_FALSE(calibration.advice);
  CHECK_THAT(calibration.sentence, Catch::Contains("heavy enough") && Catch::Contains("100 queries under way suffice"));
}

TEST_CASE("a load below the knee is too light, and the heavier one is named") {
  const Calibration calibration = calibrate(measured({.per_place = 200}, 6, 2), 0.02);
  CHECK(calibration.fit == LoadFit::too_light);
  REQUIRE(calibration.advice);
  CHECK_THAT(*calibration.advice, Catch::StartsWith("outstanding=") && !Catch::Contains("200"));
  CHECK_THAT(calibration.sentence, Catch::Contains("the client is the limit"));
}

TEST_CASE("noise that hides a gain of a tenth is said to hide it") {
  const Calibration calibration = calibrate(measured({.noise = 0.3}, 3, 3), 0.02);
  CHECK(calibration.fit == LoadFit::cannot_tell);
  CHECK_THAT(calibration.sentence, Catch::Contains("more --repeat"));
}

TEST_CASE("a single block, an unmeasured file load and an empty list are told, not guessed") {
  CHECK(calibrate(measured({}, 1, 4), 0.02).fit == LoadFit::cannot_tell);
  auto levels = measured({}, 4, 5);
  for (auto& rate : levels[2].rates) rate.reset();
  CHECK_THAT(calibrate(levels, 0.02).sentence, Catch::Contains("could not be measured"));
  CHECK(calibrate({}, 0.02).fit == LoadFit::cannot_tell);
}

TEST_CASE("a sufficient load is called too light in at most one of twenty calibrations") {
  int wrong = 0;
  for (unsigned seed = 1; seed <= 1000; ++seed) wrong += calibrate(measured({}, 4, seed), 0).fit == LoadFit::too_light;
  CHECK(wrong <= 67);  // 50 expected at most; upper end of its 99 % range
}

TEST_CASE("more instances at the same window show a client that is the limit") {
  std::vector<LoadLevel> levels = {
      {.name = "instances=1", .window = 500, .instances = 1, .is_file = true, .rates = {100.0, 101.0, 99.0, 100.5}},
      {.name = "instances=2", .window = 500, .instances = 2, .rates = {150.0, 152.0, 149.0, 151.0}}};
  const Calibration calibration = calibrate(levels, 0.02);
  CHECK(calibration.fit == LoadFit::too_light);
  CHECK(calibration.advice == "instances=2");
}

TEST_CASE("a window full of lost queries is no load to judge by, and a smaller one is named") {
  auto levels = measured({}, 4, 7);
  for (std::size_t i = 2; i < levels.size(); ++i) levels[i].window_limited = 3;
  const Calibration calibration = calibrate(levels, 0.02);
  CHECK(calibration.fit == LoadFit::cannot_tell);
  CHECK(calibration.advice == "outstanding=100");
  CHECK_THAT(calibration.sentence, Catch::Contains("larger receive buffer"));
}
