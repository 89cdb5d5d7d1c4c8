#include "tuner/loop/preparation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <sstream>

#include "datasets/model/setting_name.hpp"
#include "datasets/model/trimmed.hpp"
#include "runners/hosts/background.hpp"
#include "runners/hosts/local_host.hpp"
#include "runners/hosts/ssh_host.hpp"
#include "runners/loads/load.hpp"
#include "runners/servers/dns_query.hpp"
#include "runners/servers/server.hpp"
#include "runners/servers/server_memory.hpp"
#include "runners/trial/trial.hpp"
#include "tuner/loop/bounds.hpp"
#include "tuner/loop/server_levels.hpp"

namespace netsettle::tuner {
namespace {

/// Every setting that a parameter changes, `with` included.
std::vector<std::string> settings_of(const Parameter& parameter) {
  std::vector<std::string> all = parameter.sets;
  for (const auto& [setting, value] : parameter.with) all.push_back(setting);
  return all;
}

std::vector<std::string> settings_of(const Experiment& experiment) {
  std::vector<std::string> all;
  for (const auto& parameter : experiment.parameters)
    for (auto& setting : settings_of(parameter)) all.push_back(std::move(setting));
  std::ranges::sort(all);
  all.erase(std::ranges::unique(all).begin(), all.end());
  return all;
}

std::string load_section_text(const LoadSection& load) {
  std::string text =
      fmt::format("{} {} clients={} outstanding={} threads={} instances={} cpus={} ports={} timeout={} accept={} arguments={}\n", load.kind,
                  to_text(load.family), load.clients, load.outstanding, load.threads, load.instances, load.cpus, to_text(load.source_ports),
                  load.timeout.count(), fmt::join(load.accept, ","), fmt::join(load.arguments, " "));
  if (load.rate) text += fmt::format("rate={}\n", *load.rate);
  if (!load.argv.empty()) text += fmt::format("argv={}\n", fmt::join(load.argv, "\n"));
  return text;
}

void need_program(runners::Host& host, const std::vector<std::string>& version_argv, std::string_view package, const std::string& fact,
                  Machine& machine, Errors& problems) {
  if (const auto version = runners::program_version(host, version_argv))
    machine.facts[fact] = *version;
  else
    problems.push_back(
        {ErrorCode::not_found, version_argv.front(),
         fmt::format("this program is needed and was not found; it is in the Debian package {0}: apt-get install {0}", package)});
}

void note_placement(Machine& machine, runners::Placement placement) {
  const auto list = [](const std::vector<CpuId>& cpus) { return to_cpu_list(CpuSet(cpus.begin(), cpus.end())); };
  machine.facts["server_cpus"] = list(placement.server);
  machine.facts["load_cpus"] = to_cpu_list(placement.load);
  machine.facts["rps_cpus"] = list(placement.rps);
  machine.placement = std::move(placement);
}

/// What is near the server's interface: a pair of namespaces and loopback have virtual ones.
runners::InterfacePlace inspect_interface(runners::Host& host, const Experiment& experiment) {
  if (experiment.rig.kind != RigKind::hosts)
    return {{}, fmt::format("the interface of rig.kind = \"{}\" is a virtual device, which is near no node", to_text(experiment.rig.kind))};
  const auto nic = runners::read_nic(host, experiment.rig.server.interface);
  return nic ? runners::place_of(*nic) : runners::InterfacePlace{{}, to_text(nic.error())};
}

/// A mistake in load.cpus does not hide one in server.placement.
void add_placement_problems(const Experiment& experiment, const Machine& machine, const Error& first, Errors& problems) {
  problems.push_back(first);
  if (first.subject != "load.cpus") return;
  if (const auto cpus = runners::place_server(machine.topology, experiment.server, {}, machine.interface); !cpus)
    problems.push_back(cpus.error());
}

/// Which CPUs netsettle, server and load get.
void inspect_cpus(runners::Host& host, const Experiment& experiment, Machine& machine, Errors& problems) {
  machine.interface = inspect_interface(host, experiment);
  if (const auto reserved = runners::reserve_cpus(machine.topology, experiment.rig.reserved_cpus, machine.interface.local); !reserved)
    return problems.push_back(reserved.error());
  if (!machine.topology.reserved.empty()) machine.facts["reserved_cpus"] = to_cpu_list(machine.topology.reserved);
  const runners::Topology* const client = machine.client_topology ? &*machine.client_topology : nullptr;
  if (auto placement = runners::place(machine.topology, experiment.server, experiment.load, client, machine.interface))
    note_placement(machine, std::move(*placement));
  else
    add_placement_problems(experiment, machine, placement.error(), problems);
  auto memory = runners::memory_policy(machine.topology, experiment.server.memory, machine.placement.server);
  if (memory || machine.placement.server.empty()) return;
  memory.error().subject = "server.memory";
  problems.push_back(std::move(memory.error()));
}

void inspect_rights(const Experiment& experiment, Errors& problems) {
  if (experiment.rig.kind != RigKind::namespaces || runners::is_root()) return;
  problems.push_back({ErrorCode::permission_denied, "rig.kind = \"namespaces\"",
                      "network namespaces need root; run as root, or use rig.kind = \"loopback\", where only server.* can be tuned"});
}

void inspect_queries(runners::Host& host, const Experiment& experiment, Machine& machine, Errors& problems) {
  if (experiment.load.queries.empty()) {  // a program with a workload of its own
    machine.query_name = "example.com";
    machine.query_type = "A";
    machine.workload_hash = sha256_hex(load_section_text(experiment.load));
    return;
  }
  const auto text = host.read_file(experiment.load.queries);
  if (!text) {
    problems.push_back({text.error().code, "load.queries", "the query file cannot be read: " + to_text(text.error())});
    return;
  }
  const auto query = runners::first_query(*text);
  if (!query) {
    problems.push_back({ErrorCode::invalid_input, "load.queries", fmt::format("{} {}", experiment.load.queries, query.error().text)});
    return;
  }
  std::tie(machine.query_name, machine.query_type) = *query;
  machine.workload_hash = sha256_hex(load_section_text(experiment.load) + *text);
  machine.facts["query_file"] = std::filesystem::path(experiment.load.queries).filename();
  machine.facts["query_file_sha256"] = sha256_hex(*text);
}

/// A program of the user: nothing is known of it but its name.
bool is_in_path(runners::Host& host, const std::string& program) {
  if (program.find('/') != std::string::npos) return host.read_file(program).has_value();
  const char* const path = std::getenv("PATH");
  std::stringstream folders(path == nullptr ? "/usr/bin" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const auto names = host.list_directory(folder);
    if (names && std::ranges::find(*names, program) != names->end()) return true;
  }
  return false;
}

/// `client`: where the load runs; `host`: this machine, which has its files.
void inspect_load(runners::Host& host, runners::Host& client, const LoadSection& section, Machine& machine, Errors& problems) {
  const auto load = runners::make_load(section);
  if (!load) return problems.push_back(load.error());
  if (const auto fits = (*load)->check(section); !fits) problems.push_back(fits.error());
  const std::string program((*load)->program());
  if (!(*load)->version_argument().empty())
    need_program(client, {program, std::string((*load)->version_argument())}, (*load)->package(), "load_version", machine, problems);
  else if (!is_in_path(client, program))
    problems.push_back({ErrorCode::not_found, "load.argv", fmt::format("the program {} was not found", program)});
  if (section.tsig_key_file.empty()) return;
  const auto key = host.read_file(section.tsig_key_file);
  if (!key)
    problems.push_back({key.error().code, "load.tsig_key_file", "cannot be read: " + to_text(key.error())});
  else if (trimmed(*key).find(':') == std::string_view::npos)
    problems.push_back({ErrorCode::invalid_input, "load.tsig_key_file", "its first line must be [algorithm:]name:secret"});
}

void inspect_server(runners::Host& host, const ServerSection& server, Machine& machine, Errors& problems) {
  if (server.kind == ServerKind::command) {
    machine.facts["server_argv"] = fmt::format("{}", fmt::join(server.argv, " "));
    if (!is_in_path(host, server.argv.front()))
      problems.push_back({ErrorCode::not_found, "server.argv", fmt::format("the program {} was not found", server.argv.front())});
    return;
  }
  machine.echo_program = runners::own_program().parent_path() / "netsettle-echo";
  const auto binary = host.read_file(machine.echo_program);
  if (binary)
    machine.facts["server_sha256"] = sha256_hex(*binary);
  else
    problems.push_back({binary.error().code, machine.echo_program, "the echo server belongs beside netsettle: " + to_text(binary.error())});
}

/// The load's machine, for a look at it; nullptr where the load runs here, or where it cannot be reached (which is a problem then).
std::unique_ptr<runners::Host> inspect_client(const Experiment& experiment, Machine& machine, Errors& problems) {
  if (experiment.rig.kind != RigKind::hosts) return nullptr;
  auto client = runners::make_ssh_host(hosts_plan(experiment.rig).client);
  if (!client) {
    problems.push_back(client.error());
    return nullptr;
  }
  if (auto topology = runners::read_topology(**client))
    machine.client_topology = std::move(*topology);
  else
    problems.push_back(topology.error());
  return std::move(*client);
}

void inspect_irqbalance(IrqbalancePolicy policy, const Machine& machine, Errors& problems) {
  const auto fact = machine.facts.find("irqbalance");
  if (policy == IrqbalancePolicy::require_off && fact != machine.facts.end() && fact->second == "running")
    problems.push_back({ErrorCode::refused, "safety.irqbalance",
                        "irqbalance runs, and the file requires that it does not: stop it, or write irqbalance = \"ban\" or \"stop\""});
}

/// One problem per setting that does not exist or cannot be written. queues.* are checked in the rig, whose interface does not exist yet.
void inspect_settings(runners::Host& host, const Experiment& experiment, const Machine& machine, Errors& problems) {
  const auto context = plain_context(host, experiment, machine);
  for (const auto& parameter : experiment.parameters) {
    if (parameter.optional) continue;
    for (const auto& name : settings_of(parameter)) {
      if (!name.starts_with("sysctl.")) continue;
      if (auto setting = runners::resolve_setting(context, name); !setting) {
        Error problem = std::move(setting).error();
        problem.text += fmt::format(" (parameter {})", parameter.name);
        if (problem.subject.empty()) problem.subject = name;
        problems.push_back(std::move(problem));
      }
    }
  }
}

}  // namespace

std::expected<Experiment, std::vector<Diagnostic>> read_experiment(const std::filesystem::path& file,
                                                                   const std::vector<Override>& overrides) {
  const auto host = runners::make_local_host();
  const auto text = host->read_file(file);
  if (!text) return std::unexpected(std::vector{Diagnostic{file, 0, 0, "cannot be read: " + to_text(text.error())}});
  return parse_experiment(*text, file, overrides);
}

runners::HostsPlan hosts_plan(const RigSection& rig) {
  constexpr std::string_view kSsh = "ssh:";
  runners::HostsPlan plan{.client = {.name = rig.client.host.substr(std::min(kSsh.size(), rig.client.host.size())), .arguments = {}},
                          .interface = rig.server.interface,
                          .server_address = rig.server.test_address,
                          .client_address = {}};
  if (!rig.client.ssh_config.empty()) plan.client.arguments = {"-F", rig.client.ssh_config};
  if (!rig.client.test_address.empty()) plan.client_address = rig.client.test_address;
  plan.client_interface = rig.client.interface;
  return plan;
}

runners::LinkResets link_resets_of(const Experiment& experiment) {
  return runners::link_resets(std::getenv("SSH_CONNECTION"), experiment.safety.allow_link_reset);
}

runners::SettingContext plain_context(runners::Host& host, const Experiment& experiment, const Machine& machine) {
  return {.host = &host,
          .server = &host,
          .interface = experiment.rig.kind == RigKind::hosts ? experiment.rig.server.interface : "lo",
          .cpus = machine.placement.rps,
          .server_cpus = machine.placement.server,
          .dedicated_namespace = false,
          .server_buffers = server_buffers(experiment),
          .link_resets = link_resets_of(experiment)};
}

std::expected<Machine, Errors> inspect_machine(runners::Host& host, const Experiment& experiment) {
  if (experiment.rig.kind == RigKind::external)
    return std::unexpected(Errors{{ErrorCode::invalid_input, "rig.kind = \"external\"",
                                   "another program runs these trials: netsettle ask-tell FILE"}});
  Errors problems;
  Machine machine;
  auto topology = runners::read_topology(host);
  if (!topology) return std::unexpected(Errors{topology.error()});
  machine.topology = std::move(*topology);
  runners::add_live_details(machine.topology);
  machine.facts = runners::read_host_facts(host, machine.topology);
  const auto client = inspect_client(experiment, machine, problems);
  inspect_cpus(host, experiment, machine, problems);
  inspect_rights(experiment, problems);
  if (experiment.rig.kind != RigKind::hosts || client) inspect_load(host, client ? *client : host, experiment.load, machine, problems);
  inspect_irqbalance(experiment.safety.irqbalance, machine, problems);
  if (experiment.rig.kind == RigKind::namespaces) need_program(host, {"ip", "-V"}, "iproute2", "ip_version", machine, problems);
  inspect_queries(host, experiment, machine, problems);
  inspect_server(host, experiment.server, machine, problems);
  inspect_settings(host, experiment, machine, problems);
  if (!problems.empty()) return std::unexpected(std::move(problems));
  return machine;
}

namespace {

/// Why the machine settings of a parameter cannot be tried here (it is then dropped), or what they are.
struct LookedUp {
  std::optional<std::string> dropped;
  std::vector<runners::ResolvedSetting> settings;
};

Expected<LookedUp> look_up(const Parameter& parameter, const runners::SettingContext& context,
                           const std::vector<std::string>& all_settings) {
  LookedUp found;
  for (const auto& name : settings_of(parameter)) {
    if (acts_by_start(name)) continue;
    auto setting = runners::resolve_setting(context, name);
    if (!setting) {
      if (parameter.optional) return LookedUp{.dropped = to_text(setting.error()), .settings = {}};
      Error problem = setting.error();
      problem.text += fmt::format(" (parameter {}; optional = true leaves it out)", parameter.name);
      return std::unexpected(std::move(problem));
    }
    if (const auto reason = runners::inert_reason(context, name, all_settings); reason && !parameter.keep && parameter.sets.size() == 1)
      return LookedUp{.dropped = name + " cannot matter here: " + *reason + " (keep = true keeps it)", .settings = {}};
    found.settings.push_back(std::move(*setting));
  }
  return found;
}

/// One parameter of the experiment, as far as this machine takes it.
class SpaceResolver {
 public:
  SpaceResolver(const Experiment& experiment, const Machine& machine, const runners::SettingContext& context, ResolvedSpace& result,
                Errors& problems)
      : experiment_(experiment),
        machine_(machine),
        context_(context),
        all_settings_(settings_of(experiment)),
        result_(result),
        problems_(problems) {}

