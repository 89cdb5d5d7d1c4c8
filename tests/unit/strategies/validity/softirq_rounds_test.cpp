#include "strategies/validity/softirq_rounds.hpp"

#include <catch2/catch.hpp>

using namespace netsettle::strategies;

TEST_CASE("where no round was cut off, neither limit was reached") {
  const auto sentence = explain_rounds({.packets = 5'000'000, .cut_off = 0, .budget = 300});
  REQUIRE(sentence);
  CHECK(sentence->find("no round") == 0);
}

TEST_CASE("rounds that cannot have handled the whole budget were ended by time") {
  const auto sentence = explain_rounds({.packets = 3000, .cut_off = 50, .budget = 300});
  REQUIRE(sentence);
  CHECK(sentence->find("at least 40 of 50") == 0);
  CHECK(sentence->find("netdev_budget_usecs") != std::string::npos);
}

TEST_CASE("where either limit may have ended every round nothing is said") {
  CHECK(!explain_rounds({.packets = 15'000, .cut_off = 50, .budget = 300}));
  CHECK(!explain_rounds({.packets = 15'000'000, .cut_off = 50, .budget = 300}));
}

TEST_CASE("without packets or a budget nothing is said") {
  CHECK(!explain_rounds({.packets = 0, .cut_off = 5, .budget = 300}));
  CHECK(!explain_rounds({.packets = 5000, .cut_off = 5, .budget = 0}));
  CHECK(!explain_rounds({.packets = 5000, .cut_off = 5, .budget = -1}));
}
