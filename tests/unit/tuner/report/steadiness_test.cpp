#include "tuner/report/steadiness.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/tuner/report/sample.hpp"

using namespace netsettle;
using namespace netsettle::tuner;

namespace {

Sample confirmed() {
  Sample study = sample();
  for (const double step : {0.0, 100.0, -200.0, 50.0, 10.0, -60.0}) add_block(study.study, 54000 + step, 41000 - step);
  return study;
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("the section shows the spread of the baseline and of the leader") {
  const Sample study = confirmed();
  const std::string text = steadiness_section(study.data());
  CHECK(has(text, "| 1 (baseline) | 7 |"));
  CHECK(has(text, "| 2 | 6 |"));
  CHECK(has(text, "39 % |"));  // 1 - .05^(1/6)
}

TEST_CASE("the ratio of arithmetic means stands beside the claim") {
  const Sample study = confirmed();
  CHECK(
      has(steadiness_section(study.data()),
          "The arithmetic mean of qps of configuration 2 is +32 % (95 % +31 % to +32 %, Fieller) against the baseline in 6 fresh blocks."));
}

TEST_CASE("what the machine did meanwhile is told") {
  Sample study = confirmed();
  study.study.decisions.push_back({.kind = DecisionKind::drift, .effect = -0.2, .inputs_json = R"({"first_block_after":4})"});
  const std::string text = steadiness_section(study.data());
  CHECK(has(text, "Over 100 trials the baseline itself changed by"));
  CHECK(has(text, "The machine itself changed by −20 % before block 4"));
}

TEST_CASE("a study in which nothing was measured twice has no such section") {
  const Sample study = sample();
  CHECK(steadiness_section(study.data()).empty());
}
