// Command lines of resperf and kxdpgun, and the list of loads.

#include <catch2/catch.hpp>

#include "runners/loads/kxdpgun.hpp"
#include "runners/loads/load_options.hpp"
#include "runners/loads/resperf.hpp"

namespace netsettle::runners {
namespace {

using Words = std::vector<std::string>;

LoadSection example_load() {
  LoadSection load;
  load.queries = "/q/mixed.txt";
  load.clients = 4;
  load.outstanding = 200;
  load.timeout = std::chrono::milliseconds(1500);
  return load;
}

LoadTarget target() { return {.address = "198.18.0.1", .port = 5300, .seconds = 12.4, .interval_s = 0.2}; }

TEST_CASE("resperf raises the rate over the whole time and writes no file") {
  LoadSection load = example_load();
  load.arguments = {"-m", "50000"};
  LoadTarget to = target();
  to.first_source_port = 20'000;
  to.tsig_key = "lab:c2VjcmV0";
  const auto argv = Resperf().command_line(load, to);
  REQUIRE(argv);
  CHECK(*argv == Words{"resperf", "-s",        "198.18.0.1", "-p",    "5300", "-d",           "/q/mixed.txt", "-R",   "-C",
                       "4",       "-q",        "200",        "-r",    "12.4", "-t",           "1.5",          "-f",   "inet",
                       "-P",      "/dev/null", "-x",         "20000", "-y",   "lab:c2VjcmV0", "-m",           "50000"});
}

TEST_CASE("a resperf that cannot reopen its query file is not told to") {
  LoadTarget to = target();
  to.program_version = "2.4.0";
  const auto argv = Resperf().command_line(example_load(), to);
  REQUIRE(argv);
  CHECK(std::ranges::find(*argv, "-R") == argv->end());
}

TEST_CASE("a rate or threads do not go with resperf") {
  LoadSection load = example_load();
  load.rate = 1000;
  CHECK(Resperf().check(load).error().subject == "load.rate");
  load = example_load();
  load.threads = 2;
  CHECK(Resperf().check(load).error().subject == "load.threads");
}

TEST_CASE("kxdpgun sends at the rate for whole seconds and prints JSON where it can") {
  LoadSection load = example_load();
  load.rate = 123'456.6;
  load.arguments = {"-I", "eth1"};
  const auto argv = Kxdpgun().command_line(load, target());
  REQUIRE(argv);
  CHECK(*argv ==
        Words{"kxdpgun", "-t", "13", "-Q", "123457", "-p", "5300", "-i", "/q/mixed.txt", "-j", "-S", "200", "-I", "eth1", "198.18.0.1"});
  LoadTarget old = target();
  old.program_version = "kxdpgun (Knot DNS), version 3.3.10";
  const auto text_argv = Kxdpgun().command_line(load, old);
  REQUIRE(text_argv);
  CHECK(*text_argv == Words{"kxdpgun", "-t", "13", "-Q", "123457", "-p", "5300", "-i", "/q/mixed.txt", "-I", "eth1", "198.18.0.1"});
}

TEST_CASE("what kxdpgun cannot do is refused by its key") {
  LoadSection load = example_load();
  CHECK(Kxdpgun().check(load).error().subject == "load.rate");
  load.rate = 1000;
  CHECK(Kxdpgun().check(load));
  load.instances = 2;
  CHECK(Kxdpgun().check(load).error().subject == "load.instances");
  load.instances = 1;
  load.tsig_key_file = "/k";
  CHECK(Kxdpgun().check(load).error().subject == "load.tsig_key_file");
}

TEST_CASE("options that netsettle owns are refused for each generator") {
  for (const Words& arguments : {Words{"-s", "192.0.2.1"}, Words{"-C8"}, Words{"-r", "9"}, Words{"-P", "plot"}, Words{"-R"},
                                 Words{"-M", "tcp"}, Words{"-eR"}, Words{"-y", "k:s"}})
    CHECK(check_load_arguments(resperf_program(), arguments).error().text.find("is set by netsettle") != std::string::npos);
  for (const Words& arguments :
       {Words{"-t", "9"}, Words{"-Q1"}, Words{"-r"}, Words{"-T"}, Words{"-T1"}, Words{"-U"}, Words{"-j"}, Words{"-S9"}})
    CHECK(check_load_arguments(kxdpgun_program(), arguments).error().text.find("is set by netsettle") != std::string::npos);
  for (const Words& arguments : {Words{"--tcp"}, Words{"--qps=5"}, Words{"-h"}, Words{"-V"}, Words{"10.0.0.1"}, Words{"-I"}})
    CHECK_FALSE(check_load_arguments(kxdpgun_program(), arguments));
  CHECK(check_load_arguments(resperf_program(), {"-m", "100000", "-L1", "-eDv", "-F", "0"}));
  CHECK(check_load_arguments(kxdpgun_program(), {"-I", "eth0", "-b", "20", "-F0s1"}));
}

TEST_CASE("each kind of load is made by its name, and an unknown one is refused with what there is") {
  for (const char* kind : {"dnsperf", "resperf", "kxdpgun"}) CHECK(make_load(kind).value()->program() == kind);
  LoadSection load;
  load.kind = "command";
  load.argv = {"flood"};
  CHECK(make_load(load).value()->program() == "flood");
  const auto unknown = make_load("flood");
  REQUIRE_FALSE(unknown);
  CHECK(unknown.error().code == ErrorCode::not_found);
  CHECK(unknown.error().text.find("dnsperf, resperf, kxdpgun, command") != std::string::npos);
}

}  // namespace
}  // namespace netsettle::runners
