#include "strategies/surrogate/features.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/strategies/support.hpp"

using namespace netsettle;
using namespace netsettle::strategies;

namespace {

Parameter words(std::string name, const std::vector<std::string>& list) {
  Parameter parameter{.name = name, .sets = {"server." + name}, .type = ParameterType::categorical};
  for (const std::string& word : list) parameter.values.emplace_back(word);
  return parameter;
}

Parameter logarithmic(std::string name, double low, double high) {
  Parameter parameter = range(std::move(name), low, high);
  parameter.scale = Scale::logarithmic;
  return parameter;
}

double distance(const Features& features, const Configuration& one, const Configuration& other) {
  const Eigen::Index n = features.coordinates();
  return (features.point(one).head(n) - features.point(other).head(n)).norm();
}

Configuration of(std::map<std::string, Value> values) { return {.values = std::move(values)}; }

}  // namespace

TEST_CASE("numbers lie on their scale, from 0 to 1") {
  const Features features(space_of(experiment_of({range("n", 2, 10), logarithmic("size", 1, 10'000)})));
  const Configuration middle = of({{"n", std::int64_t{6}}, {"size", std::int64_t{100}}});
  const Configuration low = of({{"n", std::int64_t{2}}, {"size", std::int64_t{1}}});
  const Configuration high = of({{"n", std::int64_t{10}}, {"size", std::int64_t{10'000}}});
  CHECK(distance(features, low, high) == Approx(std::sqrt(2.0)));
  CHECK(distance(features, low, middle) == Approx(std::sqrt(0.5)));
}

TEST_CASE("two different levels of a category are 1 apart, whichever they are") {
  const Features features(space_of(experiment_of({words("io", {"epoll", "uring", "blocking"})})));
  CHECK(distance(features, of({{"io", std::string("epoll")}}), of({{"io", std::string("uring")}})) == Approx(1));
  CHECK(distance(features, of({{"io", std::string("epoll")}}), of({{"io", std::string("blocking")}})) == Approx(1));
  CHECK(distance(features, of({{"io", std::string("epoll")}}), of({{"io", AsFound{}}})) == Approx(1));
}

TEST_CASE("as found lies where the machine's value lies, and has a place of its own where that is unknown") {
  Experiment experiment = experiment_of({range("n", 0, 10)});
  const auto space = SearchSpace::resolve(experiment, {}, {{"server.n", std::int64_t{4}}});
  REQUIRE(space);
  const Features known(*space);
  CHECK(distance(known, of({{"n", AsFound{}}}), of({{"n", std::int64_t{5}}})) == Approx(0.1));
  const Features unknown(space_of(experiment));
  CHECK(distance(unknown, of({{"n", AsFound{}}}), of({{"n", std::int64_t{5}}})) == Approx(std::sqrt(0.5)));
}

TEST_CASE("numbers given one by one lie by their size") {
  const Features features(space_of(experiment_of({levels("n", {1, 2, 4, 8, 16})})));
  const double near = distance(features, with_value("n", 1), with_value("n", 2));
  CHECK(near == Approx(0.25));
  CHECK(distance(features, with_value("n", 1), with_value("n", 16)) == Approx(1));
}

TEST_CASE("on a linear scale of more than a factor of ten a number lies half way to its logarithm") {
  const Features wide(space_of(experiment_of({range("threads", 1, 16)}))), narrow(space_of(experiment_of({range("threads", 2, 16)})));
  const auto apart = [](const Features& features, std::int64_t one, std::int64_t other) {
    return distance(features, with_value("threads", one), with_value("threads", other));
  };
  CHECK(apart(wide, 1, 16) == Approx(1));
  CHECK(apart(wide, 1, 2) == Approx(0.5 * (1.0 / 15) + 0.5 * (1.0 / 4)));
  CHECK(apart(wide, 8, 16) == Approx(0.5 * (8.0 / 15) + 0.5 * (1.0 / 4)));
  CHECK(apart(narrow, 2, 3) == Approx(1.0 / 14));
}

TEST_CASE("how far outside of its range a value was found does not matter beyond the range's own width") {
  const auto space = SearchSpace::resolve(experiment_of({range("n", 1, 16)}), {}, {{"server.n", std::int64_t{0}}});
  REQUIRE(space);
  const Features features(*space);
  CHECK(distance(features, of({{"n", AsFound{}}}), with_value("n", 1)) == Approx(0.5 * (1.0 / 15) + 0.5));
}

TEST_CASE("inactive parameters do not keep configurations apart") {
  Parameter child = range("flows", 0, 10);
  child.when = expression("rps == 'on'");
  const Features features(space_of(experiment_of({words("rps", {"off", "on"}), child})));
  const Configuration off = of({{"rps", std::string("off")}});
  CHECK(distance(features, off, off) == 0);
  const Configuration on = of({{"rps", std::string("on")}, {"flows", std::int64_t{5}}});
  CHECK(distance(features, off, on) == Approx(std::sqrt(1 + 0.25)));
  CHECK(features.point(off).tail(features.size() - features.coordinates()).tail(2).norm() == 0);
}

TEST_CASE("the basis has a line and a parabola for a number and a column for a level") {
  const Features features(space_of(experiment_of({range("n", 0, 2)})));
  const Eigen::RowVectorXd middle = features.point(with_value("n", 1)).tail(features.size() - features.coordinates());
  REQUIRE(middle.size() == 3);
  CHECK(middle[0] == Approx(0).margin(1e-12));
  CHECK(middle[1] == Approx(-std::sqrt(5.0) / 2));
  CHECK(middle[2] == 0);
}
