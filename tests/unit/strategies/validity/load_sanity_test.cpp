#include "strategies/validity/load_sanity.hpp"

#include <catch2/catch.hpp>
#include <functional>
#include <limits>

using namespace netsettle;
using namespace netsettle::strategies;

namespace {

LoadReport sound() {
  return {.complete = true,
          .sent = 100'000,
          .completed = 99'000,
          .lost = 900,
          .interrupted = 100,
          .rcodes = {{"NOERROR", 99'000}},
          .runtime_s = 10.0,
          .qps = 9'900.0,
          .latency_avg_s = 0.001,
          .latency_max_s = 0.9};
}

}  // namespace

TEST_CASE("a sound report is possible, and so is one that says little") {
  CHECK(impossible_in(sound(), 1).empty());
  CHECK(impossible_in({}, 1).empty());
}

TEST_CASE("each impossible thing is named") {
  struct Row {
    std::string text;
    std::function<void(LoadReport&)> spoil;
  };
  const std::vector<Row> rows{
      {"completed but only", [](LoadReport& load) { load.completed = 100'001; }},
      {"only 100000 were sent", [](LoadReport& load) { load.lost = 5'000; }},
      {"completed, lost or interrupted", [](LoadReport& load) { load.lost = 100; }},
      {"longest latency", [](LoadReport& load) { load.latency_max_s = 67'009'876.3; }},
      {"a rate or time is", [](LoadReport& load) { load.latency_avg_s = std::numeric_limits<double>::quiet_NaN(); }},
      {"a rate or time is", [](LoadReport& load) { load.qps = -1; }},
      {"negative", [](LoadReport& load) { load.lost = -3; }},
      {"response codes", [](LoadReport& load) { load.rcodes["SERVFAIL"] = 500; }},
  };
  for (const Row& row : rows) {
    LoadReport load = sound();
    row.spoil(load);
    CAPTURE(row.text);
    CHECK_THAT(impossible_in(load, 1), Catch::Contains(row.text));
  }
}

TEST_CASE("a query sent at the very end may take its whole time-out") {
  LoadReport load = sound();
  load.latency_max_s = 10.9;
  CHECK(impossible_in(load, 1).empty());
}

TEST_CASE("answers outside the accepted response codes are counted") {
  LoadReport load = sound();
  load.rcodes = {{"NOERROR", 10}, {"NXDOMAIN", 20}, {"REFUSED", 3}, {"SERVFAIL", 4}};
  CHECK(unaccepted_answers(load, {"NOERROR", "NXDOMAIN"}) == 7);
}
