#include "strategies/importance/failures.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/strategies/support.hpp"

using namespace netsettle;
using namespace netsettle::strategies;

namespace {

/// Each configuration once: a, b and whether it worked.
StudyView tried(const std::vector<std::tuple<std::int64_t, std::string, bool>>& configurations) {
  Parameter model{.name = "model", .sets = {"server.io_model"}, .type = ParameterType::categorical};
  model.values = {std::string("epoll"), std::string("poll")};
  StudyView study = fresh(experiment_of({range("size", 1, 100), model}));
  for (const auto& [size, name, works] : configurations) {
    const auto id = add_configuration(study, {{{"size", size}, {"model", name}}});
    add_block(study, Purpose::search, {{kBaselineId, 1000}, {id, 1000, works ? Outcome::measured : Outcome::failed}});
    if (!works) study.trials.back().reasons = {{"server-failed", "it would not start"}};
  }
  return study;
}

}  // namespace

TEST_CASE("failures above a bound, and failures of one value, are named as such") {
  const auto above = failure_summary(tried({{10, "epoll", true}, {50, "poll", true}, {60, "epoll", false}, {90, "poll", false}}));
  CHECK(above.trials == 2);
  CHECK(above.tried == 5);
  CHECK(above.configurations == std::vector<std::int64_t>{4, 5});
  CHECK(above.reasons.at("server-failed") == 2);
  REQUIRE(above.patterns.size() == 1);
  CHECK(above.patterns[0].parameter == "size");
  CHECK(above.patterns[0].kind == FailurePattern::Kind::at_least);
  CHECK(above.patterns[0].value == Value(std::int64_t{60}));
  const auto value = failure_summary(tried({{10, "epoll", true}, {50, "poll", false}, {60, "epoll", true}, {90, "poll", false}}));
  REQUIRE(value.patterns.size() == 1);
  CHECK(value.patterns[0].parameter == "model");
  CHECK(value.patterns[0].kind == FailurePattern::Kind::equal);
  CHECK(value.patterns[0].configurations == 2);
}

TEST_CASE("one failure is no pattern, and without failures there is nothing to say") {
  const auto one = failure_summary(tried({{10, "epoll", true}, {90, "poll", false}}));
  CHECK(one.configurations.size() == 1);
  CHECK(one.patterns.empty());
  const auto none = failure_summary(tried({{10, "epoll", true}}));
  CHECK(none.trials == 0);
  CHECK(none.patterns.empty());
}

TEST_CASE("trials of a person's own and invalid ones are no failures of the study") {
  StudyView study = tried({{10, "epoll", true}, {90, "poll", false}});
  study.trials.back().purpose = Purpose::manual;
  study.trials[1].outcome = Outcome::invalid;
  CHECK(failure_summary(study).trials == 0);
}
