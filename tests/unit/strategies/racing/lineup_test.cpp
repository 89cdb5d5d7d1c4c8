#include "strategies/racing/lineup.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/strategies/support.hpp"

using namespace netsettle;
using namespace netsettle::strategies;

namespace {

Configuration with(const std::string& word, std::int64_t n) { return {.values = {{"word", Value(word)}, {"n", Value(n)}}}; }

/// Candidates 2 to 6 in this order; four of them have the same word, and the first two are neighbours.
StudyView searched(double pilot_spread, std::int64_t neighbour = 53) {
  Parameter word{.name = "word", .sets = {"server.word"}, .type = ParameterType::categorical};
  for (const char* level : {"hash", "cpu"}) word.values.emplace_back(std::string(level));
  StudyView study = fresh(experiment_of({word, range("n", 0, 100)}));
  for (const std::int64_t n : {std::int64_t{50}, neighbour, std::int64_t{20}, std::int64_t{90}}) add_configuration(study, with("hash", n));
  add_configuration(study, with("cpu", 50));
  add_block(study, Purpose::pilot, {{1, 100}, {1, 100 + pilot_spread}, {1, 100 - pilot_spread}, {1, 100}});
  return study;
}

std::vector<std::int64_t> ids_of(const StudyView& study, std::size_t most) {
  std::vector<Standing> candidates;
  for (std::int64_t id = 2; id <= 6; ++id) candidates.push_back({.id = id});
  std::vector<std::int64_t> ids;
  for (const Standing& finalist : lineup(study, candidates, most)) ids.push_back(finalist.id);
  return ids;
}

using Ids = std::vector<std::int64_t>;

}  // namespace

TEST_CASE("on a steady machine the most promising are the finalists, without those that are all but the same") {
  CHECK(ids_of(searched(2), 3) == Ids{2, 3, 4});
  CHECK(ids_of(searched(2), 9) == Ids{2, 3, 4, 5, 6});
  CHECK(ids_of(searched(2, 51), 3) == Ids{2, 4, 5});
}

TEST_CASE("on a restless machine neighbours do not both take part, and the last has other levels") {
  CHECK(ids_of(searched(15), 1) == Ids{2});
  CHECK(ids_of(searched(15), 2) == Ids{2, 4});
  CHECK(ids_of(searched(15), 3) == Ids{2, 4, 6});
  CHECK(ids_of(searched(15), 4) == Ids{2, 4, 5, 6});
  CHECK(ids_of(searched(15), 9) == Ids{2, 4, 5, 6});
}
