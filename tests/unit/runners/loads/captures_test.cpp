// Every captured output, through the function that `netsettle parse` uses, against the whole of what a correct reader must find.

#include <catch2/catch.hpp>

#include "runners/loads/parsed_output.hpp"
#include "tests/support/captures.hpp"

namespace netsettle::runners {
namespace {

using tests::captured_bytes;
using tests::Json;

/// With the order of the text, in which the values are expected.
std::vector<OrderedJson> ordered_captures(const std::string& kind) {
  std::ifstream file(std::string(NETSETTLE_SOURCE_DIR "/datasets/captures/") + kind + ".jsonl");
  std::vector<OrderedJson> captures;
  for (std::string line; std::getline(file, line);) captures.push_back(OrderedJson::parse(line));
  return captures;
}

OrderedJson parsed_capture(const std::string& kind, const Json& capture) {
  const std::string output = captured_bytes(capture.at("stdout")), errors = captured_bytes(capture.at("stderr"));
  const std::string plot = capture.contains("plot") ? captured_bytes(capture.at("plot")) : "";
  const auto facts = read_run_facts(capture.at("meta").dump(), "meta");
  REQUIRE(facts);
  return parsed_output(kind, {output, errors, capture.contains("plot") ? std::optional<std::string_view>(plot) : std::nullopt}, *facts)
      .value();
}

/// What an output cannot show is said in words only.
OrderedJson expectation(const OrderedJson& capture) {
  OrderedJson expected = capture.at("expected");
  expected.erase("blind_spot");
  return expected;
}

void check_kind(const std::string& kind, std::size_t fewest) {
  const auto captures = ordered_captures(kind);
  CHECK(captures.size() >= fewest);
  for (const OrderedJson& capture : captures) {
    INFO(capture.at("id"));
    const OrderedJson found = parsed_capture(kind, Json::parse(capture.dump()));
    const OrderedJson expected = expectation(capture);
    INFO("difference: " << Json::diff(Json::parse(expected.dump()), Json::parse(found.dump())).dump());
    CHECK(found == expected);
  }
}

TEST_CASE("every captured output of dnsperf gives exactly the expected values and verdict") { check_kind("dnsperf", 173); }

TEST_CASE("every captured output of resperf gives exactly the expected values and verdict") { check_kind("resperf", 22); }

TEST_CASE("every captured output of kxdpgun gives exactly the expected values and verdict") { check_kind("kxdpgun", 36); }

}  // namespace
}  // namespace netsettle::runners
