#include "strategies/importance/explanation.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/strategies/importance/fake_model.hpp"

using namespace netsettle;
using namespace netsettle::strategies;

namespace {

/// `a` = 2 is worth about 20 %, `b` nothing, in blocks with the baseline.
StudyView searched() {
  StudyView study = fresh(experiment_of({levels("a", {1, 2}), levels("b", {1, 2})}));
  const auto add = [&](std::int64_t a, std::int64_t b) {
    return add_configuration(study, {{{"a", a == 0 ? Value(AsFound{}) : Value(a)}, {"b", b == 0 ? Value(AsFound{}) : Value(b)}}});
  };
  const auto both = add(2, 2), alone = add(2, 0), other = add(0, 2), first = add(1, 1);
  for (int i = 0; i < 6; ++i) {
    const double shake = 1 + 0.004 * ((i * 7) % 5 - 2);
    add_block(
        study, Purpose::search,
        {{kBaselineId, 1000 * shake}, {both, 1202 / shake}, {alone, 1200 * shake * shake}, {other, 1001 / shake}, {first, 999 * shake}});
  }
  return study;
}

}  // namespace

TEST_CASE("an explanation by a known model: the way, the measured steps, the shares, the curves") {
  const StudyView study = searched();
  const FakeModel model([](const Configuration& at) { return 0.18 * (number_of(at, "a", 1) - 1) + 0.001 * (number_of(at, "b", 1) - 1); },
                        0.002);
  const auto explanation = explain(study, model, Explained::leader, 2);
  CHECK(explanation.gain.mean == Approx(0.181));
  REQUIRE(explanation.path.size() == 2);
  CHECK(explanation.path[0].step.changes[0].parameter == "a");
  CHECK(explanation.path[0].before_id == kBaselineId);
  CHECK(explanation.path[0].after_id == 3);
  CHECK(explanation.path[0].blocks == 6);
  CHECK(explanation.path[0].measured->effect == Approx(0.2).margin(0.02));
  CHECK(explanation.path[1].blocks == 6);
  REQUIRE(explanation.shares.size() == 2);
  CHECK(explanation.shares[0].parameter == "a");
  CHECK(explanation.shares[0].total.value > 0.95);
  CHECK(explanation.shares[0].total.low <= explanation.shares[0].total.value);
  CHECK(explanation.shares[0].total.high >= explanation.shares[0].total.value);
  CHECK(explanation.shares[1].total.value < 0.05);
  CHECK(explanation.curves.size() == 2);
  CHECK(explanation.inactive.empty());
}

TEST_CASE("by the study's own surrogate the parameter that matters has the larger share, and the way begins with it") {
  const auto explanation = explain(searched());
  REQUIRE(explanation);
  CHECK(explanation->explained == Explained::leader);
  CHECK(explanation->gain.mean == Approx(0.182).margin(0.03));
  REQUIRE(!explanation->path.empty());
  CHECK(explanation->path[0].step.changes[0].parameter == "a");
  REQUIRE(!explanation->shares.empty());
  CHECK(explanation->shares[0].parameter == "a");
  CHECK(explanation->shares[0].total.value > 0.5);
}

TEST_CASE("where nothing but the baseline was measured there is nothing to explain") {
  StudyView study = fresh(experiment_of({levels("a", {1, 2})}));
  CHECK_FALSE(explained_configuration(study));
  CHECK_FALSE(explain(study));
  add_block(study, Purpose::pilot, {{kBaselineId, 1000}, {kBaselineId, 1001}});
  CHECK_FALSE(explain(study));
}
