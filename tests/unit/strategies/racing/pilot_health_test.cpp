#include "strategies/racing/pilot_health.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "strategies/racing/pilot.hpp"
#include "tests/unit/strategies/support.hpp"

using namespace netsettle;
using namespace netsettle::strategies;

namespace {

StudyView piloted(const std::vector<double>& first, const std::vector<double>& second) {
  StudyView study = fresh(experiment_of({levels("n", {1, 2, 3})}));
  for (const std::vector<double>& half : {first, second}) {
    std::vector<Seen> trials;
    for (const double rate : half) trials.push_back({kBaselineId, rate});
    add_block(study, Purpose::pilot, trials);
  }
  return study;
}

}  // namespace

TEST_CASE("a steady pilot is no reason for a warning") {
  const auto health = pilot_health(piloted({1000, 1010, 995, 1003}, {1001, 992, 1008, 999}));
  REQUIRE(health);
  CHECK(health->findings.empty());
  CHECK(warning_of(*health).empty());
  CHECK(health->halves->p > 0.05);
  CHECK(health->neighbour_correlation);
  CHECK(health->modes);
}

TEST_CASE("halves of the pilot that differ are found") {
  const auto health = pilot_health(piloted({1000, 1010, 995, 1003}, {1081, 1092, 1068, 1079}));
  REQUIRE(health);
  CHECK(health->findings.front() == PilotFinding::halves_differ);
  CHECK(health->halves->effect == Approx(0.078).margin(0.002));
  CHECK(warning_of(*health).find("+7.8 %") != std::string::npos);
}

TEST_CASE("a very noisy machine is named with its noise") {
  const auto health = pilot_health(piloted({1000, 1300, 700}, {900, 1200, 800}));
  REQUIRE(health);
  CHECK(health->findings == std::vector<PilotFinding>{PilotFinding::noisy});
  CHECK(warning_of(*health).find("equal trials vary by 24 %") != std::string::npos);
}

TEST_CASE("trials that fall into two groups are found from eight on") {
  const auto health = pilot_health(piloted({1000, 1003, 801, 998}, {803, 1001, 999, 799}));
  REQUIRE(health);
  CHECK(health->findings == std::vector<PilotFinding>{PilotFinding::two_modes});
  CHECK(warning_of(*health).find("two groups 25 % apart") != std::string::npos);
  CHECK_FALSE(pilot_health(piloted({1000, 1003, 801}, {803, 1001, 799}))->modes);
}

TEST_CASE("a machine that drifts through the pilot has trials that resemble their neighbours") {
  const auto health = pilot_health(piloted({1000, 1012, 1021, 1034, 1041, 1052}, {1053, 1040, 1035, 1020, 1013, 999}));
  REQUIRE(health);
  CHECK(health->findings == std::vector<PilotFinding>{PilotFinding::correlated});
  CHECK(*health->neighbour_correlation > 0.6);
}

TEST_CASE("trials that were not measured leave the rest to be judged") {
  CHECK_FALSE(pilot_health(piloted({}, {})));
  StudyView study = piloted({1000, 1010, 990}, {});
  add_block(study, Purpose::pilot, {{kBaselineId, 0, Outcome::invalid}});
  const auto health = pilot_health(study);
  REQUIRE(health);
  CHECK_FALSE(health->halves);
  CHECK(health->findings.empty());
}

TEST_CASE("the pilot's decision holds what its health was judged by") {
  const StudyView study = piloted({1000, 1010, 995, 1003}, {1081, 1092, 1068, 1079});
  const auto inputs = nlohmann::json::parse(pilot_decision(study, 6, kAlpha).inputs_json);
  const auto& health = inputs.at("health");
  CHECK(health.at("findings")[0] == "halves-differ");
  CHECK(health.at("halves").at("p").get<double>() < 0.01);
  CHECK(health.at("halves").at("n_second") == 4);
  CHECK(health.contains("neighbour_correlation"));
  CHECK(health.at("modes").contains("bic_difference"));
  CHECK(pilot_of(study)->health.findings.front() == PilotFinding::halves_differ);
}
