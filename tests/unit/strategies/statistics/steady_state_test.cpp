#include "strategies/statistics/steady_state.hpp"

#include <catch2/catch.hpp>
#include <vector>

using namespace netsettle::strategies;

namespace {

/// Pieces of 20 points with these means and variance 4.
std::vector<Segment> pieces(const std::vector<double>& means) {
  std::vector<Segment> segments;
  for (const double mean : means)
    segments.push_back({.begin = 20 * segments.size(), .end = 20 * segments.size() + 20, .mean = mean, .variance = 4});
  return segments;
}

}  // namespace

TEST_CASE("the classes of a series and where its steady state begins") {
  struct Row {
    std::vector<double> means;
    SteadyClass kind;
    std::size_t begin;
  };
  const std::vector<Row> rows{{{100}, SteadyClass::flat, 0},
                              {{100, 103.9, 100}, SteadyClass::flat, 0},
                              {{80, 100}, SteadyClass::warmup, 20},
                              {{60, 80, 100, 102}, SteadyClass::warmup, 40},
                              {{120, 100}, SteadyClass::slowdown, 20},
                              {{80, 120, 100, 100}, SteadyClass::slowdown, 40},
                              {{100, 60, 100}, SteadyClass::warmup, 40},
                              {{80, 90, 100, 110, 120}, SteadyClass::no_steady_state, 80}};
  for (const Row& row : rows) {
    const auto state = steady_state(pieces(row.means));
    CAPTURE(row.means);
    REQUIRE(state);
    CHECK(state->kind == row.kind);
    CHECK(state->begin == row.begin);
    CHECK(state->mean_before.has_value() == (row.begin > 0));
  }
}

TEST_CASE("pieces are equal exactly as far as their bands reach") {
  CHECK(steady_state(pieces({104.09, 100}))->kind == SteadyClass::flat);  // 2 + 2 + 0.1
  CHECK(steady_state(pieces({104.11, 100}))->kind == SteadyClass::slowdown);
  CHECK(steady_state(pieces({97.1, 100}), {.deviations = 0, .delta = 0.03})->kind == SteadyClass::flat);
  CHECK(steady_state(pieces({96.9, 100}), {.deviations = 0, .delta = 0.03})->kind == SteadyClass::warmup);
}

TEST_CASE("the steady mean is weighted by points, and the level before is the piece just before") {
  std::vector<Segment> segments = pieces({50, 80, 100, 102});
  segments[3].end = 120;
  const auto state = steady_state(segments);
  CHECK(state->mean == Approx((20 * 100 + 60 * 102) / 80.0));
  CHECK(*state->mean_before == 80);
}

TEST_CASE("no pieces, no state") { CHECK_FALSE(steady_state({})); }
