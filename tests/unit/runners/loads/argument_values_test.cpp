#include "runners/loads/argument_values.hpp"

#include <catch2/catch.hpp>

namespace netsettle::runners {
namespace {

std::optional<std::string> window(const std::vector<std::string>& argv) { return text_argument(argv, {'q'}, kDnsperfOptions); }

TEST_CASE("values of options are found apart, attached and behind flags, and the last one counts") {
  CHECK(window({"dnsperf", "-q", "5"}) == "5");
  CHECK(window({"dnsperf", "-q5"}) == "5");
  CHECK(window({"dnsperf", "-evq5", "-l", "3"}) == "5");
  CHECK(window({"dnsperf", "-q", "5", "-q", "6"}) == "6");
}

TEST_CASE("what only looks like the option is not taken for it") {
  CHECK_FALSE(window({"dnsperf", "-l", "-q5"}));
  CHECK_FALSE(window({"dnsperf", "-dq5"}));
  CHECK_FALSE(window({"-q5"}));
  CHECK_FALSE(window({"dnsperf", "--", "-q5"}));
  CHECK_FALSE(window({"dnsperf", "-q"}));
  CHECK_FALSE(window({"dnsperf", "-", "5"}));
  CHECK_FALSE(window({}));
}

TEST_CASE("long names and optional values are known for kxdpgun") {
  const auto rate = [](const std::vector<std::string>& argv) { return number_argument(argv, {'Q', "qps"}, kKxdpgunOptions); };
  CHECK(rate({"kxdpgun", "--qps", "7"}) == 7.0);
  CHECK(rate({"kxdpgun", "--qps=7"}) == 7.0);
  CHECK(rate({"kxdpgun", "-T", "-Q7"}) == 7.0);
  CHECK_FALSE(rate({"kxdpgun", "-TQ7"}));
  CHECK_FALSE(rate({"kxdpgun", "--qpsx=7"}));
  CHECK_FALSE(rate({"kxdpgun", "-Q", "many"}));
}

TEST_CASE("a printed command line falls into its words") {
  CHECK(words_of(" dnsperf  -q 5 ") == std::vector<std::string>{"dnsperf", "-q", "5"});
  CHECK(words_of("").empty());
}

}  // namespace
}  // namespace netsettle::runners
