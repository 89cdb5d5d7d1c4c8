#include "tuner/loop/import_labels.hpp"

#include <catch2/catch.hpp>

using namespace netsettle;
using namespace netsettle::tuner;

TEST_CASE("names of files and folders give the values of parameters") {
  struct Row {
    const char* path;
    Labels labels;
  };
  const std::vector<Row> rows = {
      {"threads=4/run-3.txt", {{"threads", "4"}}},
      {"threads=4_rmem=8M.1.txt", {{"threads", "4"}, {"rmem", "8M"}}},
      {"threads=4,rmem=8M-run12.log", {{"threads", "4"}, {"rmem", "8M"}}},
      {"rmem_max=212992+threads=1", {{"rmem_max", "212992"}, {"threads", "1"}}},
      {"a=1/b=2_c=x/c=y.txt", {{"a", "1"}, {"b", "2"}, {"c", "y"}}},
      {"baseline/run1.txt", {{"folder", "baseline"}}},
      {"monday/tuned/threads=2.txt", {{"folder", "monday/tuned"}, {"threads", "2"}}},
      {"rate=0.5.1.txt", {{"rate", "0.5"}}},
      {"run1.txt", {}},
      {"./x.txt", {}},
      {"=4.txt", {}},
      {"threads=.txt", {{"threads", ""}}},
  };
  for (const Row& row : rows) {
    INFO(row.path);
    CHECK(labels_in(row.path) == row.labels);
  }
}

TEST_CASE("a pattern takes values out of names that have no equals sign") {
  const auto pattern = LabelPattern::parse("{threads}t/{rmem}-run{}.txt");
  REQUIRE(pattern);
  CHECK(pattern->match("old/4t/8M-run3.txt") == Labels{{"threads", "4"}, {"rmem", "8M"}});
  CHECK(pattern->match("4t/8M-extra-run3.txt") == Labels{{"threads", "4"}, {"rmem", "8M-extra"}});
  CHECK_FALSE(pattern->match("4t/8M.txt"));
  CHECK_FALSE(pattern->match("t/8M-run3.txt"));
  const auto whole = LabelPattern::parse("{name}");
  REQUIRE(whole);
  CHECK(whole->match("folder/x.txt") == Labels{{"name", "x.txt"}});
}

TEST_CASE("a pattern that cannot be meant is refused") {
  for (const char* text : {"", "run{}.txt", "{a", "a}", "{a}{b}", "{a}-{a}"}) {
    INFO(text);
    const auto pattern = LabelPattern::parse(text);
    REQUIRE_FALSE(pattern);
    CHECK(pattern.error().code == ErrorCode::invalid_input);
  }
}
