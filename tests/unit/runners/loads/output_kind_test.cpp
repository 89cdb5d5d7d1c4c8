#include "runners/loads/output_kind.hpp"

#include <catch2/catch.hpp>

#include "runners/loads/dnsperf_output.hpp"
#include "tests/support/captures.hpp"

namespace netsettle::runners {
namespace {

/// Captured outputs in which the program said anything about itself are known by it; none is taken for another program's.
void check_kind(const std::string& kind, std::size_t fewest_known) {
  std::size_t known = 0;
  for (const auto& capture : tests::load_captures(kind)) {
    INFO(capture.at("id"));
    const std::string output = tests::captured_bytes(capture.at("stdout"));
    const auto found = kind_of_output(output);
    if (!found) continue;
    CHECK(*found == kind);
    ++known;
  }
  CHECK(known >= fewest_known);
}

TEST_CASE("the captured outputs are known by their text") {
  check_kind("dnsperf", 165);
  check_kind("resperf", 21);
  check_kind("kxdpgun", 28);
}

TEST_CASE("the statistics alone are enough to know the program") {
  CHECK(kind_of_output("Statistics:\n\n  Queries sent:         10\n  Queries per second:   5.0\n") == "dnsperf");
  CHECK(kind_of_output("  Maximum throughput:   10152.000000 qps\n") == "resperf");
  CHECK(kind_of_output("") == std::nullopt);
  CHECK(kind_of_output("a note\nabout DNS Performance Testing Tool\n") == std::nullopt);
}

TEST_CASE("outputs that were appended to one file are taken apart at their banners") {
  const std::string one = "DNS Performance Testing Tool\nVersion 2.10.0\n\nStatistics:\n";
  const std::string both = "# run of Monday\n" + one + one;
  const auto two = single_outputs(both);
  REQUIRE(two.size() == 2);
  CHECK(two[0] == "# run of Monday\n" + one);
  CHECK(two[1] == one);
  CHECK(single_outputs("no banner\n").size() == 1);
  CHECK(single_outputs("").size() == 1);
}

}  // namespace
}  // namespace netsettle::runners
