#include "datasets/model/experiment_difference.hpp"

#include <catch2/catch.hpp>

#include "datasets/model/experiment_file.hpp"

using namespace netsettle;

namespace {

constexpr std::string_view kFile = R"(schema = 1
[study]
name = "t"
[rig]
kind = "loopback"
[load]
queries = "q"
clients = 4
[parameters.processes]
sets = "server.processes"
type = "integer"
range = [1, 4]
[parameters.model]
sets = "server.io_model"
type = "categorical"
values = ["epoll", "poll"]
[search]
strategy = "sweep"
)";

Experiment parsed(std::string_view what = "", std::string_view instead = "") {
  std::string text(kFile);
  if (!what.empty()) text.replace(text.find(what), what.size(), instead);
  const auto experiment = parse_experiment(text, "t.toml", {});
  if (!experiment) throw std::runtime_error(to_text(experiment.error().front()));
  return *experiment;
}

/// "key: before -> now" of each difference.
std::vector<std::string> changes(const Experiment& now) {
  std::vector<std::string> texts;
  for (const auto& difference : differences(parsed(), now))
    texts.push_back(difference.key + ": " + difference.before + " -> " + difference.now);
  return texts;
}

std::vector<Domain> domains(const Experiment& experiment) { return SearchSpace::resolve(experiment, {}, {})->domains(); }

std::vector<std::string> narrowed_by(std::string_view what, std::string_view instead) {
  return narrowed(domains(parsed()), domains(parsed(what, instead)));
}

}  // namespace

TEST_CASE("the same experiment has no difference, and what enters no hash is none") {
  CHECK(changes(parsed()).empty());
  CHECK(changes(parsed("name = \"t\"", "name = \"u\"")).empty());
  CHECK(experiment_hash(parsed()) == experiment_hash(parsed("name = \"t\"", "name = \"u\"")));
}

TEST_CASE("each difference is named with what was and what is") {
  CHECK(changes(parsed("clients = 4", "clients = 2")) == std::vector<std::string>{"load.clients: 4 -> 2"});
  CHECK(changes(parsed("range = [1, 4]", "range = [1, \"2 * 4\"]")) == std::vector<std::string>{"parameters.processes.high: 4 -> 2 * 4"});
  CHECK(changes(parsed("\"epoll\", \"poll\"", "\"epoll\", \"select\"")) ==
        std::vector<std::string>{"parameters.model.values: epoll, poll -> epoll, select"});
}

TEST_CASE("only the values that a parameter may have are about its domain") {
  CHECK(is_about_a_domain({"parameters.rmem.high", "1", "2"}));
  CHECK(is_about_a_domain({"parameters.rmem.special", "1", "2"}));
  CHECK_FALSE(is_about_a_domain({"parameters.rmem.when", "1", "2"}));
  CHECK_FALSE(is_about_a_domain({"parameters.rmem", "", "a parameter"}));
  CHECK_FALSE(is_about_a_domain({"load.values", "1", "2"}));
}

TEST_CASE("a space is wider where it holds every value that was there") {
  CHECK(narrowed_by("[1, 4]", "[1, 8]").empty());
  CHECK(narrowed_by("\"epoll\", \"poll\"", "\"select\", \"epoll\", \"poll\"").empty());
  CHECK(narrowed_by("[1, 4]", "[1, 3]") == std::vector<std::string>{"parameter processes had 1 to 4, which 1 to 3 does not hold"});
  CHECK(narrowed_by("[1, 4]", "[1, 9]\nstep = 2") ==
        std::vector<std::string>{"parameter processes had 1 to 4, which 1 to 9 in steps of 2 does not hold"});
  CHECK(narrowed_by("\"epoll\", \"poll\"", "\"epoll\"") ==
        std::vector<std::string>{"parameter model had epoll, poll, which epoll does not hold"});
}

TEST_CASE("steps are held by finer steps that meet them") {
  const auto stepped = [](int low, int step) { return Domain{.name = "n", .low = static_cast<double>(low), .high = 100, .step = step}; };
  CHECK(narrowed({stepped(0, 4)}, {stepped(0, 2)}).empty());
  CHECK(narrowed({stepped(0, 4)}, {Domain{.name = "n", .low = 0, .high = 100}}).empty());
  CHECK_FALSE(narrowed({stepped(0, 4)}, {stepped(1, 2)}).empty());
  CHECK_FALSE(narrowed({stepped(0, 4)}, {stepped(0, 3)}).empty());
}

TEST_CASE("parameters that come or go make another space") {
  const std::vector<Domain> one = {{.name = "a", .high = 1}}, other = {{.name = "b", .high = 1}};
  CHECK(narrowed(one, other) == std::vector<std::string>{"parameter a is gone", "parameter b is new"});
}
