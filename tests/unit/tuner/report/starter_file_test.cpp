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
    const std::string text = starter_file({.name = "dns", .queries = "queries.txt", .cpus = cpus, .card = {}, .beliefs = {}, .source = ""});
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
      .name = "dns", .queries = "q.txt", .cpus = 4, .card = {}, .beliefs = parse_sysctl_conf(kFolklore).value(), .source = "99-dns.conf"};
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

namespace {

FoundSetting range_of(const std::string& name, std::int64_t largest) {
  return {.name = name, .as_found = "1", .smallest = 1, .largest = largest, .words = {}, .why_not = {}};
}

StarterCard card_of_eight_queues() {
  return {.interface = "enp65s0f0",
          .address = "198.18.0.1",
          .settings = {range_of("nic.channels.combined", 8),
                       range_of("nic.ring.rx", 4096),
                       range_of("interrupts.count", 8),
                       {.name = "interrupts.node", .as_found = "local", .words = {"local", "remote", "any"}},
                       {.name = "actors.irqbalance", .as_found = "running", .words = {"running", "banned", "stopped"}},
                       {.name = "nic.coalesce.adaptive-rx", .as_found = "1"},
                       range_of("nic.coalesce.rx-usecs", 10'000),
                       {.name = "napi.defer_hard_irqs", .as_found = "0"},
                       {.name = "cpu.governor", .why_not = "the kernel does not control CPU frequencies here"}}};
}

}  // namespace

TEST_CASE("The file for an interface is an experiment of two machines with what that interface has") {
  StarterFile starter{.name = "card", .queries = "q.txt", .cpus = 16, .card = card_of_eight_queues(), .beliefs = {}, .source = ""};
  const std::string text = starter_file(starter);
  INFO(text);
  CHECK(problems(text) == "");
  const auto experiment = parse_experiment(text, "/studies/x.toml", {});
  REQUIRE(experiment);
  CHECK(experiment->rig.kind == RigKind::hosts);
  CHECK(experiment->rig.server.interface == "enp65s0f0");
  CHECK(experiment->rig.server.test_address == "198.18.0.1");
  std::map<std::string, Parameter> parameters;
  for (const auto& parameter : experiment->parameters) parameters.emplace(parameter.name, parameter);
  CHECK(parameters.at("channels").high->text() == "8");
  CHECK(parameters.at("rx_ring").scale == Scale::logarithmic);
  CHECK(parameters.at("irq_place").values == std::vector<Value>{std::string("remote"), std::string("any")});
  CHECK(parameters.at("irq_cpus").when->text() == "irqbalance != 'running'");
  CHECK(parameters.at("rx_usecs").high->text() == "250");
  CHECK(parameters.at("napi_defer").with.contains("napi.gro_flush_timeout"));
  CHECK(!parameters.contains("governor"));
  CHECK_THAT(text, Catch::Contains("# cpu.governor: the kernel does not control CPU frequencies here\n"));
}

TEST_CASE("Interrupts of a machine without irqbalance need no condition, and one queue is nothing to choose from") {
  StarterCard card = card_of_eight_queues();
  std::erase_if(card.settings, [](const FoundSetting& setting) { return setting.name == "actors.irqbalance"; });
  card.settings.front().largest = 1;
  card.address.clear();
  const std::string text =
      starter_file({.name = "card", .queries = "q.txt", .cpus = 1, .card = std::move(card), .beliefs = {}, .source = ""});
  INFO(text);
  CHECK(problems(text) == "");
  CHECK_THAT(text, !Catch::Contains("irqbalance") && Catch::Contains("# nic.channels.combined: there is nothing to choose from here"));
}
