#include "strategies/statistics/summary.hpp"

#include <array>
#include <catch2/catch.hpp>

using namespace netsettle::strategies;

TEST_CASE("a summary has the extremes, the mean and the sample's standard deviation") {
  constexpr std::array values{2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0};
  const auto summary = summarise_values(values);
  REQUIRE(summary);
  CHECK(summary->n == 8);
  CHECK(summary->mean == Approx(5));
  CHECK(summary->minimum == 2);
  CHECK(summary->maximum == 9);
  CHECK(*summary->standard_deviation == Approx(2.138089935299395));  // R 4.2: sd(c(2,4,4,4,5,5,7,9))
}

TEST_CASE("what one or no trial cannot say is absent") {
  CHECK_FALSE(summarise_values({}));
  constexpr std::array one{42.0};
  const auto summary = summarise_values(one);
  REQUIRE(summary);
  CHECK(summary->mean == 42);
  CHECK_FALSE(summary->standard_deviation);
  CHECK_FALSE(coefficient_of_variation(*summary));
}

TEST_CASE("a small spread on large values is not rounded away") {
  constexpr std::array values{1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16};
  const auto summary = summarise_values(values);
  CHECK(*summary->standard_deviation * *summary->standard_deviation == Approx(30).epsilon(1e-12));  // exact: (36 + 9 + 9 + 36) / 3
}

TEST_CASE("the coefficient of variation needs a positive mean") {
  constexpr std::array rates{95.0, 105.0}, balanced{-1.0, 1.0};
  CHECK(*coefficient_of_variation(*summarise_values(rates)) == Approx(0.0707106781186548));
  CHECK_FALSE(coefficient_of_variation(*summarise_values(balanced)));
}

TEST_CASE("the pooled spread ignores what the groups' means do") {
  constexpr std::array first{10.0, 12.0}, second{110.0, 112.0};
  constexpr std::array third{5.0};
  const std::array groups{*summarise_values(first), *summarise_values(second), *summarise_values(third)};
  CHECK(*pooled_standard_deviation(groups) == Approx(1.4142135623730951));
  CHECK_FALSE(pooled_standard_deviation(std::span(groups).last(1)));
}
