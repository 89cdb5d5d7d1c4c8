#include "datasets/model/cpu_set.hpp"

#include <string>
#include <vector>

#include <catch2/catch.hpp>

using namespace netsettle;

TEST_CASE("CPU lists are read as the kernel writes them") {
  const std::vector<std::pair<std::string, CpuSet>> good = {{"", {}},
                                                            {"\n", {}},
                                                            {"5", {5}},
                                                            {"0-3,8", {0, 1, 2, 3, 8}},
                                                            {" 1 , 3 \n", {1, 3}},
                                                            {"3,1,1-2", {1, 2, 3}},
                                                            {"0-7:2/4", {0, 1, 4, 5}},
                                                            {"65535", {65535}}};
  for (const auto& [text, cpus] : good) {
    INFO(text);
    CHECK(parse_cpu_list(text).value() == cpus);
  }
  for (const std::string text :
       {",", "1,", "a", "3-1", "-1", "1-", "0-7:2", "0-7:3/2", "0-7:0/2", "70000", "0-99999999999", "1 2", "0x1"}) {
    INFO(text);
    CHECK_FALSE(parse_cpu_list(text));
  }
}

TEST_CASE("A CPU list has one canonical text") {
  CHECK(to_cpu_list({}).empty());
  CHECK(to_cpu_list({0, 1, 2, 8}) == "0-2,8");
  CHECK(to_cpu_list({1, 3, 5}) == "1,3,5");
}

TEST_CASE("CPU masks are groups of 32 bits, the highest first") {
  const std::vector<std::pair<std::string, CpuSet>> good = {{"0", {}},
                                                            {"3", {0, 1}},
                                                            {"00000000,00000003\n", {0, 1}},
                                                            {"1,00000000", {32}},
                                                            {"80000000,00000001", {0, 63}},
                                                            {"FF", {0, 1, 2, 3, 4, 5, 6, 7}}};
  for (const auto& [text, cpus] : good) {
    INFO(text);
    CHECK(parse_cpu_mask(text).value() == cpus);
  }
  for (const std::string text : {"", "g", "1,", ",1", "0x3", "-1", "1,000000000", "1ffffffff", "3 4"}) {
    INFO(text);
    CHECK_FALSE(parse_cpu_mask(text));
  }
}

TEST_CASE("A mask written and read again is the same set") {
  for (const CpuSet& cpus : {CpuSet{}, CpuSet{0}, CpuSet{31, 32}, CpuSet{5, 64, 127}})
    CHECK(parse_cpu_mask(to_cpu_mask(cpus)).value() == cpus);
  CHECK(to_cpu_mask({32}) == "1,00000000");
  CHECK(to_cpu_mask({}) == "0");
}
