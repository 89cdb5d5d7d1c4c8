#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "datasets/model/setting_name.hpp"
#include "runners/hosts/local_host.hpp"
#include "runners/settings/write_plan.hpp"
#include "tuner/cli/command.hpp"
#include "tuner/cli/configuration_option.hpp"
#include "tuner/loop/preparation.hpp"

namespace netsettle::tuner {
namespace {

namespace options = boost::program_options;
using Settings = std::map<std::string, std::string>;

/// The settings of a configuration by where they act.
struct Parts {
  Settings machine;       // files of this machine
  Settings rig;           // inside the namespaces that the study makes
  Settings programs;      // of other programs: actors.*
  Settings command_line;  // server.*, memory.policy, load.*
};

bool is_inside_rig(const runners::SettingContext& context, RigKind rig, const std::string& name) {
  if (rig != RigKind::namespaces || name == "queues.rfs.entries") return false;  // the flow table is the machine's
  if (name.starts_with("queues.") || name.starts_with("napi.") || name.starts_with("interrupts.") || name.starts_with("nic.")) return true;
  const auto setting = runners::resolve_setting(context, name);
  return setting && setting->scope == runners::SettingScope::network_namespace;
}

Parts parts_of(const runners::SettingContext& context, RigKind rig, const Settings& settings) {
  Parts parts;
  for (const auto& [name, value] : settings) {
    if (acts_by_start(name))
      parts.command_line[name] = value;
    else if (name == runners::kIrqbalanceSetting)
      parts.programs[name] = value;
    else if (is_inside_rig(context, rig, name))
      parts.rig[name] = value;
    else
      parts.machine[name] = value;
  }
  return parts;
}

void print_settings(const char* title, const Settings& settings) {
  if (settings.empty()) return;
  fmt::print("{}\n", title);
  for (const auto& [name, value] : settings) fmt::print("  {} = {}\n", name, value);
}

void print_plan(const runners::WritePlan& plan, const Parts& parts) {
  if (plan.writes.empty())
    fmt::print("Nothing of this machine is written.\n");
  else
    fmt::print("Files of this machine, in this order (given back in the reverse order, channels and rings of a card first):\n");
  for (const auto& write : plan.writes) {
    if (write.from == write.to)
      fmt::print("    {}\n      {} (as it is)\n", write.path, write.from);
    else
      fmt::print("    {}\n    - {}\n    + {}\n", write.path, write.from, write.to);
  }
  print_settings("Inside the rig's own namespaces, which vanish with the study:", parts.rig);
  print_settings("Other programs are told, and have their own again afterwards:", parts.programs);
  print_settings("By how server and load are started:", parts.command_line);
}

nlohmann::ordered_json json_of(const runners::WritePlan& plan, const Parts& parts) {
  nlohmann::ordered_json json{
      {"writes", nlohmann::ordered_json::array()}, {"rig", parts.rig}, {"programs", parts.programs}, {"command_line", parts.command_line}};
  for (const auto& write : plan.writes)
    json["writes"].push_back({{"setting", write.setting}, {"path", write.path}, {"from", write.from}, {"to", write.to}});
  return json;
}

}  // namespace

int run_plan(const Arguments& arguments) {
  CommandLine line(
      "plan FILE [--configuration PARAMETER=VALUE,...] [--set KEY=VALUE]... [--json]",
      "Shows what a configuration would write, file by file and in order, without writing. Without --configuration it is that of the\n"
      "first entry of search.start, or the machine as found. Exit 3: this machine cannot do it.",
      "netsettle plan datasets/experiments/quickstart.toml --configuration rmem=4MiB,backlog=20000");
  line.positional("file", 1);
  line.add()("set", options::value<std::vector<std::string>>()->composing(), "override one key of the file")(
      "configuration", options::value<std::vector<std::string>>()->composing(), "values of parameters; the others are as found")("json",
                                                                                                                                 "as JSON");
  if (const auto exit = line.parse(arguments)) return *exit;
  if (!line.has("file")) return print_error({ErrorCode::invalid_input, "plan", "an experiment file is needed"});
  auto overrides = parse_overrides(line.texts("set"));
  if (!overrides) return overrides.error();
  if (line.has("configuration")) {
    const auto start = start_override(line.texts("configuration"));
    if (!start) return print_error(start.error());
    overrides->push_back(*start);
  }
  const auto experiment = read_experiment(line.text("file"), *overrides);
  if (!experiment) return print_diagnostics(experiment.error());
  const auto host = runners::make_local_host();
  const auto machine = inspect_machine(*host, *experiment);
  if (!machine) return print_errors(machine.error());
  const auto context = plain_context(*host, *experiment, *machine);
  const auto resolved = resolve_space(*experiment, *machine, context);
  if (!resolved) return print_errors(resolved.error());
  if (const auto kept = check_kept(line.texts("configuration"), resolved->dropped); !kept) return print_error(kept.error());
  const auto settings = settings_of_start(resolved->experiment, resolved->space);
  if (!settings) return print_error(settings.error());
  const Parts parts = parts_of(context, experiment->rig.kind, *settings);
  const auto plan = runners::plan_writes(context, parts.machine);
  if (!plan.problems.empty()) return print_errors(plan.problems);
  if (line.has("json"))
    fmt::print("{}\n", json_of(plan, parts).dump(2));
  else
    print_plan(plan, parts);
  return kDone;
}

}  // namespace netsettle::tuner
