// The stable texts of the model's enumerations, as files, records and --json have them.

#include "datasets/model/decision.hpp"
#include "datasets/model/experiment.hpp"
#include "datasets/model/trial.hpp"

namespace netsettle {

std::string_view to_text(ParameterType type) {
  switch (type) {
    case ParameterType::integer:
      return "integer";
    case ParameterType::real:
      return "real";
    case ParameterType::bytes:
      return "bytes";
    case ParameterType::duration:
      return "duration";
    case ParameterType::boolean:
      return "boolean";
    case ParameterType::categorical:
      return "categorical";
    case ParameterType::cpus:
      return "cpus";
  }
  return "";
}

std::string_view to_text(Scale scale) { return scale == Scale::linear ? "linear" : "log"; }

std::string_view to_text(IrqbalancePolicy policy) {
  switch (policy) {
    case IrqbalancePolicy::ignore:
      return "ignore";
    case IrqbalancePolicy::ban:
      return "ban";
    case IrqbalancePolicy::stop:
      return "stop";
    case IrqbalancePolicy::require_off:
      return "require-off";
  }
  return "";
}

std::string_view to_text(RigKind kind) {
  switch (kind) {
    case RigKind::namespaces:
      return "namespaces";
    case RigKind::loopback:
      return "loopback";
    case RigKind::hosts:
      return "hosts";
    case RigKind::external:
      return "external";
  }
  return "";
}

std::string_view to_text(ServerKind kind) { return kind == ServerKind::echo ? "echo" : "command"; }

std::string_view to_text(SourcePorts ports) {
  switch (ports) {
    case SourcePorts::per_block:
      return "per-block";
    case SourcePorts::fixed:
      return "fixed";
    case SourcePorts::random:
      return "random";
  }
  return "";
}

std::string_view to_text(StrategyKind kind) {
  switch (kind) {
    case StrategyKind::automatic:
      return "auto";
    case StrategyKind::sweep:
      return "sweep";
    case StrategyKind::random:
      return "random";
    case StrategyKind::one_at_a_time:
      return "one-at-a-time";
    case StrategyKind::screening:
      return "screening";
    case StrategyKind::local:
      return "local";
    case StrategyKind::cma_es:
      return "cma-es";
    case StrategyKind::bayesian:
      return "bayesian";
    case StrategyKind::manual:
      return "manual";
  }
  return "";
}

std::string_view to_text(AddressFamily family) { return family == AddressFamily::ipv4 ? "ipv4" : "ipv6"; }

std::string_view to_text(Purpose purpose) {
  switch (purpose) {
    case Purpose::pilot:
      return "pilot";
    case Purpose::baseline:
      return "baseline";
    case Purpose::search:
      return "search";
    case Purpose::confirm:
      return "confirm";
    case Purpose::simplify:
      return "simplify";
    case Purpose::manual:
      return "manual";
    case Purpose::profile:
      return "profile";
  }
  return "";
}

std::string_view to_text(TrialState state) {
  switch (state) {
    case TrialState::planned:
      return "planned";
    case TrialState::applying:
      return "applying";
    case TrialState::warmup:
      return "warmup";
    case TrialState::measuring:
      return "measuring";
    case TrialState::done:
      return "done";
    case TrialState::failed:
      return "failed";
    case TrialState::interrupted:
      return "interrupted";
  }
  return "";
}

std::string_view to_text(Outcome outcome) {
  switch (outcome) {
    case Outcome::measured:
      return "measured";
    case Outcome::failed:
      return "failed";
    case Outcome::invalid:
      return "invalid";
  }
  return "";
}

std::string_view to_text(SettingStatus status) {
  switch (status) {
    case SettingStatus::ok:
      return "ok";
    case SettingStatus::same:
      return "same";
    case SettingStatus::clamped:
      return "clamped";
    case SettingStatus::refused:
      return "refused";
    case SettingStatus::absent:
      return "absent";
    case SettingStatus::eperm:
      return "eperm";
    case SettingStatus::eacces:
      return "eacces";
    case SettingStatus::einval:
      return "einval";
    case SettingStatus::eio:
      return "eio";
    case SettingStatus::enospc:
      return "enospc";
    case SettingStatus::eoverflow:
      return "eoverflow";
    case SettingStatus::drifted:
      return "drifted";
  }
  return "";
}

std::string_view to_text(DecisionKind kind) {
  switch (kind) {
    case DecisionKind::suggest:
      return "suggest";
    case DecisionKind::promote:
      return "promote";
    case DecisionKind::eliminate:
      return "eliminate";
    case DecisionKind::unstable:
      return "unstable";
    case DecisionKind::infeasible:
      return "infeasible";
    case DecisionKind::drift:
      return "drift";
    case DecisionKind::stop:
      return "stop";
    case DecisionKind::winner:
      return "winner";
    case DecisionKind::no_improvement:
      return "no_improvement";
    case DecisionKind::cannot_tell:
      return "cannot_tell";
    case DecisionKind::pilot:
      return "pilot";
  }
  return "";
}

}  // namespace netsettle
