#include <fmt/format.h>
#include <fmt/ranges.h>

#include "datasets/model/setting_form.hpp"

#include "runners/hosts/background.hpp"
#include "runners/hosts/local_host.hpp"
#include "runners/rigs/hosts_rig.hpp"
#include "runners/topology/topology.hpp"
#include "tuner/cli/command.hpp"
#include "tuner/cli/doctor.hpp"
#include "tuner/report/starter_file.hpp"

namespace netsettle::tuner {
namespace {

namespace options = boost::program_options;

/// The queries that come with netsettle where this is a source tree; otherwise a name to be replaced.
std::string query_file() {
  for (auto folder = runners::own_program().parent_path(); folder.has_relative_path(); folder = folder.parent_path())
    if (auto file = folder / "datasets/queries/mixed-1k.txt"; std::filesystem::exists(file)) return file;
  return "queries.txt";
}

/// What the interface and its machine have, for the file's parameters.
Expected<StarterCard> card_of(runners::Host& host, const std::string& interface) {
  NETSETTLE_ASSIGN(const runners::MachineView view, runners::read_machine(host));
  if (!view.interfaces.contains(interface)) {
    std::vector<std::string> names;
    for (const auto& [name, nic] : view.interfaces) names.push_back(name);
    return fail(ErrorCode::invalid_input, interface, fmt::format("no such interface; there are {}", fmt::join(names, ", ")));
  }
  StarterCard card{.interface = interface, .address = {}, .settings = {}};
  if (const auto addresses = runners::addresses_of(host, interface); addresses && !addresses->empty()) card.address = addresses->front();
  const auto context = machine_context(host, view.cpus, interface);
  std::vector<std::string> names;  // as company for each other: none is left out for want of its partner; but none says the same as another
  for (const auto& setting : machine_settings())
    if (!setting.name.ends_with(".map") && !setting.name.ends_with(".mask")) names.push_back(setting.name);
  for (const auto& name : names) {
    SettingState state = state_of(context, name, name == "queues.rps.count" ? std::vector{name} : names);
    card.settings.push_back({.name = name,
                             .as_found = state.as_found,
                             .smallest = state.smallest,
                             .largest = state.largest,
                             .words = state.words,
                             .why_not = state.unusable ? *state.unusable : state.no_matter.value_or("")});
  }
  return card;
}

}  // namespace

int run_init(const Arguments& arguments) {
  CommandLine line(
      "init [--name NAME] [--interface IF | --from SYSCTL.conf]",
      "Prints a commented experiment file that fits this machine: a laboratory of two network namespaces; with --interface the\n"
      "server here and the load on another machine, with the settings that this interface has. With --from each line of a\n"
      "sysctl.conf becomes a parameter with the value that the machine has and that of the line, so that the study says which\n"
      "lines matter. Changes nothing.",
      "netsettle init --interface eth0 > dns.toml");
  line.add()("name", options::value<std::string>(), "of the study (default: first)")("from", options::value<std::string>(),
                                                                                     "a sysctl.conf that somebody believes in");
  line.add()("interface", options::value<std::string>(), "the server's interface, on which the queries arrive");
  if (const auto exit = line.parse(arguments)) return *exit;
  if (line.has("interface") && line.has("from"))
    return print_error({ErrorCode::invalid_input, "init", "--interface and --from do not go together: make one file of each"});
  const auto host = runners::make_local_host();
  const auto topology = runners::read_topology(*host);
  if (!topology) return print_error(topology.error());
  StarterFile starter{.queries = query_file(), .cpus = static_cast<int>(topology->allowed.size())};
  if (line.has("name")) starter.name = line.text("name");
  if (line.has("interface")) {
    auto card = card_of(*host, line.text("interface"));
    if (!card) return print_error(card.error());
    starter.card = std::move(*card);
  }
  if (line.has("from")) {
    starter.source = line.text("from");
    const auto text = host->read_file(starter.source);
    if (!text) return print_error(text.error());
    auto beliefs = parse_sysctl_conf(*text);
    if (!beliefs) return print_error({beliefs.error().code, starter.source + ", " + beliefs.error().subject, beliefs.error().text});
    if (beliefs->empty()) return print_error({ErrorCode::invalid_input, starter.source, "has no setting in it"});
    starter.beliefs = std::move(*beliefs);
  }
  fmt::print("{}", starter_file(starter));
  return kDone;
}

}  // namespace netsettle::tuner
