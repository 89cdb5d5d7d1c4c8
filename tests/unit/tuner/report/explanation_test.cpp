#include "tuner/report/explanation_text.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/tuner/report/sample.hpp"

using namespace netsettle;
using namespace netsettle::strategies;
using namespace netsettle::tuner;
using Catch::Matchers::Contains;

namespace {

CurvePoint point(Value value, double mean, bool is_centre) {
  return {.value = std::move(value),
          .is_centre = is_centre,
          .versus_baseline = {.mean = mean, .standard_deviation = 0.01},
          .versus_centre = {.mean = mean - 0.2, .standard_deviation = 0.01}};
}

ExplanationData explained() {
  Explanation explanation{
      .explained = Explained::winner, .configuration_id = 2, .trials = 34, .gain = {.mean = 0.27, .standard_deviation = 0.02}};
  AblationStep step{.changes = {{"processes", AsFound{}, std::int64_t{2}}}, .after = {}, .gain = {0.25, 0.01}, .so_far = {0.25, 0.01}};
  explanation.path.push_back({.step = step, .before_id = 1, .after_id = std::nullopt, .blocks = 0, .measured = std::nullopt});
  step.changes = {{"rmem", AsFound{}, std::int64_t{4194304}}};
  step.gain = {0.02, 0.015};
  step.so_far = {0.27, 0.02};
  PairedComparison measured;
  measured.effect = 0.018;
  measured.low = -0.01;
  measured.high = 0.046;
  explanation.path.push_back({.step = step, .before_id = 3, .after_id = 2, .blocks = 4, .measured = measured});
  explanation.shares = {
      {.parameter = "processes", .first = {0.9, 0.8, 0.95}, .total = {0.93, 0.85, 0.97}, .first_among_good = {}, .total_among_good = {}}};
  explanation.curves = {{.parameter = "processes",
                         .points = {point(AsFound{}, 0, false), point(std::int64_t{2}, 0.25, true)},
                         .range = {0.25, 0.01},
                         .is_visible = true,
                         .bound = 0.3},
                        {.parameter = "rmem",
                         .points = {point(AsFound{}, 0.24, false), point(std::int64_t{4194304}, 0.25, true)},
                         .range = {0.01, 0.02},
                         .is_visible = false,
                         .bound = 0.03}};
  return {.explanation = explanation, .failures = {}};
}

}  // namespace

TEST_CASE("an explanation names the gain, the way, shares and curves, and says that the model does") {
  const Sample shown = sample();
  const std::string text = explanation_text(shown.data(), explained(), 120);
  CHECK_THAT(text,
             Contains("What bought the gain of configuration 2 (processes=2, rmem=4 MiB), the winner: by the model of 34 trials +31.0 %") &&
                 Contains("measured in the confirmation") && Contains("only the verdict makes a claim"));
  CHECK_THAT(text, Contains("processes: as found → 2") && Contains("+1.8 % (-1.0 to +4.6) in 4 blocks"));
  CHECK_THAT(text, Contains("0.93 (0.85 to 0.97)") && Contains("########################"));
  CHECK_THAT(text, Contains("No visible effect there, by the model: rmem (at most 3.0 %)"));
  CHECK_THAT(text, Contains("Nothing that was tried failed."));
}

TEST_CASE("on a study without a gain the explanation says so first") {
  Sample shown = sample();
  shown.verdict->kind = VerdictKind::no_improvement;
  shown.verdict->configuration_id = kBaselineId;
  shown.verdict->statement = "Nothing beats the settings you had.";
  auto data = explained();
  data.explanation->explained = Explained::leader;
  CHECK_THAT(explanation_text(shown.data(), data, 120),
             Catch::StartsWith("There is no proven gain to explain: Nothing beats the settings you had.") &&
                 Contains("the best that the search saw"));
  data.explanation.reset();
  CHECK_THAT(explanation_text(shown.data(), data, 120), Catch::StartsWith("There is nothing to explain"));
}

TEST_CASE("what failed is told with what the failing ones have in common") {
  auto data = explained();
  data.failures = {.trials = 3,
                   .configurations = {4, 5},
                   .tried = 9,
                   .reasons = {{"server-failed", 3}},
                   .patterns = {{"rmem", FailurePattern::Kind::at_least, std::int64_t{8388608}, 2}}};
  const Sample shown = sample();
  CHECK_THAT(explanation_text(shown.data(), data, 200), Contains("2 of 9 configurations failed, in 3 trials (3 × server-failed). In common "
                                                                 "they have rmem of at least 8 MiB (2 configurations, none works)."));
}

TEST_CASE("the document of an explanation has numbers where the text has sentences, and null where there is nothing") {
  const Sample shown = sample();
  const auto json = explanation_json(shown.data(), explained());
  CHECK(json.at("by") == "model");
  CHECK(json.at("explained").at("as") == "winner");
  CHECK(json.at("confirmed").at("estimate") == 0.31);
  CHECK(json.at("path").at(1).at("measured").at("estimate") == 0.018);
  CHECK(json.at("path").at(0).at("measured").is_null());
  CHECK(json.at("no_visible_effect") == nlohmann::json::array({"rmem"}));
  const auto none = explanation_json(shown.data(), {});
  CHECK(none.at("explained").is_null());
  CHECK(none.at("path").empty());
  CHECK(none.at("failures").at("trials") == 0);
}

TEST_CASE("the page has the way and the shares, and nothing without an explanation") {
  const Sample shown = sample();
  CHECK_THAT(explanation_markdown(shown.data(), explained()),
             Contains("## What bought the gain") && Contains("| processes: as found → 2 | +28.4 %") && Contains("| processes | 0.93"));
  CHECK(explanation_markdown(shown.data(), {}).empty());
}
