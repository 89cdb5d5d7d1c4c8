#include "tuner/cli/doctor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "runners/hosts/local_host.hpp"
#include "runners/hosts/tree_archive.hpp"
#include "runners/hosts/tree_host.hpp"
#include "tuner/cli/command.hpp"
#include "tuner/cli/machine_json.hpp"

namespace netsettle::tuner {
namespace {

namespace options = boost::program_options;
using Json = nlohmann::ordered_json;

struct Request {
  std::optional<std::string> interface;
  bool as_json = false;
};

Json findings_json(const std::vector<Finding>& findings) {
  Json list = Json::array();
  for (const auto& finding : findings) list.push_back({{"what", finding.what}, {"level", to_text(finding.level)}, {"text", finding.text}});
  return list;
}

Json settings_json(const std::vector<SettingState>& states) {
  Json list = Json::array();
  const auto or_null = [](const std::optional<std::string>& text) { return text ? Json(*text) : Json(nullptr); };
  for (const auto& state : states)
    list.push_back({{"name", state.name},
                    {"can_change", !state.unusable},
                    {"as_found", state.unusable ? Json(nullptr) : Json(state.as_found)},
                    {"why_not", or_null(state.unusable)},
                    {"no_matter", or_null(state.no_matter)},
                    {"smallest", state.smallest ? Json(*state.smallest) : Json(nullptr)},
                    {"largest", state.largest ? Json(*state.largest) : Json(nullptr)},
                    {"words", state.words}});
  return list;
}

/// Names in a tree that somebody else made may be no UTF-8.
void print_json(const Json& json) { fmt::print("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace)); }

void print_findings(const std::vector<Finding>& findings) {
  for (const auto& finding : findings) fmt::print("{:<8} {:<14} {}\n", to_text(finding.level), finding.what, finding.text);
}

/// Those that cannot be changed come last, one line a reason: without root it is the same for nearly all.
void print_settings(const std::vector<SettingState>& states, const std::string& interface) {
  fmt::print("\nSettings that can be changed (interface {}):\n", interface);
  std::map<std::string, std::vector<std::string>> unusable;
  for (const auto& state : states) {
    if (state.unusable)
      unusable[*state.unusable].push_back(state.name);
    else
      fmt::print("  {:<42} {}{}{}\n", state.name, state.as_found, range_text(state).empty() ? "" : "; " + range_text(state),
                 state.no_matter ? "; cannot matter: " + *state.no_matter : "");
  }
  if (std::ranges::all_of(states, [](const auto& state) { return state.unusable.has_value(); })) fmt::print("  none\n");
  if (!unusable.empty()) fmt::print("\nSettings that cannot be changed here:\n");
  for (const auto& [reason, names] : unusable) fmt::print("  {}:\n    {}\n", reason, fmt::join(names, " "));
}

/// Whether the interface that was asked for is there.
Expected<void> check_interface(const runners::MachineView& view, const Request& request) {
  if (!request.interface || view.interfaces.contains(*request.interface)) return {};
  std::vector<std::string> names;
  names.reserve(view.interfaces.size());
  for (const auto& [name, nic] : view.interfaces) names.push_back(name);
  return fail(ErrorCode::invalid_input, *request.interface, fmt::format("no such interface; there are {}", fmt::join(names, ", ")));
}

int show_tree(const std::string& path, const Request& request) {
  const auto tree = runners::open_tree(path);
  if (!tree) return print_error(tree.error());
  const auto view = runners::read_machine(**tree);
  if (!view) return print_error(view.error());
  if (const auto found = check_interface(*view, request); !found) return print_error(found.error());
  if (request.as_json) {
    print_json(machine_json(*view, request.interface));
    return kDone;
  }
  fmt::print("{:<8} {:<14} {}\n", "", "kernel_release", printable(view->kernel.value_or("unknown")));
  fmt::print("{:<8} {:<14} {}\n", "", "cpus_allowed", to_cpu_list(view->cpus.allowed));
  print_findings(network_findings(*view, request.interface));
  fmt::print("\n{}", network_text(*view, request.interface));
  return kDone;
}

int capture(const std::string& path) {
  const auto host = runners::make_local_host();
  const auto tree = runners::capture_machine(*host);
  if (!tree) return print_error(tree.error());
  const auto bytes = runners::make_tree_archive(*tree);
  if (!bytes) return print_error(bytes.error());
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  if (!file.write(bytes->data(), static_cast<std::streamsize>(bytes->size())).flush())
    return print_error({ErrorCode::io, path, "cannot be written"});
  fmt::print("{}: {} files, {} bytes; see what is in it: tar -tf {}\n", path, tree->size(), bytes->size(), path);
  return kDone;
}

int show_machine(const Request& request) {
  const auto host = runners::make_local_host();
  auto topology = runners::read_topology(*host);
  if (!topology) return print_error(topology.error());
  runners::add_live_details(*topology);
  const auto view = runners::read_machine(*host);
  if (!view) return print_error(view.error());
  if (const auto found = check_interface(*view, request); !found) return print_error(found.error());
  const auto facts = runners::read_host_facts(*host, *topology);
  auto findings = machine_findings(*host, *topology, facts);
  std::ranges::move(network_findings(*view, request.interface), std::back_inserter(findings));
  const std::string interface = request.interface.value_or(main_interface(*view));
  const auto settings = setting_states(*host, view->cpus, interface);
  if (request.as_json) {
    Json json = {{"host", facts}, {"findings", findings_json(findings)}, {"settings", settings_json(settings)}};
    json.update(machine_json(*view, request.interface));
    print_json(json);
    return kDone;
  }
  for (const char* name : {"kernel_release", "cpu_model", "cpus_allowed"})
    if (const auto fact = facts.find(name); fact != facts.end()) fmt::print("{:<8} {:<14} {}\n", "", name, fact->second);
  print_findings(findings);
  fmt::print("\n{}", network_text(*view, request.interface));
  print_settings(settings, interface);
  return kDone;
}

}  // namespace

int run_doctor(const Arguments& arguments) {
  CommandLine line(
      "doctor [FILE | --interface IF | --root TREE | --capture FILE.tar.zst] [--json]",
      "What this machine allows: rights, programs with versions, CPUs, other programs that change settings, interfaces with\n"
      "their interrupts and CPUs, settings, what is left of a crashed run. With an experiment file: what that experiment needs\n"
      "of this machine and of the load's, and whether it is there (exit 3: it is not). Changes nothing.",
      "netsettle doctor --interface eth0");
  line.positional("file", 1);
  line.add()("interface", options::value<std::string>(), "only this one; settings are looked at for it")(
      "root", options::value<std::string>(), "a captured tree (folder, .tar, .tar.gz, .tar.zst) instead of this machine")(
      "capture", options::value<std::string>(),
      "writes what is read of /proc and /sys to a file that can be sent: no hardware addresses, serial numbers, names of hosts or command "
      "lines")("json", "as JSON");
  if (const auto exit = line.parse(arguments)) return *exit;
  if (line.has("root") && line.has("capture"))
    return print_error({ErrorCode::invalid_input, "doctor", "--root and --capture do not go together"});
  if (line.has("file") && (line.has("root") || line.has("capture") || line.has("interface")))
    return print_error(
        {ErrorCode::invalid_input, "doctor", "an experiment file names its machine and interface itself: no further options"});
  if (line.has("file")) return show_experiment(line.text("file"), line.has("json"));
  if (line.has("capture")) return capture(line.text("capture"));
  const Request request = {line.has("interface") ? std::optional(line.text("interface")) : std::nullopt, line.has("json")};
  return line.has("root") ? show_tree(line.text("root"), request) : show_machine(request);
}

}  // namespace netsettle::tuner
