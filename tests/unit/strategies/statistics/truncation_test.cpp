#include "strategies/statistics/truncation.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "tests/unit/strategies/statistics/series_samples.hpp"

using namespace netsettle::strategies;

TEST_CASE("truncation points are those of an independent program") {
  struct Row {
    std::vector<double> values;
    std::size_t dropped;
    std::optional<double> before;
    double after;
    TruncationPoint where;
  };
  std::vector<double> ramp = reference_flat();
  for (std::size_t i = 0; i < ramp.size(); ++i) ramp[i] += 3.0 * static_cast<double>(i);
  // NumPy 1.24.2: z = v.reshape(30, 5).mean(axis=1); argmin over d <= 15 of ((z[d:] - z[d:].mean())**2).sum() / (30 - d)**2
  const std::vector<Row> rows{{reference_flat(), 0, std::nullopt, 1001.031415041412, TruncationPoint::early},
                              {reference_warmup(8), 9, 949.9317210413915, 998.6158156306299, TruncationPoint::early},
                              {reference_warmup(15), 15, 940.9135187042449, 999.129906606731, TruncationPoint::late},
                              {ramp, 15, 1113.517836845542, 1335.544993237282, TruncationPoint::late}};
  for (const Row& row : rows) {
    const auto truncation = mser5(row.values);
    REQUIRE(truncation);
    CHECK(truncation->batches == 30);
    CHECK(truncation->dropped == row.dropped);
    CHECK(truncation->points == 5 * row.dropped);
    CHECK(truncation->mean_before.has_value() == row.before.has_value());
    if (row.before) CHECK(*truncation->mean_before == Approx(*row.before).epsilon(1e-12));
    CHECK(truncation->mean_after == Approx(row.after).epsilon(1e-12));
    CHECK(truncation->where == row.where);
  }
}

TEST_CASE("twenty batches are needed, and what is left at the end does not count") {
  const std::vector<double> flat = reference_flat();
  CHECK_FALSE(mser5({}));
  CHECK_FALSE(mser5(std::span(flat).first(99)));
  const auto truncation = mser5(std::span(flat).first(103));
  REQUIRE(truncation);
  CHECK(truncation->batches == 20);
  CHECK(truncation->mean_after == Approx(1002.4864093732089).epsilon(1e-12));  // NumPy, as above
}

TEST_CASE("the truncation point does not depend on unit and zero") {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    std::vector<double> values = noisy_level(seed, 150, 0.05, 0.3);
    for (std::size_t i = 0; i < 30; ++i) values[i] -= 0.2;
    const auto before = mser5(values);
    for (double& value : values) value = 1e5 + 250 * value;
    const auto after = mser5(values);
    CHECK(after->dropped == before->dropped);
    CHECK(after->mean_after == Approx(1e5 + 250 * before->mean_after));
  }
}

TEST_CASE("a step at the begin is cut off where it ends") {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    std::vector<double> values = noisy_level(seed, 150, 0.03, 0);
    for (std::size_t i = 0; i < 30; ++i) values[i] -= 0.3;
    CHECK(mser5(values)->points >= 30);
  }
}

TEST_CASE("equal points are steady from the first on") {
  const auto truncation = mser5(std::vector<double>(100, 0.1));
  REQUIRE(truncation);
  CHECK(truncation->dropped == 0);
  CHECK(truncation->where == TruncationPoint::early);
}

TEST_CASE("late points in steady series are too frequent for a verdict of their own") {
  // What settling relies on: about 8 % at 20 batches, about 4 % at 30.
  int late20 = 0, late30 = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    late20 += mser5(noisy_level(seed, 100, 0.05, 0.3))->where == TruncationPoint::late;
    late30 += mser5(noisy_level(seed, 150, 0.05, 0.3))->where == TruncationPoint::late;
  }
  CAPTURE(late20, late30);
  CHECK(late20 > late30);
  CHECK(late20 < 120);
  CHECK(late30 > 20);
}