  void add(const Parameter& parameter) {
    const auto found = look_up(parameter, context_, all_settings_);
    if (!found) return problems_.push_back(found.error());
    if (found->dropped) return drop(parameter, *found->dropped);
    const auto server = fit_server(parameter, experiment_, machine_, result_.facts);
    if (!server) return std::ranges::copy(server.error(), std::back_inserter(problems_)), void();
    if (server->dropped) return drop(parameter, *server->dropped);
    for (const auto& text : server->narrowed) result_.narrowed.emplace_back(parameter.name, text);
    auto fit = fit_to_machine(server->parameter, found->settings, result_.facts, context_);
    if (!fit && parameter.optional) return drop(parameter, to_text(fit.error().front()));
    if (!fit) return std::ranges::move(fit.error(), std::back_inserter(problems_)), void();
    for (auto& text : fit->narrowed) result_.narrowed.emplace_back(parameter.name, std::move(text));
    for (const auto& setting : found->settings) {
      result_.as_found[setting.name] = setting.as_found;
      result_.managed.push_back(setting.name);
    }
    result_.experiment.parameters.push_back(std::move(fit->parameter));
  }

 private:
  void drop(const Parameter& parameter, std::string reason) { result_.dropped.emplace_back(parameter.name, std::move(reason)); }

