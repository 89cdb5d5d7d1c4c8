// `netsettle doctor FILE`: what an experiment needs, one line each, and whether it is there.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "datasets/model/setting_name.hpp"
#include "runners/hosts/local_host.hpp"
#include "tuner/cli/command.hpp"
#include "tuner/cli/doctor.hpp"
#include "tuner/loop/preparation.hpp"

namespace netsettle::tuner {
namespace {

using Json = nlohmann::ordered_json;
using Level = Finding::Level;

/// A setting of a parameter, and what is to be said of it.
struct Need {
  std::string parameter;
  SettingState state;
  Level level = Level::fine;
  std::string text;
};

bool is_of_rig(const Experiment& experiment, const std::string& name) {
  if (experiment.rig.kind != RigKind::namespaces || name == "queues.rfs.entries") return false;
  return name.starts_with("queues.") || name.starts_with("napi.") || name.starts_with("nic.") || name.starts_with("interrupts.");
}

Need need_of(const Parameter& parameter, SettingState state) {
  Need need{parameter.name, std::move(state), Level::fine, {}};
  if (need.state.unusable) {
    need.level = parameter.optional ? Level::limit : Level::problem;
    need.text = *need.state.unusable + (parameter.optional ? ": the parameter is left out" : " (optional = true leaves the parameter out)");
    return need;
  }
  const std::string range = range_text(need.state);
  need.text = fmt::format("is {}{}", need.state.as_found, range.empty() ? "" : "; " + range);
  if (!need.state.no_matter) return need;
  need.level = Level::limit;
  need.text += "; cannot matter here: " + *need.state.no_matter;
  return need;
}

std::vector<std::string> settings_of(const Parameter& parameter) {
  std::vector<std::string> names = parameter.sets;
  for (const auto& [name, expression] : parameter.with) names.push_back(name);
  return names;
}

std::vector<Need> needs_of(const Experiment& experiment, const runners::SettingContext& context) {
  std::vector<std::string> all;
  for (const auto& parameter : experiment.parameters) std::ranges::move(settings_of(parameter), std::back_inserter(all));
  std::vector<Need> needs;
  for (const auto& parameter : experiment.parameters)
    for (const auto& name : settings_of(parameter)) {
      if (acts_by_start(name))
        needs.push_back({parameter.name, {.name = name}, Level::fine, "by the command line of the program that takes it"});
      else if (is_of_rig(experiment, name))
        needs.push_back(
            {parameter.name, {.name = name}, Level::fine, "of the rig's own interface, which is looked at when the study starts"});
      else
        needs.push_back(need_of(parameter, state_of(context, name, all)));
    }
  return needs;
}

/// Where the machine could not be inspected as a whole, its CPUs are enough to look at settings.
runners::SettingContext context_of(runners::Host& host, const Experiment& experiment, const std::expected<Machine, Errors>& machine) {
  if (machine) return plain_context(host, experiment, *machine);
  const auto topology = runners::read_topology(host);
  auto context = plain_context(host, experiment, Machine{});
  if (topology) context.cpus = context.server_cpus = {topology->allowed.begin(), topology->allowed.end()};
  return context;
}

/// What does not show in a single setting: programs, rights, the client, levels and ranges.
Errors other_problems(const Experiment& experiment, const std::expected<Machine, Errors>& machine, const runners::SettingContext& context,
                      const std::vector<Need>& needs) {
  Errors problems;
  if (!machine) problems = machine.error();
  if (machine)
    if (const auto resolved = resolve_space(experiment, *machine, context); !resolved) problems = resolved.error();
  // What is said of a setting in its own line is not said twice.
  std::erase_if(problems, [&](const Error& problem) {
    return std::ranges::any_of(needs, [&](const Need& need) { return need.state.unusable && need.state.name == problem.subject; });
  });
  return problems;
}

Json json_of(const Experiment& experiment, const std::vector<Need>& needs, const Errors& problems, bool can_run) {
  Json json = {{"study", experiment.study.name}, {"rig", to_text(experiment.rig.kind)}, {"can_run", can_run}};
  json["settings"] = Json::array();
  for (const auto& need : needs)
    json["settings"].push_back(
        {{"parameter", need.parameter}, {"name", need.state.name}, {"level", to_text(need.level)}, {"text", need.text}});
  json["problems"] = Json::array();
  for (const auto& problem : problems) json["problems"].push_back({{"what", problem.subject}, {"text", problem.text}});
  return json;
}

void print_needs(const Experiment& experiment, const std::vector<Need>& needs, const Errors& problems, bool can_run) {
  fmt::print("{}: study {}, rig {}\n", experiment.file, experiment.study.name, to_text(experiment.rig.kind));
  for (const auto& need : needs) fmt::print("{:<8} {:<14} {}: {}\n", to_text(need.level), need.parameter, need.state.name, need.text);
  for (const auto& problem : problems) fmt::print("{:<8} {:<14} {}\n", to_text(Level::problem), "experiment", to_text(problem));
  const std::string wide = fmt::format("{}", fmt::join(host_wide_settings(experiment), ", "));
  if (!wide.empty())
    fmt::print("{:<8} {:<14} {}\n", to_text(Level::limit), "whole machine", wide + " affect the whole machine while the study runs");
  if (can_run)
    fmt::print("This machine can run it: netsettle check {0} says how long it takes, netsettle run {0} is the study.\n", experiment.file);
  else
    fmt::print("This machine cannot run it as it is.\n");
}

}  // namespace

int show_experiment(const std::string& file, bool as_json) {
  const auto experiment = read_experiment(file, {});
  if (!experiment) return print_diagnostics(experiment.error());
  const auto host = runners::make_local_host();
  const auto machine = inspect_machine(*host, *experiment);
  const auto context = context_of(*host, *experiment, machine);
  const auto needs = needs_of(*experiment, context);
  const Errors problems = other_problems(*experiment, machine, context, needs);
  const bool can_run = problems.empty() && std::ranges::none_of(needs, [](const Need& need) { return need.level == Level::problem; });
  if (as_json)
    fmt::print("{}\n", json_of(*experiment, needs, problems, can_run).dump(2, ' ', false, Json::error_handler_t::replace));
  else
    print_needs(*experiment, needs, problems, can_run);
  return can_run ? kDone : kPreflight;
}

}  // namespace netsettle::tuner
