#include "runners/loads/dnsperf.hpp"

#include <catch2/catch.hpp>

namespace netsettle::runners {
namespace {

using Words = std::vector<std::string>;

LoadSection example_load() {
  LoadSection load;
  load.queries = "/q/mixed.txt";
  load.clients = 4;
  load.outstanding = 200;
  load.threads = 2;
  load.timeout = std::chrono::milliseconds(250);
  return load;
}

TEST_CASE("the command line carries every load setting, seconds as fractions") {
  const auto argv = Dnsperf().command_line(example_load(), {.address = "198.18.0.1", .port = 5300, .seconds = 33.4, .interval_s = 0.2});
  REQUIRE(argv);
  CHECK(*argv == Words{"dnsperf", "-s", "198.18.0.1", "-p",   "5300", "-d",   "/q/mixed.txt", "-c",  "4",  "-q",  "200",
                       "-T",      "2",  "-l",         "33.4", "-t",   "0.25", "-S",           "0.2", "-f", "inet"});
}

TEST_CASE("source ports, IPv6 and the user's arguments come last") {
  LoadSection load = example_load();
  load.family = AddressFamily::ipv6;
  load.arguments = {"-e", "-E", "65001:00ff", "-b64"};
  const auto argv =
      Dnsperf().command_line(load, {.address = "fd00::1", .port = 53, .first_source_port = 20000, .seconds = 10, .interval_s = 1});
  REQUIRE(argv);
  CHECK(Words(argv->end() - 8, argv->end()) == Words{"-f", "inet6", "-x", "20000", "-e", "-E", "65001:00ff", "-b64"});
}

TEST_CASE("options that netsettle owns are refused, however they are written") {
  for (const Words& arguments : {Words{"-s", "192.0.2.1"}, Words{"-c8"}, Words{"-p", "53"}, Words{"-d/q"}, Words{"-q", "1"}, Words{"-T2"},
                                 Words{"-l", "9"}, Words{"-t.5"}, Words{"-S1"}, Words{"-x", "2000"}, Words{"-f", "inet"}, Words{"-n1"},
                                 Words{"-u"}, Words{"-m", "tcp"}, Words{"-ec8"}, Words{"-e", "-vu"}, Words{"-b", "64", "-c", "8"}}) {
    INFO(arguments.front());
    const auto checked = check_dnsperf_arguments(arguments);
    REQUIRE_FALSE(checked);
    CHECK(checked.error().code == ErrorCode::invalid_input);
    CHECK(checked.error().text.find("is set by netsettle") != std::string::npos);
  }
}

TEST_CASE("a refused option names the key to use instead") {
  CHECK(check_dnsperf_arguments({"-c8"}).error().text == "-c8: -c is set by netsettle; use load.clients");
}

TEST_CASE("arguments that dnsperf itself would refuse are refused before the first trial") {
  for (const Words& arguments : {Words{"surplus"}, Words{"--"}, Words{"-"}, Words{"-Z"}, Words{"-h"}, Words{"-b"}, Words{""}})
    CHECK_FALSE(check_dnsperf_arguments(arguments));
}

TEST_CASE("values that look like options are values") {
  CHECK(check_dnsperf_arguments({"-y", "-c8", "-O", "suppress=timeouts", "-eDv", "-Q", "1000", "-a", "10.0.0.2"}));
}

TEST_CASE("an unknown kind of load is refused with what there is") {
  CHECK(make_load("dnsperf").value()->program() == "dnsperf");
  const auto unknown = make_load("flood");
  REQUIRE_FALSE(unknown);
  CHECK(unknown.error().code == ErrorCode::not_found);
  CHECK(unknown.error().text.find("dnsperf") != std::string::npos);
}

}  // namespace
}  // namespace netsettle::runners
