#include "datasets/model/experiment.hpp"

#include "datasets/model/canonical_lines.hpp"
#include "datasets/model/experiment_difference.hpp"

namespace netsettle {
namespace {

void add_machines(CanonicalLines& text, const RigSection& rig) {
  for (const auto& [role, machine] : {std::pair("server", &rig.server), std::pair("client", &rig.client)}) {
    text.add(std::string("rig.") + role + ".host", machine->host);
    text.add(std::string("rig.") + role + ".interface", machine->interface);
    text.add(std::string("rig.") + role + ".test_address", machine->test_address);
  }
}

void add_server(CanonicalLines& text, const ServerSection& server) {
  text.add("server.kind", to_text(server.kind));
  text.add("server.port", server.port);
  text.add("server.io_model", server.io_model);
  text.add("server.processes", server.processes);
  text.add("server.threads", server.threads);
  text.add("server.cores", server.cores);
  text.add("server.placement", server.placement);
  text.add("server.sockets", server.sockets);
  // Keys that came later count only where they say something: older records keep their hash.
  const ServerSection usual;
  if (server.memory != usual.memory) text.add("server.memory", server.memory);
  if (server.batch != usual.batch) text.add("server.batch", server.batch);
  if (server.receive_buffer != usual.receive_buffer) text.add("server.receive_buffer", server.receive_buffer);
  if (server.send_buffer != usual.send_buffer) text.add("server.send_buffer", server.send_buffer);
  if (server.busy_poll != usual.busy_poll) text.add("server.busy_poll", server.busy_poll);
  text.add("server.argv", server.argv);
  text.add("server.ready_timeout", server.ready_timeout);
}

void add_load(CanonicalLines& text, const LoadSection& load) {
  text.add("load.kind", load.kind);
  text.add("load.family", to_text(load.family));
  text.add("load.queries", load.queries);
  text.add("load.clients", load.clients);
  text.add("load.outstanding", load.outstanding);
  text.add("load.threads", load.threads);
  text.add("load.instances", load.instances);
  text.add("load.cpus", load.cpus);
  text.add("load.source_ports", to_text(load.source_ports));
  text.add("load.timeout", load.timeout);
  text.add("load.accept", load.accept);
  text.add("load.arguments", load.arguments);
  if (load.rate) text.add("load.rate", *load.rate);
  if (!load.tsig_key_file.empty()) text.add("load.tsig_key_file", load.tsig_key_file);
  if (!load.argv.empty()) text.add("load.argv", load.argv);
  for (const auto& [count, pointer] : load.result) text.add("load.result." + count, pointer);
}

void add_trial(CanonicalLines& text, const TrialSection& trial) {
  text.add("trial.warmup", trial.warmup);
  text.add("trial.measure", trial.measure);
  text.add("trial.settle", trial.settle);
  text.add("trial.attempts", trial.attempts);
}

void add_parameter(CanonicalLines& text, const Parameter& parameter) {
  text.add("parameter", parameter.name);
  text.add("sets", parameter.sets);
  text.add("type", to_text(parameter.type));
  text.add("low", parameter.low);
  text.add("high", parameter.high);
  if (parameter.step) text.add("step", *parameter.step);
  text.add("scale", to_text(parameter.scale));
  text.add("values", parameter.values);
  text.add("special", parameter.special);
  text.add("when", parameter.when);
  for (const auto& [setting, expression] : parameter.with) {
    text.add("with", setting);
    text.add("is", expression.text());
  }
  text.add("optional", parameter.optional);
  text.add("keep", parameter.keep);
  if (parameter.default_value) text.add("default", std::vector{*parameter.default_value});
}

}  // namespace

std::string experiment_hash(const Experiment& experiment) { return sha256_hex(canonical_text(experiment)); }

std::string canonical_text(const Experiment& experiment) {
  CanonicalLines text;
  text.add("schema", experiment.schema);
  text.add("study.seed", experiment.study.seed);
  text.add("rig.kind", to_text(experiment.rig.kind));
  if (experiment.rig.kind == RigKind::hosts) add_machines(text, experiment.rig);
  if (experiment.rig.reserved_cpus != RigSection().reserved_cpus) text.add("rig.reserved_cpus", experiment.rig.reserved_cpus);
  add_server(text, experiment.server);
  add_load(text, experiment.load);
  add_trial(text, experiment.trial);
  text.add("objective.maximize", experiment.objective.maximize);
  text.add("objective.subject_to", experiment.objective.subject_to);
  text.add("objective.min_effect", experiment.objective.min_effect);
  for (const Parameter& parameter : experiment.parameters) add_parameter(text, parameter);
  text.add("constraints.require", experiment.require);
  text.add("search.strategy", to_text(experiment.search.strategy));
  text.add("search.repeats", experiment.search.repeats);
  for (const Configuration& start : experiment.search.start) text.add("search.start", canonical_text(start));
  return text.text();
}

}  // namespace netsettle