  const Experiment& experiment_;
  const Machine& machine_;
  const runners::SettingContext& context_;
  std::vector<std::string> all_settings_;
  ResolvedSpace& result_;
  Errors& problems_;
};

}  // namespace

std::expected<ResolvedSpace, Errors> resolve_space(const Experiment& experiment, const Machine& machine,
                                                   const runners::SettingContext& context) {
  ResolvedSpace result;
  Errors problems;
  result.experiment = experiment;
  result.experiment.parameters.clear();
  result.as_found = runners::values_of(experiment.server, experiment.load);
  result.facts = runners::facts_of(machine.topology, *context.server, context.interface);
  SpaceResolver resolver(experiment, machine, context, result, problems);
  for (const auto& parameter : experiment.parameters) resolver.add(parameter);
  if (!problems.empty()) return std::unexpected(std::move(problems));
  for (Configuration& start : result.experiment.search.start)  // a start must not name what was dropped
    for (const auto& [name, dropped_because] : result.dropped) start.values.erase(name);
  std::ranges::sort(result.managed);
  result.managed.erase(std::ranges::unique(result.managed).begin(), result.managed.end());
  auto space = SearchSpace::resolve(result.experiment, result.facts, result.as_found);
  if (!space) return std::unexpected(std::move(space).error());
  result.space = std::move(*space);
  return result;
}

std::vector<std::string> host_wide_settings(const Experiment& experiment) {
  std::vector<std::string> found;
  for (const auto& setting : settings_of(experiment))
    if (is_host_wide(setting)) found.push_back(setting);
  return found;
}

runners::ServerBuffers server_buffers(const Experiment& experiment) {
  return experiment.server.kind == ServerKind::echo ? runners::ServerBuffers::kernel_default : runners::ServerBuffers::unknown;
}

double trial_seconds(const Experiment& experiment) {
  const auto fixed = experiment.trial.warmup + experiment.trial.measure + experiment.trial.settle;
  return std::chrono::duration<double>(fixed).count() + runners::kMarginIntervals * runners::kSeriesInterval +
         runners::kTrialOverheadSeconds;
}

}  // namespace netsettle::tuner
