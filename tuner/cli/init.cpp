#include <fmt/format.h>

#include "runners/hosts/background.hpp"
#include "runners/hosts/local_host.hpp"
#include "runners/topology/topology.hpp"
#include "tuner/cli/command.hpp"
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

}  // namespace

int run_init(const Arguments& arguments) {
  CommandLine line("init [--name NAME] [--from SYSCTL.conf]",
                   "Prints a commented experiment file that fits this machine. With --from each line of a sysctl.conf becomes a parameter "
                   "with the value\n"
                   "that the machine has and that of the line, so that the study says which lines matter. Changes nothing.",
                   "netsettle init --from /etc/sysctl.d/99-dns.conf > dns.toml");
  line.add()("name", options::value<std::string>(), "of the study (default: first)")("from", options::value<std::string>(),
                                                                                     "a sysctl.conf that somebody believes in");
  if (const auto exit = line.parse(arguments)) return *exit;
  const auto host = runners::make_local_host();
  const auto topology = runners::read_topology(*host);
  if (!topology) return print_error(topology.error());
  StarterFile starter{.queries = query_file(), .cpus = static_cast<int>(topology->allowed.size())};
  if (line.has("name")) starter.name = line.text("name");
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
