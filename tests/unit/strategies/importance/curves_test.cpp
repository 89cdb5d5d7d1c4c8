#include "strategies/importance/curves.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/strategies/importance/fake_model.hpp"

using namespace netsettle;
using namespace netsettle::strategies;

namespace {

std::vector<double> numbers_of(const Curve& curve) {
  std::vector<double> numbers;
  for (const CurvePoint& point : curve.points)
    numbers.push_back(std::holds_alternative<AsFound>(point.value) ? -1 : static_cast<double>(std::get<std::int64_t>(point.value)));
  return numbers;
}

}  // namespace

TEST_CASE("a curve has every value of a small parameter, and says where the configuration stands") {
  Parameter child = levels("child", {1, 2});
  child.when = expression("a == 3");
  const auto space = space_of(experiment_of({levels("a", {1, 2, 3}), levels("b", {1, 2}), child}));
  const FakeModel model([](const Configuration& at) { return 0.1 * (number_of(at, "a", 1) - 1); }, 0.01);
  const Configuration centre{{{"a", std::int64_t{2}}, {"b", AsFound{}}}};
  const auto curves = curves_through(space, model, centre);
  REQUIRE(curves.size() == 2);
  const Curve& a = curves[0];
  CHECK(numbers_of(a) == std::vector<double>{-1, 1, 2, 3});
  CHECK(a.points[2].is_centre);
  CHECK(a.points[3].versus_baseline.mean == Approx(0.2));
  CHECK(a.points[3].versus_centre.mean == Approx(0.1));
  CHECK(a.range.mean == Approx(0.2));
  CHECK(a.is_visible);
  CHECK(a.bound > 0.1);
  const Curve& b = curves[1];
  CHECK_FALSE(b.is_visible);
  CHECK(b.bound < 0.05);
}

TEST_CASE("a wide range is looked at in nine places on its scale, with special values and the configuration's own") {
  Parameter wide = range("wide", 100, 10'000'000);
  wide.scale = Scale::logarithmic;
  wide.special = {std::int64_t{0}};
  const auto space = space_of(experiment_of({wide}));
  const FakeModel model([](const Configuration&) { return 0.0; }, 0.01);
  const auto curves = curves_through(space, model, {{{"wide", std::int64_t{4321}}}});
  REQUIRE(curves.size() == 1);
  CHECK(numbers_of(curves[0]) == std::vector<double>{-1, 0, 100, 420, 1800, 4321, 7500, 32'000, 130'000, 560'000, 2'400'000, 10'000'000});
  CHECK_FALSE(curves[0].is_visible);
}

TEST_CASE("values that the constraints forbid are left out, and a parameter with one value left has no curve") {
  Experiment experiment = experiment_of({levels("a", {1, 2, 3}), levels("b", {1, 2})});
  experiment.require = {expression("a + b <= 4"), expression("b == 2")};
  const auto space = space_of(experiment);
  const FakeModel model([](const Configuration&) { return 0.0; }, 0.01);
  const auto curves = curves_through(space, model, {{{"a", std::int64_t{1}}, {"b", std::int64_t{2}}}});
  REQUIRE(!curves.empty());
  CHECK(curves[0].parameter == "a");
  for (const CurvePoint& point : curves[0].points) CHECK(point.value != Value(std::int64_t{3}));
}
