// rig.kind = "external": another program runs the trials, so the file has no machine in it.

#include <catch2/catch.hpp>

#include "datasets/model/experiment_file.hpp"
#include "datasets/model/search_space.hpp"

using namespace netsettle;

namespace {

constexpr std::string_view kFile = R"(schema = 1
[study]
name = "mine"
[rig]
kind = "external"
[parameters.threads]
type = "integer"
range = [1, 16]
default = 4
[parameters.model]
type = "categorical"
values = ["epoll", "poll"]
default = "poll"
[parameters.batch]
type = "integer"
values = [1, 8, 64]
default = 16
when = "model == 'epoll'"
[budget]
trials = 60
)";

std::string with(std::string_view what, std::string_view instead) {
  std::string text(kFile);
  return text.replace(text.find(what), what.size(), instead);
}

/// The one mistake of the file.
std::string mistake_in(const std::string& text) {
  const auto parsed = parse_experiment(text, "f.toml", {});
  if (parsed) return "none";
  std::string all;
  for (const auto& diagnostic : parsed.error()) all += to_text(diagnostic) + "\n";
  return all;
}

}  // namespace

TEST_CASE("an external experiment needs neither server nor load nor settings, and the defaults are the baseline") {
  const auto experiment = parse_experiment(kFile, "f.toml", {});
  INFO(mistake_in(std::string(kFile)));
  REQUIRE(experiment);
  CHECK(experiment->objective.maximize == "value");
  const auto space = SearchSpace::resolve(*experiment, {}, {});
  REQUIRE(space);
  CHECK(space->find("threads")->as_found == Value(std::int64_t{4}));
  CHECK(space->find("batch")->as_found == Value(std::int64_t{16}));  // a default need not be among the values
  // The condition sees the default: with model = poll there is no batch.
  CHECK(describe(space->baseline()) == "model=as-found, threads=as-found");
  const auto chosen =
      space->canonical({.values = {{"threads", std::int64_t{4}}, {"model", std::string("epoll")}, {"batch", std::int64_t{8}}}});
  REQUIRE(chosen);
  CHECK(describe(*chosen) == "batch=8, model=epoll, threads=as-found");
}

TEST_CASE("another default is another experiment") {
  const auto first = parse_experiment(kFile, "f.toml", {});
  const auto second = parse_experiment(with("default = 4", "default = 5"), "f.toml", {});
  REQUIRE(first);
  REQUIRE(second);
  CHECK(experiment_hash(*first) != experiment_hash(*second));
}

TEST_CASE("conditions may use whatever the program tells beside the value") {
  const auto experiment =
      parse_experiment(with("[budget]", "[objective]\nsubject_to = [\"errors <= 3\", \"latency_p99_us < 900\"]\n[budget]"), "f.toml", {});
  REQUIRE(experiment);
  CHECK(experiment->objective.subject_to.size() == 2);
}

TEST_CASE("what belongs to a machine is refused in an external experiment") {
  CHECK(mistake_in(with("default = 4\n", "")).find("needs the key 'default'") != std::string::npos);
  CHECK(mistake_in(with("default = 4", "default = \"as-found\"")).find("not \"as-found\"") != std::string::npos);
  CHECK(mistake_in(with("default = 4", "default = \"many\"")).find("f.toml:9:11") != std::string::npos);
  CHECK(mistake_in(with("[budget]", "[load]\nqueries = \"q\"\n[budget]")).find("[load] means nothing with rig.kind") != std::string::npos);
  CHECK(mistake_in(with("[budget]", "[server]\n[budget]")).find("[server] means nothing") != std::string::npos);
  CHECK(mistake_in(with("[budget]", "[safety]\n[budget]")).find("[safety] means nothing") != std::string::npos);
  CHECK(mistake_in(with("[budget]", "[trial]\nmeasure = \"30s\"\n[budget]")).find("'measure' means nothing") != std::string::npos);
  CHECK(mistake_in(with("default = 4", "default = 4\noptional = true")).find("'optional' means nothing") != std::string::npos);
  CHECK(mistake_in(with("trials = 60", "trials = 60\nuntil = \"06:30\"")).find("by the clock") != std::string::npos);
  CHECK(mistake_in(with("[budget]", "[objective]\nmaximize = \"qps\"\n[budget]")).find("maximize = \"value\"") != std::string::npos);
}
