#include <fmt/format.h>

#include <array>
#include <cstdlib>

#include "runners/hosts/background.hpp"
#include "runners/probes/softnet.hpp"
#include "runners/settings/guard.hpp"
#include "strategies/validity/softirq_rounds.hpp"
#include "tuner/cli/doctor.hpp"

namespace netsettle::tuner {
namespace {

using Level = Finding::Level;
using Findings = std::vector<Finding>;

struct Tool {
  std::vector<std::string> argv;
  std::string_view package;
  Level if_missing;
  std::string_view needed_for;
};

void add_tools(runners::Host& host, Findings& findings) {
  const std::array tools = {Tool{{"dnsperf", "-h"}, "dnsperf", Level::problem, "the usual load generator"},
                            Tool{{"ip", "-V"}, "iproute2", Level::problem, "the rig of namespaces"},
                            Tool{{"ethtool", "--version"}, "ethtool", Level::limit, "channels, rings and offloads of an interface"},
                            Tool{{"resperf", "-h"}, "resperf", Level::limit, "load.kind = \"resperf\""},
                            Tool{{"kxdpgun", "--version"}, "knot-dnsutils", Level::limit, "load.kind = \"kxdpgun\""},
                            Tool{{"ssh", "-V"}, "openssh-client", Level::limit, "loads on another machine"}};
  findings.reserve(findings.size() + tools.size());
  for (const Tool& tool : tools) {
    const auto version = runners::program_version(host, tool.argv);
    findings.push_back(version ? Finding{tool.argv.front(), Level::fine, *version}
                               : Finding{tool.argv.front(), tool.if_missing,
                                         fmt::format("not found; for {}: apt-get install {}", tool.needed_for, tool.package)});
  }
}

Finding rights() {
  if (runners::is_root()) return {"rights", Level::fine, "root: rigs namespaces and loopback, all settings"};
  return {"rights", Level::limit,
          "not root: only the loopback rig, where server.* (and, for learning, load.*) can be tuned; sysctls and namespaces need root"};
}

Finding cpus(const runners::Topology& topology) {
  const std::size_t count = topology.allowed.size();
  if (count >= 4) return {"CPUs", Level::fine, fmt::format("{} available", count)};
  return {"CPUs", Level::limit, fmt::format("{} available: load and server share CPUs, so results hold for this laboratory only", count)};
}

Finding nodes(const runners::Topology& topology) {
  if (topology.nodes.size() <= 1)
    return {"NUMA nodes", Level::fine, "one: memory by node, and interrupts near the card or far from it, leave nothing to choose"};
  std::vector<std::string> parts;
  for (const auto& [node, cpus] : topology.nodes)
    parts.push_back(fmt::format("{}: {}", node, cpus.empty() ? "memory only" : "CPUs " + to_cpu_list(cpus)));
  return {"NUMA nodes", Level::fine, fmt::format("{}", fmt::join(parts, "; "))};
}

/// Who else changes settings. Only those that run are facts, but for irqbalance.
struct Actor {
  const char* fact;
  Level level;
  std::string_view text;
};
constexpr std::array kActors = {
    Actor{"irqbalance", Level::limit,
          "it may move interrupts while a study runs: safety.irqbalance = \"ban\" or \"stop\" in the experiment file keeps it away"},
    Actor{"tuned", Level::limit,
          "it sets sysctls and the governor by its profile; a bundle of this study and its profile must not name the same"},
    Actor{"bpftune", Level::limit, "it changes buffers and backlog by itself while a study runs; stop it: systemctl stop bpftune"},
    Actor{"power_profiles", Level::limit, "it changes the governor when power or temperature do; stop it where cpu.* is tuned"},
    Actor{"power_saver", Level::limit, "TLP changes the governor when power does; stop it where cpu.* is tuned"},
    Actor{"thermald", Level::limit, "it lowers clock rates when the machine is hot: measured blocks then drift together"},
    Actor{"google_guest_agent", Level::limit, "it spreads interrupts and XPS when the machine starts: what it set is the baseline"},
    Actor{"azure_agent", Level::limit, "it may set up the network anew: changed interrupts are noticed after each trial"},
    Actor{"amazon_ssm_agent", Level::fine, "somebody else may run commands through it"},
    Actor{"network_manager", Level::fine, "an interface that goes down and up again loses channels, rings and affinity"},
    Actor{"systemd_networkd", Level::fine, "an interface that goes down and up again loses channels, rings and affinity"}};

void add_actors(const runners::HostFacts& facts, Findings& findings) {
  for (const Actor& actor : kActors)
    if (const auto fact = facts.find(actor.fact); fact != facts.end() && fact->second == "running")
      findings.push_back({actor.fact, actor.level, fmt::format("running: {}", actor.text)});
  if (const auto container = facts.find("container"); container != facts.end())
    findings.push_back({"container", Level::limit,
                        container->second +
                            ": settings of the whole machine (net.core, interrupts, governor, scheduler) belong to the host and "
                            "change it for all containers; what can be changed from in here is listed below"});
}

/// Since boot, and as the kernel counts it for all CPUs.
void add_softirq(runners::Host& host, const runners::Topology& topology, Findings& findings) {
  const auto text = host.read_file("/proc/net/softnet_stat"), budget = host.read_file("/proc/sys/net/core/netdev_budget");
  const auto rows = text ? runners::parse_softnet(*text, topology.online) : Expected<std::vector<runners::SoftnetRow>>();
  if (!rows || !budget) return;
  strategies::SoftirqRounds rounds{.packets = 0, .cut_off = 0, .budget = std::atoll(budget->c_str())};
  for (const auto& row : *rows) {
    rounds.packets += row.processed;
    rounds.cut_off += row.time_squeeze;
  }
  if (const auto sentence = strategies::explain_rounds(rounds)) findings.push_back({"softirq", Level::fine, "since boot " + *sentence});
}

Finding left_behind() {
  const auto paths = runners::default_guard_paths();
  if (const auto holder = runners::lock_holder(paths))
    return {"lock", Level::limit, fmt::format("study {} is running (process {})", holder->study, holder->pid)};
  if (runners::journal_is_open(paths))
    return {"undo journal", Level::problem, "a run died before it could give everything back: run 'netsettle restore'"};
  return {"undo journal", Level::fine, "empty: nothing has to be given back"};
}

}  // namespace

std::string_view to_text(Finding::Level level) {
  switch (level) {
    case Level::fine:
      return "ok";
    case Level::limit:
      return "limit";
    case Level::problem:
      return "problem";
  }
  return "";
}

std::vector<Finding> machine_findings(runners::Host& host, const runners::Topology& topology, const runners::HostFacts& facts) {
  Findings findings = {rights()};
  add_tools(host, findings);
  findings.push_back(cpus(topology));
  findings.push_back(nodes(topology));
  add_actors(facts, findings);
  add_softirq(host, topology, findings);
  findings.push_back(left_behind());
  return findings;
}

}  // namespace netsettle::tuner
