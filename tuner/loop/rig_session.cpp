#include "tuner/loop/rig_session.hpp"

#include <fmt/format.h>

#include "runners/hosts/background.hpp"
#include "runners/topology/nic.hpp"
#include "tuner/loop/loop.hpp"

namespace netsettle::tuner {
namespace {

Expected<std::unique_ptr<runners::Rig>> make_rig(runners::Host& host, runners::SettingsGuard& guard, const Experiment& experiment) {
  if (experiment.rig.kind == RigKind::loopback) return runners::make_loopback_rig(host, experiment.load.family);
  if (experiment.rig.kind == RigKind::hosts) return runners::make_hosts_rig(host, hosts_plan(experiment.rig));
  return runners::make_namespaces_rig(host, guard, fmt::format("{}", runners::own_pid()), experiment.load.family);
}

/// The interrupts of the server's interface are the study's while it runs.
Expected<void> keep_irqbalance_away(runners::Host& host, runners::SettingsGuard& guard, const Experiment& experiment) {
  const IrqbalancePolicy policy = experiment.safety.irqbalance;
  if (policy != IrqbalancePolicy::ban && policy != IrqbalancePolicy::stop) return {};
  std::set<int> irqs;
  if (experiment.rig.kind == RigKind::hosts) {
    NETSETTLE_ASSIGN(const runners::Nic nic, runners::read_nic(host, experiment.rig.server.interface));
    for (const auto& queue : nic.irqs.queues) irqs.insert(queue.irq);
  }
  return guard.bring_irqbalance(host, policy == IrqbalancePolicy::ban ? runners::IrqbalanceMode::banned : runners::IrqbalanceMode::stopped,
                                irqs);
}

std::string load_version(const Machine& machine) {
  const auto version = machine.facts.find("load_version");
  return version == machine.facts.end() ? "" : version->second;
}

}  // namespace

std::expected<std::unique_ptr<RigSession>, Errors> RigSession::open(runners::Host& host, const Experiment& experiment,
                                                                    const Machine& machine, const SessionOptions& options) {
  std::unique_ptr<RigSession> session(new RigSession());
  const auto one = [](Error error) { return std::unexpected(Errors{std::move(error)}); };
  auto guard = runners::SettingsGuard::open({.paths = options.guard_paths,
                                             .study = experiment.study.name,
                                             .database = std::filesystem::absolute(options.database),
                                             .guard_program = options.guard_program});
  if (!guard) return one(guard.error());
  session->guard_ = std::move(*guard);
  auto rig = make_rig(host, *session->guard_, experiment);
  if (!rig) {
    session->give_back();
    return one(rig.error());
  }
  session->rig_ = std::move(*rig);
  session->context_ = {.host = &host,
                       .server = &session->rig_->server(),
                       .interface = session->rig_->interface(),
                       .cpus = machine.placement.rps,
                       .server_cpus = machine.placement.server,
                       .dedicated_namespace = session->rig_->dedicated_namespace(),
                       .server_buffers = server_buffers(experiment),
                       .link_resets = link_resets_of(experiment)};
  if (const auto kept_away = keep_irqbalance_away(host, *session->guard_, experiment); !kept_away) {
    session->give_back();
    return one(kept_away.error());
  }
  auto resolved = resolve_space(experiment, machine, session->context_);
  auto load = runners::make_load(experiment.load);
  if (!resolved || !load) {
    session->give_back();
    return resolved ? one(load.error()) : std::unexpected(std::move(resolved).error());
  }
  session->resolved_ = std::move(*resolved);
  session->load_ = std::move(*load);
  session->server_ = runners::make_server(experiment.server.kind);
  session->setup_.reset(new runners::TrialSetup{session->resolved_.experiment, host, *session->rig_, *session->guard_, session->context_,
                                                session->resolved_.managed, machine.topology, *session->server_, *session->load_,
                                                machine.echo_program, machine.query_name, machine.query_type, load_version(machine),
                                                machine.client_topology ? &*machine.client_topology : nullptr, machine.interface});
  return session;
}

runners::RestoreReport RigSession::give_back() {
  auto report = guard_->restore();
  setup_.reset();
  rig_.reset();
  return report;
}

}  // namespace netsettle::tuner
