#include "strategies/surrogate/surrogate.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "tests/unit/strategies/support.hpp"

using namespace netsettle;
using namespace netsettle::strategies;

namespace {

/// A study of one number from 0 to 10 whose effect is a hump at 7; `works` of each tried configuration is kept apart.
struct Case {
  StudyView study = fresh(experiment_of({range("n", 0, 10)}));
  SurrogateData data{.trials = {}, .works = {{kBaselineId, true}}};

  void see(std::int64_t id, double log_value) {
    data.trials.push_back({.configuration_id = id, .time = static_cast<double>(data.trials.size() + 1), .log_value = log_value});
    data.works.try_emplace(id, true);
  }
  std::int64_t configuration(std::int64_t n) { return add_configuration(study, with_value("n", n)); }
};

double hump(std::int64_t n) { return 11 + 0.3 * std::exp(-0.1 * static_cast<double>((n - 7) * (n - 7))); }

Case measured() {
  Case made;
  for (int i = 0; i < 4; ++i) made.see(kBaselineId, 11.0 + (i % 2 == 0 ? 0.01 : -0.01));
  for (const std::int64_t n : {0, 1, 3, 4, 5, 6, 8, 9, 10}) made.see(made.configuration(n), hump(n) + (n % 2 == 0 ? 0.005 : -0.005));
  return made;
}

}  // namespace

TEST_CASE("configurations that were not measured are predicted from their neighbours") {
  const Case made = measured();
  const auto surrogate = Surrogate::of(made.study, made.data);
  REQUIRE(surrogate);
  const auto [mean, covariance] =
      surrogate->versus_baseline(surrogate->features().points({with_value("n", 7), with_value("n", 2), made.study.space.baseline()}));
  CHECK(mean[0] == Approx(0.3).margin(0.05));
  CHECK(mean[1] < 0.1);
  CHECK(mean[2] == Approx(0).margin(1e-9));
  CHECK(covariance(2, 2) == Approx(0).margin(1e-9));
  CHECK(covariance(0, 0) > 0);
}

TEST_CASE("without the baseline or with two trials there is no model") {
  Case made;
  made.see(kBaselineId, 11);
  made.see(made.configuration(3), 11);
  CHECK_FALSE(Surrogate::of(made.study, made.data));
  Case other;
  for (const std::int64_t n : {1, 2, 3, 4}) other.see(other.configuration(n), 11);
  CHECK_FALSE(Surrogate::of(other.study, other.data));
}

TEST_CASE("the memory changes nothing") {
  const Case made = measured();
  SurrogateMemory memory;
  const auto first = Surrogate::of(made.study, made.data, &memory), again = Surrogate::of(made.study, made.data, &memory),
             without = Surrogate::of(made.study, made.data);
  const Eigen::MatrixXd points = first->features().points({with_value("n", 7), with_value("n", 2)});
  CHECK(first->process().mean(points) == again->process().mean(points));
  CHECK(first->process().mean(points) == without->process().mean(points));
}

TEST_CASE("between two fits the hyper-parameters stay, whatever is measured") {
  Case made;
  made.see(made.configuration(2), 2.0);  // far below: how far is decided by what comes later
  const Case rest = measured();
  for (const SeenTrial& trial : rest.data.trials)
    made.see(trial.configuration_id == kBaselineId ? kBaselineId : made.configuration(trial.configuration_id), trial.log_value);
  const auto hyper_parameters = [&] { return Surrogate::of(made.study, made.data)->process().hyper_parameters().vector(); };
  std::set<double> noises;
  constexpr int kMore = 16;
  for (int i = 0; i < kMore; ++i) {
    noises.insert(hyper_parameters()[hyper_parameters().size() - 1]);
    made.see(kBaselineId, 10.0 + 0.1 * i);
  }
  CHECK(noises.size() >= 4);
  CHECK(noises.size() <= 5);
}

TEST_CASE("what failed tells where it fails, and nothing about the rate") {
  Case made = measured();
  made.data.works[made.configuration(2)] = false;
  for (const StudyConfiguration& known : made.study.configurations)
    if (known.configuration == with_value("n", 0) || known.configuration == with_value("n", 1)) made.data.works[known.id] = false;
  const auto surrogate = Surrogate::of(made.study, made.data);
  const Eigen::MatrixXd points = surrogate->features().points({with_value("n", 2), with_value("n", 9)});
  const Eigen::VectorXd feasible = surrogate->feasibility().probability(points);
  CHECK(feasible[0] < feasible[1]);
  CHECK(surrogate->process().observations().count() == std::ssize(made.data.trials));
}

TEST_CASE("one value far below the others does not bend the model") {
  Case made = measured();
  const auto before = Surrogate::of(made.study, made.data);
  made.see(made.configuration(2), 2.0);
  const auto after = Surrogate::of(made.study, made.data);
  const Eigen::MatrixXd point = before->features().points({with_value("n", 7)});
  CHECK(after->versus_baseline(point).first[0] == Approx(before->versus_baseline(point).first[0]).margin(0.1));
}

TEST_CASE("more than the model can hold is thinned out, the best stay") {
  Case made;
  for (int i = 0; i < 4; ++i) made.see(kBaselineId, 11.0);
  std::vector<std::int64_t> ids;
  for (std::int64_t n = 0; n <= 10; ++n) ids.push_back(made.configuration(n));
  for (int i = 0; i < 700; ++i) made.see(ids[static_cast<std::size_t>(i) % ids.size()], hump(i % 11));
  const auto surrogate = Surrogate::of(made.study, made.data);
  CHECK(surrogate->process().observations().count() == 300);
  CHECK(surrogate->versus_baseline(surrogate->features().points({with_value("n", 7)})).first[0] == Approx(0.3).margin(0.05));
}
