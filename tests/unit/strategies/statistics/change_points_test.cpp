#include "strategies/statistics/change_points.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "tests/unit/strategies/statistics/series_samples.hpp"

using namespace netsettle::strategies;

namespace {

using Changes = std::vector<std::size_t>;

std::vector<double> with_step(std::vector<double> values, std::size_t at, double step) {
  for (std::size_t i = at; i < values.size(); ++i) values[i] += step;
  return values;
}

/// 30 points: 1000 up to 12, then 1060; deviation 20.
std::vector<double> short_step() {
  std::vector<double> values = reference_flat();
  values.resize(30);
  return with_step(values, 12, 60);
}

}  // namespace

TEST_CASE("change points of mean and variance are those of an independent program") {
  // NumPy 1.24.2: optimal partitioning with numpy.var of each slice, pieces of at least 5 points, floor 1e-4 of the whole variance
  CHECK(change_points(reference_steps()) == Changes{40, 90});
  CHECK(change_points(reference_steps(), {.penalty = 3 * std::log(150)}) == Changes{40, 90, 114});
  std::vector<double> spread = reference_noise(150);
  for (std::size_t i = 0; i < spread.size(); ++i) spread[i] *= i < 75 ? 20 : 70;
  CHECK(change_points(spread) == Changes{75});
}

TEST_CASE("change points of the mean are those of an independent program") {
  // NumPy 1.24.2: n log(RSS / n) + penalty × changes over all partitions into at most 4 pieces of at least 5 points
  const auto found = [](double penalty) { return change_points(short_step(), {.model = ChangeModel::mean, .penalty = penalty}); };
  CHECK(found(20) == Changes{13});
  CHECK(found(3 * std::log(30)) == Changes{13});
  CHECK(found(2) == Changes{11, 17});
  CHECK(found(1000).empty());
}

TEST_CASE("a change of the spread alone is none of the mean") {
  std::vector<double> values = reference_noise(150);
  for (std::size_t i = 75; i < values.size(); ++i) values[i] *= 4;
  CHECK_FALSE(change_points(values).empty());
  CHECK(change_points(values, {.model = ChangeModel::mean}).empty());
}

TEST_CASE("white noise has no change points, with the usual penalty in fewer than one series of a hundred") {
  int of_both = 0, of_mean = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const std::vector<double> values = noisy_level(seed, 20 + seed % 5 * 30, 0.05, 0);
    of_both += !change_points(values).empty();
    of_mean += !change_points(values, {.model = ChangeModel::mean}).empty();
  }
  CAPTURE(of_both, of_mean);
  CHECK(of_both < 10);
  CHECK(of_mean < 10);
}

TEST_CASE("a large step is found where it is") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const std::size_t at = 10 + seed % 80;
    const std::vector<double> values = with_step(noisy_level(seed, 100, 0.03, 0), at, 0.15);
    for (const ChangeModel model : {ChangeModel::mean_and_variance, ChangeModel::mean}) {
      const Changes changes = change_points(values, {.model = model});
      REQUIRE(changes.size() == 1);
      CHECK(std::abs(static_cast<long>(changes[0]) - static_cast<long>(at)) <= 1);
    }
  }
}

TEST_CASE("change points do not depend on unit and zero") {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const std::vector<double> values = with_step(noisy_level(seed, 80, 0.05, 0.3), 30, 0.12);
    std::vector<double> other = values;
    for (double& value : other) value = -3e6 + 2e4 * value;
    for (const ChangeModel model : {ChangeModel::mean_and_variance, ChangeModel::mean}) {
      const ChangePointOptions options{.model = model, .penalty = 8};
      CHECK(change_points(other, options) == change_points(values, options));
    }
  }
}

TEST_CASE("a series read backwards changes at the same places") {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    std::vector<double> values = with_step(noisy_level(seed, 80, 0.05, 0), 30, 0.2);
    const Changes forwards = change_points(values);
    std::ranges::reverse(values);
    Changes backwards = change_points(values);
    std::ranges::reverse(backwards);
    for (std::size_t& change : backwards) change = 80 - change;
    CHECK(backwards == forwards);
  }
}

TEST_CASE("pieces are never shorter than asked for") {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const std::vector<double> values = noisy_level(seed, 60, 0.05, 0.6);
    for (const ChangeModel model : {ChangeModel::mean_and_variance, ChangeModel::mean}) {
      const Changes changes = change_points(values, {.model = model, .penalty = 0.5, .least_length = 7});
      CHECK_FALSE(changes.empty());
      for (const Segment& segment : segments_between(values, changes)) CHECK(segment.end - segment.begin >= 7);
    }
  }
}

TEST_CASE("the mean model stops at the most changes allowed") {
  const std::vector<double> values = noisy_level(3, 100, 0.05, 0.6);
  CHECK(change_points(values, {.model = ChangeModel::mean, .penalty = 0, .most_changes = 3}).size() == 3);
  CHECK(change_points(values, {.model = ChangeModel::mean, .penalty = 0, .most_changes = 0}).empty());
}

TEST_CASE("steps between levels without any spread are found, and equal points have none") {
  const std::vector<double> step = with_step(std::vector<double>(30, 1e9), 12, 1);
  for (const ChangeModel model : {ChangeModel::mean_and_variance, ChangeModel::mean}) {
    CHECK(change_points(step, {.model = model}) == Changes{12});
    CHECK(change_points(std::vector<double>(50, 0.1), {.model = model}).empty());
    CHECK(change_points(std::vector<double>(9, 1), {.model = model}).empty());
    CHECK(change_points({}, {.model = model}).empty());
  }
}

TEST_CASE("a few equal points among others are no piece of their own") {
  std::vector<double> values = noisy_level(5, 100, 0.05, 0);
  for (std::size_t i = 40; i < 44; ++i) values[i] = 1;
  CHECK(change_points(values).empty());
}

TEST_CASE("pieces have the mean and the sample's variance of their points") {
  const auto segments = segments_between(reference_steps(), Changes{40, 90});
  REQUIRE(segments.size() == 3);
  // NumPy 1.24.2: v[a:b].mean(), v[a:b].var(ddof=1)
  const std::vector<std::pair<double, double>> expected{
      {1005.004075659439, 339.1625873572979}, {1120.8318579416723, 537.4981811782541}, {1035.22854191189, 2111.0552095797666}};
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(segments[i].mean == Approx(expected[i].first).epsilon(1e-12));
    CHECK(segments[i].variance == Approx(expected[i].second).epsilon(1e-10));
  }
  CHECK(segments[0].begin == 0);
  CHECK(segments[1].begin == 40);
  CHECK(segments[1].end == 90);
  CHECK(segments[2].end == 150);
  CHECK(segments_between({}, {}).empty());
  CHECK(segments_between(std::vector<double>{4}, {}).front().variance == 0);
}
