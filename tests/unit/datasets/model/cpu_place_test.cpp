#include "datasets/model/cpu_place.hpp"

#include <catch2/catch.hpp>

using namespace netsettle;

TEST_CASE("CPUs by their place are read and written back") {
  for (const char* text : {"0-3,8", "5", "node:0", "node:12", "package:1", "cores:4", "cores:4@node:0", "cores:1@package:2"}) {
    INFO(text);
    const auto place = parse_cpu_place(text);
    REQUIRE(place);
    CHECK(to_text(*place) == text);
  }
  CHECK(to_text(*parse_cpu_place("3,0-1")) == "0-1,3");
  CHECK(parse_cpu_place("5")->list == CpuSet{5});
  const auto place = parse_cpu_place("cores:4@node:1");
  CHECK(place->cores == 4);
  CHECK(place->node == 1);
  CHECK_FALSE(place->package.has_value());
}

TEST_CASE("a place that is none is refused with what there is") {
  for (const char* text : {"", "node:", "node:x", "node:-1", "node:1 ", "node:99999", "package:", "cores:", "cores:0", "cores:4@",
                           "cores:4@cores:1", "cores:4@3", "node:1@cores:2", "Node:1", "fast", "3-1"}) {
    INFO(text);
    const auto place = parse_cpu_place(text);
    REQUIRE_FALSE(place);
    CHECK(place.error().code == ErrorCode::invalid_input);
    CHECK(place.error().text.find("cores:N@node:N") != std::string::npos);
  }
}

TEST_CASE("the number of a node word") {
  CHECK(node_in_word("node:3") == 3);
  CHECK_FALSE(node_in_word("node:").has_value());
  CHECK_FALSE(node_in_word("bind").has_value());
}
