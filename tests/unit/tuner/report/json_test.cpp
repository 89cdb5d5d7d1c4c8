#include "tuner/report/json.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/unit/tuner/report/sample.hpp"

using namespace netsettle;
using namespace netsettle::tuner;
using nlohmann::json;

TEST_CASE("the trials document holds every trial, absent values as null") {
  const Sample study = sample();
  const json document = json::parse(trials_json(study.data()));
  CHECK(document["study"] == "quick");
  REQUIRE(document["trials"].size() == 2);
  CHECK(document["trials"][0]["measurements"]["qps"] == Approx(41234.4));
  CHECK(document["trials"][0]["outcome"] == "measured");
  CHECK(document["trials"][0]["ended_us"].is_null());
  CHECK(document["trials"][1]["reasons"][0]["code"] == "clock-step");
  CHECK(document["trials"][1]["measurements"].empty());
}

TEST_CASE("a planned trial has no outcome in JSON") {
  Sample study = sample();
  study.study.trials[0].outcome.reset();
  CHECK(json::parse(trials_json(study.data()))["trials"][0]["outcome"].is_null());
}

TEST_CASE("the document of one trial shows each setting requested, before, effective and at the end") {
  const StudyView study = sample_study();
  const AppliedSetting row{.setting = "sysctl.net.core.rmem_max",
                           .target = "/proc/sys/net/core/rmem_max",
                           .requested = "8",
                           .before = "212992",
                           .effective = "2304",
                           .at_end = "2304",
                           .status = SettingStatus::clamped};
  const json document = json::parse(trial_json(study.trials[0], {row}));
  CHECK(document["id"] == 1);
  CHECK(document["settings"][0]["requested"] == "8");
  CHECK(document["settings"][0]["before"] == "212992");
  CHECK(document["settings"][0]["effective"] == "2304");
  CHECK(document["settings"][0]["status"] == "clamped");
}

TEST_CASE("the configurations document keeps the types of values") {
  const Sample study = sample();
  const json document = json::parse(configurations_json(study.data()));
  CHECK(document["objective"] == "qps");
  CHECK(document["configurations"][0]["values"]["rmem"] == "as-found");
  CHECK(document["configurations"][0]["versus_baseline"].is_null());
  CHECK(document["configurations"][1]["values"]["rmem"] == 4194304);
  CHECK(document["configurations"][1]["versus_baseline"]["low"] == Approx(0.241));
  CHECK(document["configurations"][1]["invalid"] == 1);
}

TEST_CASE("a configuration without a measured trial has null for its numbers") {
  Sample study = sample();
  study.summaries[1] = {.id = 2, .n = 0, .failed = 2};
  study.summaries.pop_back();
  const json document = json::parse(configurations_json(study.data()));
  CHECK(document["configurations"][1]["mean"].is_null());
  CHECK(document["configurations"][1]["failed"] == 2);
  CHECK(document["configurations"][2]["n"] == 0);
  CHECK(document["configurations"][2]["mean"].is_null());
}

TEST_CASE("the best document has the verdict and what is handed over") {
  const Sample study = sample();
  const json document = json::parse(best_json(study.data()));
  CHECK(document["status"] == "converged");
  CHECK(document["verdict"]["kind"] == "winner");
  CHECK(document["verdict"]["effect"]["estimate"] == Approx(0.31));
  CHECK(document["configuration"]["id"] == 2);
  CHECK(document["pilot"]["provable_effect"] == Approx(0.034));
  CHECK(document["caveats"].size() == 2);
}

TEST_CASE("before the verdict the best document claims nothing") {
  Sample study = sample();
  study.verdict.reset();
  study.pilot.reset();
  const json document = json::parse(best_json(study.data()));
  CHECK(document["verdict"].is_null());
  CHECK(document["configuration"].is_null());
  CHECK(document["pilot"].is_null());
}

TEST_CASE("bytes that are no UTF-8 do not break a document") {
  Sample study = sample();
  study.study.trials[1].reasons[0].detail = "\xff\xfe";
  CHECK(json::accept(trials_json(study.data())));
}
