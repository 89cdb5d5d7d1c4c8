#include "strategies/racing/sentence.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/strategies/support.hpp"

using namespace netsettle;
using namespace netsettle::strategies;

TEST_CASE("percentages have two or three digits and a real minus sign") {
  CHECK(percent(0.0312) == "3.1 %");
  CHECK(percent(0.31) == "31 %");
  CHECK(percent(-0.02) == "−2.0 %");
  CHECK(percent(0.0996) == "10 %");
  CHECK(signed_percent(0.001) == "+0.1 %");
  CHECK(signed_percent(-0.5) == "−50 %");
}

TEST_CASE("a configuration is described by what it changes, in the units people use") {
  Experiment experiment =
      experiment_of({levels("processes", {1, 2}), range("rmem", 65536, 16777216), levels("wait", {500}), levels("kept", {1})});
  experiment.parameters[1].type = ParameterType::bytes;
  experiment.parameters[2].type = ParameterType::duration;
  const SearchSpace space = space_of(experiment);
  Configuration configuration = space.baseline();
  CHECK(describe_changes(configuration, space) == "the settings you had");
  configuration.values["processes"] = std::int64_t{2};
  configuration.values["rmem"] = std::int64_t{4 << 20};
  configuration.values["wait"] = std::int64_t{500};
  CHECK(describe_changes(configuration, space) == "processes=2, rmem=4 MiB, wait=0.5 ms");
}

TEST_CASE("a measured difference is a sentence with its interval and blocks") {
  CHECK(measured_text({.n = 6, .effect = 0.03, .low = -0.02, .high = 0.08}) == "+3.0 % (95 % interval −2.0 % to +8.0 %) in 6 fresh blocks");
  CHECK(counted(1, "block") == "1 block");
  CHECK(measured_text({.n = 8, .effect = 0.03, .low = -0.02, .high = 0.08, .alpha = 0.00625}, 4) ==
        "+3.0 % (simultaneous 95 % interval over the 4 finalists −2.0 % to +8.0 %) in 8 fresh blocks");
}
