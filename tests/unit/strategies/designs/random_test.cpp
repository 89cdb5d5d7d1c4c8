#include "strategies/designs/random.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <numeric>
#include <set>

using namespace netsettle::strategies;

TEST_CASE("splitmix64 gives the published sequence") {
  // Sebastiano Vigna's splitmix64.c from state 1234567: the state moves on by the golden gamma for each number.
  constexpr std::uint64_t kGamma = 0x9e3779b97f4a7c15u;
  CHECK(splitmix64(1234567) == 6457827717110365317u);
  CHECK(splitmix64(1234567 + kGamma) == 3203168211198807973u);
  CHECK(splitmix64(1234567 + 2 * kGamma) == 9817491932198370423u);
}

TEST_CASE("seeds of different purposes and of neighbouring studies do not collide") {
  std::set<std::uint64_t> seeds;
  for (std::uint64_t study = 0; study < 100; ++study)
    for (std::uint64_t purpose = 0; purpose < 100; ++purpose) seeds.insert(derive_seed(study, purpose));
  CHECK(seeds.size() == 10'000);
}

TEST_CASE("the order of a seed stays the same on every machine") {
  std::vector<int> items(8);
  std::iota(items.begin(), items.end(), 0);
  Random random(42);
  shuffle(items, random);
  CHECK(items == std::vector<int>{2, 1, 5, 3, 0, 7, 4, 6});
}

TEST_CASE("every order of a shuffle is about as frequent") {
  std::map<std::vector<int>, int> counts;
  Random random(7);
  for (int i = 0; i < 6000; ++i) {
    std::vector<int> items{1, 2, 3};
    shuffle(items, random);
    ++counts[items];
  }
  REQUIRE(counts.size() == 6);
  for (const auto& [order, count] : counts) {
    CHECK(count > 880);
    CHECK(count < 1120);
  }
}

TEST_CASE("uniform numbers stay in their range") {
  Random random(3);
  for (int i = 0; i < 1000; ++i) {
    const double fraction = random.uniform();
    CHECK((fraction >= 0 && fraction < 1));
    const auto number = random.integer(-2, 2);
    CHECK((number >= -2 && number <= 2));
    CHECK(random.index(3) < 3);
  }
}
