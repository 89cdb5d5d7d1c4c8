#include "strategies/designs/unit_cube.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "strategies/designs/readable.hpp"
#include "strategies/designs/sample.hpp"
#include "tests/unit/strategies/support.hpp"

using namespace netsettle;
using namespace netsettle::strategies;

namespace {

Parameter logarithmic(std::string name, double low, double high, ParameterType type = ParameterType::integer) {
  Parameter parameter = range(std::move(name), low, high);
  parameter.type = type;
  parameter.scale = Scale::logarithmic;
  return parameter;
}

Parameter found(Parameter parameter, std::int64_t value) {
  parameter.default_value = Value(value);
  return parameter;
}

SearchSpace space_with(Parameter parameter) { return space_of(experiment_of({std::move(parameter)})); }

/// The share of the axis that has a value.
double share_of(const UnitCube& cube, const std::string& text) {
  constexpr int kPlaces = 10'000;
  int n = 0;
  for (int i = 0; i < kPlaces; ++i) {
    const auto configuration = cube.at(std::vector{(i + 0.5) / kPlaces});
    n += configuration && canonical_text(*configuration) == text ? 1 : 0;
  }
  return static_cast<double>(n) / kPlaces;
}

}  // namespace

TEST_CASE("each whole number has a cell of the same width, as-found at its place") {
  const SearchSpace space = space_with(found(range("a", 1, 4), 2));
  const UnitCube cube(space);
  CHECK(cube.at(std::vector{0.1}) == with_value("a", 1));
  CHECK(cube.at(std::vector{0.3}) == space.baseline());
  CHECK(cube.at(std::vector{0.6}) == with_value("a", 3));
  CHECK(cube.at(std::vector{1.7}) == with_value("a", 4));
  CHECK(cube.at(std::vector{-0.2}) == with_value("a", 1));
  CHECK(cube.point_of(space.baseline())[0] == Approx(0.375));
  CHECK(cube.cell(0, 0.6)->low == Approx(0.5));
  CHECK(cube.cell(0, 0.6)->high == Approx(0.75));
}

TEST_CASE("values outside the range have cells at the end where they belong") {
  Parameter parameter = found(range("a", 10, 19), 100);
  parameter.special = {Value(std::int64_t{0})};
  const SearchSpace space = space_with(parameter);
  const UnitCube cube(space);
  CHECK(cube.at(std::vector{0.05}) == with_value("a", 0));
  CHECK(cube.at(std::vector{0.95}) == space.baseline());
  CHECK(cube.at(std::vector{0.11}) == with_value("a", 10));
  CHECK(cube.at(std::vector{0.89}) == with_value("a", 19));
}

TEST_CASE("categories and as-found, where it is none of them, are equal parts") {
  const SearchSpace space = space_with(levels("a", {1, 2, 3}));
  const UnitCube cube(space);
  CHECK(share_of(cube, "a=as-found\n") == Approx(0.25));
  CHECK(share_of(cube, "a=3\n") == Approx(0.25));
}

TEST_CASE("as-found and special values get their shares where they are asked for") {
  Parameter parameter = found(range("a", 1, 10), 5);
  parameter.special = {Value(std::int64_t{0}), Value(std::int64_t{10})};
  const SearchSpace space = space_with(parameter);
  const UnitCube cube(space, {.as_found = 0.15, .special = 0.2});
  CHECK(share_of(cube, "a=as-found\n") == Approx(0.15 + 0.065).margin(0.001));
  CHECK(share_of(cube, "a=0\n") == Approx(0.1).margin(0.001));
  CHECK(share_of(cube, "a=10\n") == Approx(0.1 + 0.065).margin(0.001));
}

TEST_CASE("a logarithmic range has readable numbers and the value found") {
  const SearchSpace space = space_with(found(logarithmic("a", 4096, 256 * 1024 * 1024, ParameterType::bytes), 212992));
  const UnitCube cube(space);
  const auto middles = cube.middles(0);
  CHECK(middles.size() > 200);
  CHECK(middles.size() < 500);
  for (const double middle : middles) {
    const auto configuration = cube.at(std::vector{middle});
    REQUIRE(configuration);
    const Value value = configuration->values.at("a");
    if (std::holds_alternative<AsFound>(value)) continue;
    const auto number = static_cast<double>(std::get<std::int64_t>(value));
    if (number > 4096 && number < 256 * 1024 * 1024) CHECK(readable(number, ParameterType::bytes) == number);
  }
  CHECK(cube.at(cube.point_of(space.baseline())) == space.baseline());
  CHECK(cube.at(std::vector{0.0}) == with_value("a", 4096));
  CHECK(cube.at(std::vector{1.0}) == with_value("a", 256 * 1024 * 1024));
}

TEST_CASE("within a real range every place is another number") {
  Parameter parameter = logarithmic("a", 0.01, 100, ParameterType::real);
  parameter.default_value = Value(1.0);
  const SearchSpace space = space_with(parameter);
  const UnitCube cube(space);
  CHECK_FALSE(cube.cell(0, 0.3));
  CHECK(std::get<double>(cube.at(std::vector{0.25})->values.at("a")) == Approx(0.1));
  CHECK(cube.point_of(space.baseline())[0] == Approx(0.5));
}

TEST_CASE("each configuration lies at a point that leads back to it") {
  Experiment experiment = experiment_of({levels("a", {1, 2, 3}), found(range("b", 1, 100'000), 70), found(logarithmic("c", 1, 9999), 300)});
  experiment.parameters[1].when = expression("a != 2");
  const SearchSpace space = space_of(experiment);
  const UnitCube cube(space);
  Random random(4);
  for (int i = 0; i < 300; ++i) {
    const auto drawn = draw_configuration(space, random);
    CHECK(cube.at(cube.point_of(*drawn)) == *drawn);
  }
}

TEST_CASE("a point that violates the constraints is no configuration") {
  Experiment experiment = experiment_of({levels("a", {1, 2})});
  experiment.require = {expression("a != 2")};
  const SearchSpace space = space_of(experiment);
  const UnitCube cube(space);
  CHECK_FALSE(cube.at(std::vector{0.9}));
  CHECK(cube.at(std::vector{0.5}));
}

TEST_CASE("readable numbers follow each other with two digits") {
  CHECK(next_readable(1, ParameterType::integer) == 2);
  CHECK(next_readable(99, ParameterType::integer) == 100);
  CHECK(next_readable(100, ParameterType::integer) == 110);
  CHECK(next_readable(990, ParameterType::integer) == 1000);
  CHECK(next_readable(1234, ParameterType::integer) == 1300);
  CHECK(next_readable(9900, ParameterType::bytes) == 10'000);
  CHECK(next_readable(10'000, ParameterType::bytes) == 10'240);
  CHECK(next_readable(10'240, ParameterType::bytes) == 11 * 1024);
  CHECK(next_readable(100.0 * 1024, ParameterType::bytes) == 110.0 * 1024);
}
