#include "tuner/report/starter_file.hpp"

#include <catch2/catch.hpp>

#include "datasets/model/experiment_file.hpp"

using namespace netsettle;
using namespace netsettle::tuner;

namespace {

constexpr const char* kFolklore = R"(# what the wiki says
net.core.rmem_max = 16777216
net/core/rmem_default=  16777216
-net.core.netdev_budget=2700
; an old one
net.ipv4.udp_mem = 4096   87380 16777216
kernel.hostname = lab
net.core.netdev_max_backlog = 1000
net.core.netdev_max_backlog = 32768
)";

std::string problems(const std::string& text) {
  const auto experiment = parse_experiment(text, "/studies/x.toml", {});
  return experiment ? "" : to_text(experiment.error().front());
}

}  // namespace

TEST_CASE("The file to begin with is an experiment that can be checked, on one CPU and on many") {
  for (const int cpus : {1, 2, 64}) {
    const std::string text = starter_file({.name = "dns", .queries = "queries.txt", .cpus = cpus, .beliefs = {}, .source = ""});
    INFO(text);
    CHECK(problems(text) == "");
  }
}

TEST_CASE("A sysctl.conf is read as its loaders read it") {
  const auto lines = parse_sysctl_conf(kFolklore);
  REQUIRE(lines);
  REQUIRE(lines->size() == 6);
  CHECK(lines->at(1).key == "net.core.rmem_default");
  CHECK(lines->at(2).value == "2700");
  CHECK(lines->at(3).value == "4096 87380 16777216");
  CHECK(lines->back().value == "32768");
  CHECK(lines->back().line == 9);
  CHECK_THAT(to_text(parse_sysctl_conf("a = 1\nnonsense\n").error()), Catch::Contains("line 2"));
  CHECK_FALSE(parse_sysctl_conf("net.core.rmem_max =\n"));
  CHECK_FALSE(parse_sysctl_conf("net.core.rmem_max = \"1\"\n"));
  CHECK(parse_sysctl_conf("# nothing\n")->empty());
}

TEST_CASE("Each line that somebody believes in becomes a parameter with that value, and all together are tried first") {
  const StarterFile starter{
      .name = "dns", .queries = "q.txt", .cpus = 4, .beliefs = parse_sysctl_conf(kFolklore).value(), .source = "99-dns.conf"};
  const std::string text = starter_file(starter);
  INFO(text);
  CHECK(problems(text) == "");
  const auto experiment = parse_experiment(text, "/studies/x.toml", {});
  REQUIRE(experiment);
  CHECK(experiment->parameters.size() >= 4);
  CHECK(experiment->parameters.front().sets == std::vector<std::string>{"sysctl.net.core.rmem_max"});
  CHECK(experiment->parameters.front().values == std::vector<Value>{std::int64_t{16777216}});
  CHECK(experiment->search.start.size() == 1);
  CHECK(experiment->search.start.front().values.at("netdev_budget") == Value(std::int64_t{2700}));
  CHECK_THAT(text, Catch::Contains("kernel.hostname = lab is left out"));
}
