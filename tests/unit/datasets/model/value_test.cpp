#include "datasets/model/value.hpp"

#include <string>
#include <vector>

#include <catch2/catch.hpp>

using namespace netsettle;

TEST_CASE("Sizes are read with binary units only") {
  const std::vector<std::pair<std::string, std::int64_t>> good = {
      {"0", 0}, {"4096", 4096}, {"17B", 17}, {"64KiB", 65536}, {"16 MiB", 16777216}, {"1GiB", 1073741824}, {" 1.5KiB ", 1536}};
  for (const auto& [text, bytes] : good) {
    INFO(text);
    CHECK(parse_bytes(text).value() == bytes);
  }
  for (const std::string text : {"", "KiB", "64KB", "64kb", "64 K", "-1", "1e30", "1KiB2", "nan", "inf", "0x10", "1,5KiB"}) {
    INFO(text);
    CHECK_FALSE(parse_bytes(text));
  }
  CHECK_THAT(parse_bytes("64KB").error().text, Catch::Contains("use B, KiB, MiB or GiB"));
}

TEST_CASE("Durations need a unit") {
  const std::vector<std::pair<std::string, std::int64_t>> good = {{"250us", 250},        {"500ms", 500'000},     {"1.5s", 1'500'000},
                                                                  {"2min", 120'000'000}, {"8h", 28'800'000'000}, {"0s", 0}};
  for (const auto& [text, us] : good) {
    INFO(text);
    CHECK(parse_duration_us(text).value() == us);
  }
  for (const std::string text : {"", "30", "s", "30sec", "-1s", "1e300s", "2 m", "1s 500ms"}) {
    INFO(text);
    CHECK_FALSE(parse_duration_us(text));
  }
  CHECK_THAT(parse_duration_us("30").error().text, Catch::Contains("needs a unit"));
}

TEST_CASE("Values have one canonical text") {
  CHECK(to_text(Value(AsFound{})) == "as-found");
  CHECK(to_text(Value(true)) == "true");
  CHECK(to_text(Value(std::int64_t{-5})) == "-5");
  CHECK(to_text(Value(0.1)) == "0.1");
  CHECK(to_text(Value(std::string("0-3"))) == "0-3");
}

TEST_CASE("Sizes and durations are written for people") {
  CHECK(format_bytes(65536) == "64 KiB");
  CHECK(format_bytes(1000) == "1000 B");
  CHECK(format_bytes(std::int64_t{3} << 30) == "3 GiB");
  CHECK(format_duration_us(200'000) == "200 ms");
  CHECK(format_duration_us(2'500'000) == "2.5 s");
  CHECK(format_duration_us(90'000'000) == "90 s");
  CHECK(format_duration_us(5'400'000'000) == "1 h 30 min");
}
