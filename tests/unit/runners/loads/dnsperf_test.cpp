#include "runners/loads/dnsperf.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

#include "runners/loads/load_options.hpp"

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
  for (const Words& arguments :
       {Words{"-s", "192.0.2.1"}, Words{"-c8"}, Words{"-p", "53"}, Words{"-d/q"}, Words{"-q", "1"}, Words{"-T2"}, Words{"-l", "9"},
        Words{"-t.5"}, Words{"-S1"}, Words{"-x", "2000"}, Words{"-f", "inet"}, Words{"-n1"}, Words{"-u"}, Words{"-m", "tcp"},
        Words{"-Q", "1000"}, Words{"-y", "k:c2VjcmV0"}, Words{"-ec8"}, Words{"-e", "-vu"}, Words{"-b", "64", "-c", "8"}}) {
    INFO(arguments.front());
    const auto checked = check_load_arguments(dnsperf_program(), arguments);
    REQUIRE_FALSE(checked);
    CHECK(checked.error().code == ErrorCode::invalid_input);
    CHECK(checked.error().text.find("is set by netsettle") != std::string::npos);
  }
}

TEST_CASE("a refused option names the key to use instead") {
  CHECK(check_load_arguments(dnsperf_program(), {"-c8"}).error().text == "-c8: -c is set by netsettle; use load.clients");
}

TEST_CASE("arguments that dnsperf itself would refuse are refused before the first trial") {
  for (const Words& arguments : {Words{"surplus"}, Words{"--"}, Words{"-"}, Words{"-Z"}, Words{"-h"}, Words{"-b"}, Words{""}})
    CHECK_FALSE(check_load_arguments(dnsperf_program(), arguments));
}

TEST_CASE("values that look like options are values") {
  CHECK(check_load_arguments(dnsperf_program(), {"-E", "-c8", "-O", "suppress=timeouts", "-eDv", "-a", "10.0.0.2"}));
}

TEST_CASE("a key among the arguments is refused, and not repeated in the message") {
  for (const Words& arguments : {Words{"-y", "hmac-sha256:name:c2VjcmV0"}, Words{"-yname:c2VjcmV0"}, Words{"-eyname:c2VjcmV0"}}) {
    const auto checked = check_load_arguments(dnsperf_program(), arguments);
    REQUIRE_FALSE(checked);
    CHECK(checked.error().text == "-y: -y is set by netsettle; use load.tsig_key_file");
  }
}

TEST_CASE("a rate and a key become options, the rate divided by the instances") {
  LoadSection load = example_load();
  load.rate = 100'001;
  load.instances = 2;
  LoadTarget target{.address = "198.18.0.1", .port = 53, .seconds = 1};
  target.tsig_key = "hmac-sha256:lab:c2VjcmV0";
  const auto argv = Dnsperf().command_line(load, target);
  REQUIRE(argv);
  CHECK(Words(argv->end() - 4, argv->end()) == Words{"-Q", "50001", "-y", "hmac-sha256:lab:c2VjcmV0"});
}

TEST_CASE("a rate of less than one query a second for each instance is refused") {
  LoadSection load = example_load();
  load.rate = 3;
  load.instances = 4;
  CHECK(Dnsperf().check(load).error().subject == "load.rate");
  CHECK_FALSE(Dnsperf().command_line(load, {.address = "198.18.0.1", .port = 53, .seconds = 1}));
  load.instances = 3;
  CHECK(Dnsperf().check(load));
}

TEST_CASE("a version without threads gets no option for them, and is refused where several are wanted") {
  LoadSection load = example_load();
  LoadTarget target{.address = "198.18.0.1", .port = 53, .seconds = 1, .program_version = "Nominum Version 2.0.0.0"};
  CHECK(Dnsperf().command_line(load, target).error().subject == "load.threads");
  load.threads = 1;
  const auto argv = Dnsperf().command_line(load, target);
  REQUIRE(argv);
  CHECK(std::ranges::find(*argv, "-T") == argv->end());
  target.program_version = "2.1.1.0.d";
  const auto newer = Dnsperf().command_line(load, target);
  REQUIRE(newer);
  CHECK(std::ranges::find(*newer, "-T") != newer->end());
}

TEST_CASE("an argument that this version lacks is refused, and one that it has is passed on") {
  LoadSection load = example_load();
  load.arguments = {"-O", "suppress=timeouts"};
  LoadTarget target{.address = "198.18.0.1", .port = 53, .seconds = 1, .program_version = "2.4.2"};
  const auto refused = Dnsperf().command_line(load, target);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().text == "-O: dnsperf has -O since 2.7, and here is 2.4.2");
  for (const char* version : {"2.7.0", "2.10.0", "Version 2.14.0", "", "unknown"}) {
    target.program_version = version;
    CHECK(Dnsperf().command_line(load, target));
  }
}

TEST_CASE("versions are compared by their numbers, not by their letters") {
  CHECK(has_feature("2.10.0", "2.9"));
  CHECK_FALSE(has_feature("2.2.0", "2.10"));
  CHECK(has_feature("kxdpgun (Knot DNS), version 3.4.0", "3.4"));
  CHECK_FALSE(has_feature("kxdpgun (Knot DNS), version 3.3.10", "3.4"));
  CHECK(has_feature("built 2023, no version", "3.4"));
}

}  // namespace
}  // namespace netsettle::runners
