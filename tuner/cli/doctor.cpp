#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "runners/hosts/background.hpp"
#include "runners/hosts/local_host.hpp"
#include "runners/settings/guard.hpp"
#include "runners/topology/host_facts.hpp"
#include "runners/hosts/tree_host.hpp"
#include "tuner/cli/command.hpp"
#include "tuner/cli/machine_json.hpp"

namespace netsettle::tuner {
namespace {

struct Finding {
  std::string what;
  enum class Level { fine, limit, problem } level;
  std::string text;
};

std::string_view to_text(Finding::Level level) {
  switch (level) {
    case Finding::Level::fine:
      return "ok";
    case Finding::Level::limit:
      return "limit";
    case Finding::Level::problem:
      return "problem";
  }
  return "";
}

Finding program(runners::Host& host, const std::vector<std::string>& argv, std::string_view package) {
  const auto version = runners::program_version(host, argv);
  return version ? Finding{argv.front(), Finding::Level::fine, *version}
                 : Finding{argv.front(), Finding::Level::problem, fmt::format("not found; apt-get install {}", package)};
}

std::vector<Finding> examine(runners::Host& host, const runners::Topology& topology, const runners::HostFacts& facts) {
  using Level = Finding::Level;
  std::vector<Finding> findings;
  const bool root = runners::is_root();
  findings.push_back(root ? Finding{"rights", Level::fine, "root: rigs namespaces and loopback, all settings"}
                          : Finding{"rights", Level::limit,
                                    "not root: only the loopback rig, where server.* (and, for learning, load.*) can be tuned; sysctls and "
                                    "namespaces need root"});
  findings.push_back(program(host, {"dnsperf", "-h"}, "dnsperf"));
  findings.push_back(program(host, {"ip", "-V"}, "iproute2"));
  const auto cpus = topology.allowed.size();
  findings.push_back({"CPUs", cpus >= 4 ? Level::fine : Level::limit,
                      cpus >= 4 ? fmt::format("{} available", cpus)
                                : fmt::format("{} available: load and server share CPUs, so results hold for this laboratory only", cpus)});
  if (const auto balance = facts.find("irqbalance"); balance != facts.end() && balance->second == "running")
    findings.push_back(
        {"irqbalance", Level::limit, "running: it may move interrupts while a study runs; stop it for the time of the study"});
  const auto paths = runners::default_guard_paths();
  if (const auto holder = runners::lock_holder(paths))
    findings.push_back({"lock", Level::limit, fmt::format("study {} is running (process {})", holder->study, holder->pid)});
  else
    findings.push_back(runners::journal_is_open(paths) ? Finding{"undo journal", Level::problem,
                                                                 "a run died before it could give everything back: run 'netsettle restore'"}
                                                       : Finding{"undo journal", Level::fine, "empty: nothing has to be given back"});
  return findings;
}

}  // namespace

int run_doctor(const Arguments& arguments) {
  CommandLine line("doctor [--json]",
                   "What this machine allows: rights, programs with versions, CPUs, what is left of a crashed run. Changes nothing.",
                   "netsettle doctor");
  line.add()("json", "as JSON");
  line.add()("root", boost::program_options::value<std::string>(), "a captured tree (folder or archive) instead of this machine");
  if (const auto exit = line.parse(arguments)) return *exit;
  if (line.has("root")) {
    const auto tree = runners::open_tree(line.text("root"));
    if (!tree) return print_error(tree.error());
    const auto view = runners::read_machine(**tree);
    if (!view) return print_error(view.error());
    fmt::print("{}\n", machine_json(*view).dump(1));
    return kDone;
  }
  const auto host = runners::make_local_host();
  auto topology = runners::read_topology(*host);
  if (!topology) return print_error(topology.error());
  runners::add_live_details(*topology);
  const auto facts = runners::read_host_facts(*host, *topology);
  const auto findings = examine(*host, *topology, facts);
  if (line.has("json")) {
    nlohmann::json list = nlohmann::json::array();
    for (const auto& finding : findings)
      list.push_back({{"what", finding.what}, {"level", to_text(finding.level)}, {"text", finding.text}});
    fmt::print("{}\n", nlohmann::json{{"host", facts}, {"findings", list}}.dump(2));
    return kDone;
  }
  for (const char* name : {"kernel_release", "cpu_model", "cpus_allowed"})
    if (const auto fact = facts.find(name); fact != facts.end()) fmt::print("{:<8} {:<14} {}\n", "", name, fact->second);
  for (const auto& finding : findings) fmt::print("{:<8} {:<14} {}\n", to_text(finding.level), finding.what, finding.text);
  return kDone;
}

}  // namespace netsettle::tuner
