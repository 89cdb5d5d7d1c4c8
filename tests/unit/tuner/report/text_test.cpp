#include "tuner/report/text.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/tuner/report/sample.hpp"
#include "tuner/report/table.hpp"

using namespace netsettle;
using namespace netsettle::tuner;

TEST_CASE("quantities have four significant digits or commas") {
  CHECK(quantity(0) == "0");
  CHECK(quantity(0.012345) == "0.01235");
  CHECK(quantity(999.9) == "999.9");
  CHECK(quantity(999.96) == "1,000");
  CHECK(quantity(1000) == "1,000");
  CHECK(quantity(41234.4) == "41,234");
  CHECK(quantity(1234567.8) == "1,234,568");
  CHECK(quantity(-123456) == "-123,456");
  CHECK(quantity(-1234) == "-1,234");
}

TEST_CASE("differences are signed percentages with their interval") {
  CHECK(percent(0.31) == "+31.0 %");
  CHECK(percent(-0.02) == "-2.0 %");
  CHECK(interval({0.31, 0.241, 0.38}) == "+31.0 % (+24.1 to +38.0)");
}

TEST_CASE("values are written as people read them") {
  CHECK(value_text(ParameterType::bytes, std::int64_t{4194304}) == "4 MiB");
  CHECK(value_text(ParameterType::integer, std::int64_t{4194304}) == "4194304");
  CHECK(value_text(ParameterType::duration, std::int64_t{500'000}) == "500 ms");
  CHECK(value_text(ParameterType::bytes, AsFound{}) == "as found");
  CHECK(value_text(ParameterType::categorical, std::string("epoll")) == "epoll");
}

TEST_CASE("a configuration is described by what it changes") {
  const StudyView study = sample_study();
  CHECK(changes(study, study.configurations[0].configuration) == "as found");
  CHECK(changes(study, study.configurations[1].configuration) == "processes=2, rmem=4 MiB");
  CHECK(changes(study, study.configurations[2].configuration) == "processes=4");
}

TEST_CASE("times are UTC") { CHECK(utc(1'796'020'200'000'000) == "2026-11-30 06:30:00 UTC"); }

TEST_CASE("text is cut to columns, not bytes") {
  CHECK(width_of("größe") == 5);
  CHECK(cut("größe", 5) == "größe");
  CHECK(cut("größe", 4) == "grö…");
  CHECK(cut("größe", 1) == "…");
  CHECK(cut("größe", 0).empty());
}

TEST_CASE("text is wrapped at spaces") {
  CHECK(wrapped("one two three", 7) == std::vector<std::string>{"one two", "three"});
  CHECK(wrapped("unbreakable x", 4) == std::vector<std::string>{"unbreakable", "x"});
  CHECK(wrapped("", 10) == std::vector<std::string>{""});
}

TEST_CASE("columns are aligned and the note is wrapped behind them") {
  const std::vector<Column> columns{{"id"}, {"name", Align::left}};
  const std::vector<std::vector<std::string>> rows{{"1", "größe", "as found"}, {"12", "x", "a long note of several words here"}};
  CHECK(render_table(columns, "settings", rows, 36) ==
        "id  name   settings\n"
        " 1  größe  as found\n"
        "12  x      a long note of several\n"
        "           words here\n");
}

TEST_CASE("in a narrow terminal the note stands below its row") {
  const std::vector<Column> columns{{"id"}, {"name", Align::left}};
  CHECK(render_table(columns, "settings", {{"1", "x", "a note of words"}}, 20) ==
        "id  name\n"
        " 1  x\n"
        "    a note of words\n");
}

TEST_CASE("columns that do not fit go, the least important first") {
  const std::vector<Column> columns{{"aaaa"}, {"bbbb", Align::right, 1}, {"cccc", Align::right, 2}};
  const std::vector<std::vector<std::string>> rows{{"1", "2", "3", ""}};
  CHECK(render_table(columns, "", rows, 16) == "aaaa  bbbb  cccc\n   1     2     3\n");
  CHECK(render_table(columns, "", rows, 15) == "aaaa  bbbb\n   1     2\n");
  CHECK(render_table(columns, "", rows, 9) == "aaaa\n   1\n");
  CHECK(render_table(columns, "", rows, 1) == "aaaa\n   1\n");
}
