#include "tuner/loop/server_levels.hpp"

#include <catch2/catch.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

using namespace netsettle;
using namespace netsettle::tuner;

namespace {

/// Two nodes with two cores of two threads each: cores 0-3, second threads 4-7.
Machine machine_of(const Experiment& experiment, bool with_nodes = true) {
  Machine machine;
  for (CpuId cpu = 0; cpu < 8; ++cpu) {
    machine.topology.allowed.insert(cpu);
    if (!with_nodes) continue;
    machine.topology.core_of[cpu] = cpu % 4;
    machine.topology.nodes[cpu % 4 / 2].insert(cpu);
  }
  machine.topology.online = machine.topology.allowed;
  if (with_nodes) machine.topology.memory_nodes = {0, 1};
  machine.interface.why_unknown = "nss0 is a virtual device, which is near no node";
  machine.placement = runners::place(machine.topology, experiment.server, experiment.load).value();
  return machine;
}

Parameter words(const std::string& setting, const std::vector<std::string>& values) {
  Parameter parameter;
  parameter.name = "p";
  parameter.sets = {setting};
  parameter.type = ParameterType::categorical;
  for (const auto& value : values) parameter.values.emplace_back(value);
  return parameter;
}

Parameter cores(const std::string& low, const std::string& high) {
  Parameter parameter;
  parameter.name = "c";
  parameter.sets = {"server.cores"};
  parameter.low = Expression::parse(low).value();
  parameter.high = Expression::parse(high).value();
  return parameter;
}

struct Fitted {
  std::string levels, narrowed, dropped, problems;
};

Fitted fit(const Parameter& parameter, Experiment experiment = {}, bool with_nodes = true) {
  experiment.parameters.push_back(parameter);
  const Machine machine = machine_of(experiment, with_nodes);
  const auto result = fit_server(parameter, experiment, machine, {{"cpus", 8}});
  Fitted fitted;
  if (!result) {
    for (const Error& error : result.error()) fitted.problems += to_text(error) + "\n";
    return fitted;
  }
  std::vector<std::string> levels;
  for (const Value& level : result->parameter.values) levels.push_back(to_text(level));
  fitted.levels = fmt::format("{}", fmt::join(levels, " "));
  if (result->parameter.high) fitted.levels = result->parameter.high->text();
  fitted.narrowed = fmt::format("{}", fmt::join(result->narrowed, "\n"));
  fitted.dropped = result->dropped.value_or("");
  return fitted;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("placements that differ here are all kept") {
  const auto fitted = fit(words("server.placement", {"spread", "pack", "siblings", "one-per-core", "0-1"}));
  CHECK(fitted.problems.empty());
  CHECK(fitted.levels == "spread pack siblings one-per-core 0-1");
  CHECK(fitted.narrowed.empty());
  CHECK(fitted.dropped.empty());
}

TEST_CASE("a placement that the machine cannot give is an error before the first trial, or left out where that is allowed") {
  Parameter parameter = words("server.placement", {"pack", "nic-node"});
  const auto refused = fit(parameter);
  CHECK(has(refused.problems, "\"nic-node\" cannot be had here: nss0 is a virtual device"));
  CHECK(has(refused.problems, "(the value nic-node of the parameter p; optional = true leaves it out)"));
  parameter.optional = true;
  const auto fitted = fit(parameter);
  CHECK(fitted.levels == "pack");
  CHECK(has(fitted.narrowed, "nic-node is left out: server.placement: \"nic-node\" cannot be had here"));
  Experiment experiment;
  experiment.search.start = {{{{"p", std::string("nic-node")}}}};
  CHECK(has(fit(parameter, experiment).problems, "cannot be had here"));
}

TEST_CASE("placements that come to the same are one, unless the parameter is kept") {
  Parameter parameter = words("server.placement", {"pack", "spread", "0-2"});
  parameter.optional = true;
  const auto fitted = fit(parameter, {}, false);
  CHECK(fitted.levels == "spread 0-2");
  CHECK(fitted.narrowed == "pack is left out: it is the same as spread here (CPUs 0,1,2,3,4,5)");
  CHECK(has(fit(words("server.placement", {"pack"}), {}, false).dropped, "cannot matter here: its values come to the same as \"spread\""));
  parameter.keep = true;
  CHECK(fit(parameter, {}, false).levels == "pack spread 0-2");
  parameter.keep = false;
  parameter.sets.emplace_back("server.io_model");
  CHECK(fit(parameter, {}, false).levels == "pack spread 0-2");
}

TEST_CASE("a list that has CPUs of the load is an error") {
  CHECK(has(fit(words("server.placement", {"0-7"})).problems, "are the load's too"));
}

TEST_CASE("the range of server.cores ends at the CPUs that the server has") {
  const auto fitted = fit(cores("1", "cpus"));
  CHECK(fitted.levels == "6");
  CHECK(fitted.narrowed == "the range ends at 6: the server has at most 6 CPUs here (0-2,4-6; the load has 3,7)");
  CHECK(fit(cores("1", "cpus - 2")).narrowed.empty());
  CHECK(has(fit(cores("1", "8")).problems, "server.cores: the server has at most 6 CPUs here"));
  CHECK(has(fit(cores("cpus", "cpus")).problems, "the range of the parameter c"));
  Parameter levels = words("server.cores", {});
  levels.type = ParameterType::integer;
  levels.values = {std::int64_t{2}, std::int64_t{7}};
  CHECK(has(fit(levels).problems, "the value 7 of the parameter p"));
}

TEST_CASE("another parameter's placement counts for the most CPUs") {
  Experiment experiment;
  experiment.server.placement = "0-1";
  CHECK(fit(cores("1", "cpus"), experiment).levels == "2");
  experiment.parameters.push_back(words("server.placement", {"one-per-core", "pack"}));
  CHECK(fit(cores("1", "cpus"), experiment).levels == "6");
}

TEST_CASE("memory.policy is dropped where there is one memory, and its levels are checked where there are several") {
  CHECK(
      has(fit(words("memory.policy", {"local", "bind"}), {}, false).dropped, "memory.policy cannot matter here: this machine has no NUMA"));
  const auto fitted = fit(words("memory.policy", {"local", "bind", "interleave", "node:1"}));
  CHECK(fitted.levels == "local bind interleave node:1");
  CHECK(has(fit(words("memory.policy", {"node:4"})).problems, "there is no node 4 with memory that may be used; there are: 0-1"));
  Experiment experiment;
  experiment.server.placement = "2-3";
  CHECK(fit(words("memory.policy", {"bind", "node:1"}), experiment).narrowed == "node:1 is left out: it is the same as bind here (bind:1)");
}

TEST_CASE("other parameters are left as they are") {
  Parameter parameter = words("server.io_model", {"epoll", "poll"});
  CHECK(fit(parameter).levels == "epoll poll");
}
