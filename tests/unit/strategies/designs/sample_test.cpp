#include "strategies/designs/sample.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/strategies/support.hpp"

using namespace netsettle;
using namespace netsettle::strategies;

namespace {

constexpr int kDraws = 2000;

}  // namespace

TEST_CASE("random configurations are in the space and satisfy its constraints") {
  Experiment experiment = experiment_of({range("cores", 1, 8), range("irq", 1, 8), levels("batch", {1, 16, 64})});
  experiment.parameters[2].when = expression("cores > 2");
  experiment.require = {expression("cores + irq <= cpus")};
  const SearchSpace space = space_of(experiment);
  Random random(1);
  for (int i = 0; i < kDraws; ++i) {
    const auto drawn = draw_configuration(space, random);
    REQUIRE(drawn);
    CHECK(space.satisfies(*drawn));
    CHECK(space.canonical(*drawn) == *drawn);
  }
}

TEST_CASE("where no configuration satisfies the constraints drawing gives up") {
  Experiment experiment = experiment_of({range("cores", 1, 8)});
  experiment.require = {expression("cores > 100")};
  const SearchSpace space = space_of(experiment);
  Random random(1);
  CHECK_FALSE(draw_configuration(space, random, {.as_found = 0}));
}

TEST_CASE("special values and the value found get their share") {
  Domain domain{.name = "rmem", .type = ParameterType::bytes, .low = 65536, .high = 16777216, .scale = Scale::logarithmic};
  domain.special = {Value(std::int64_t{0})};
  Random random(5);
  int special = 0, as_found = 0;
  for (int i = 0; i < kDraws; ++i) {
    const Value value = draw_value(domain, random);
    if (std::holds_alternative<AsFound>(value))
      ++as_found;
    else if (std::get<std::int64_t>(value) == 0)
      ++special;
  }
  CHECK(as_found == Approx(0.15 * kDraws).margin(60));
  CHECK(special == Approx(0.85 * 0.2 * kDraws).margin(60));
}

TEST_CASE("a logarithmic scale draws each octave about as often") {
  const Domain domain{.name = "n", .type = ParameterType::integer, .low = 1, .high = 1 << 16, .scale = Scale::logarithmic};
  Random random(5);
  int below = 0;
  for (int i = 0; i < kDraws; ++i) below += std::get<std::int64_t>(draw_value(domain, random, {.special = 0, .as_found = 0})) < 256 ? 1 : 0;
  CHECK(below == Approx(kDraws / 2).margin(100));
}

TEST_CASE("a logarithmic range that starts at zero reaches zero") {
  const Domain domain{.name = "n", .type = ParameterType::integer, .low = 0, .high = 100, .scale = Scale::logarithmic};
  Random random(5);
  bool zero = false;
  for (int i = 0; i < kDraws; ++i) {
    const auto value = std::get<std::int64_t>(draw_value(domain, random, {.special = 0, .as_found = 0}));
    REQUIRE((value >= 0 && value <= 100));
    zero = zero || value == 0;
  }
  CHECK(zero);
}

TEST_CASE("a step draws only the multiples") {
  const Domain domain{.name = "n", .type = ParameterType::real, .low = 0.5, .high = 2, .step = 0.5};
  Random random(5);
  for (int i = 0; i < 200; ++i) {
    const double value = std::get<double>(draw_value(domain, random, {.special = 0, .as_found = 0}));
    CHECK((value == 0.5 || value == 1 || value == 1.5 || value == 2));
  }
}
