#include "strategies/search/neighbours.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/strategies/support.hpp"

using namespace netsettle;
using namespace netsettle::strategies;

namespace {

SearchSpace two_parameters() {
  Parameter number = range("n", 1, 100);
  number.default_value = Value(std::int64_t{50});
  return space_of(experiment_of({levels("a", {1, 2, 3}), number}));
}

int differences(const Configuration& one, const Configuration& other) {
  int n = 0;
  for (const auto& [name, value] : one.values) n += other.values.at(name) == value ? 0 : 1;
  return n;
}

}  // namespace

TEST_CASE("a neighbour differs in one parameter, and all are different") {
  const SearchSpace space = two_parameters();
  const UnitCube cube(space);
  Random random(1);
  const auto neighbours = neighbours_of(cube, space.baseline(), all_axes(cube), {}, random);
  CHECK(neighbours.size() == 3 + 8);  // all levels; a step of each size up and down
  std::set<std::string> texts;
  for (const Configuration& each : neighbours) {
    CHECK(differences(space.baseline(), each) == 1);
    CHECK(texts.insert(canonical_text(each)).second);
  }
}

TEST_CASE("what is known and what may not change is left out") {
  const SearchSpace space = two_parameters();
  const UnitCube cube(space);
  Random random(1);
  Configuration known = space.baseline();
  known.values["a"] = Value(std::int64_t{2});
  CHECK(neighbours_of(cube, space.baseline(), {0}, {}, random).size() == 3);
  CHECK(neighbours_of(cube, space.baseline(), {0}, {canonical_text(known)}, random).size() == 2);
  CHECK(neighbours_of(cube, space.baseline(), {}, {}, random).empty());
}

TEST_CASE("from whole numbers that lie close together each step leads to another one") {
  Parameter number = range("n", 1, 5);
  number.default_value = Value(std::int64_t{3});
  const SearchSpace space = space_of(experiment_of({number}));
  const UnitCube cube(space);
  Random random(1);
  CHECK(neighbours_of(cube, space.baseline(), {0}, {}, random).size() == 4);
}

TEST_CASE("combining takes what either changed, and the better one where both did") {
  const SearchSpace space = two_parameters();
  Configuration better = space.baseline(), other = space.baseline();
  better.values["a"] = Value(std::int64_t{2});
  other.values["a"] = Value(std::int64_t{3});
  other.values["n"] = Value(std::int64_t{7});
  const auto both = combined(space, space.baseline(), better, other);
  REQUIRE(both);
  CHECK(both->values.at("a") == Value(std::int64_t{2}));
  CHECK(both->values.at("n") == Value(std::int64_t{7}));
}
