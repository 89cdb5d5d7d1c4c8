#pragma once
// Short experiment files for tests of the real program.

#include <string>

namespace netsettle::tests {

/// Two host-wide settings, RPS and the number of processes, in namespaces; a trial takes about a second.
inline std::string short_study(const std::string& name, int trials) {
  return R"(schema = 1
[study]
name = ")" +
         name + R"("
seed = 7
[rig]
kind = "namespaces"
[load]
queries = ")" NETSETTLE_SOURCE_DIR R"(/datasets/queries/mixed-1k.txt"
clients = 4
outstanding = 50
[trial]
warmup = "200ms"
measure = "400ms"
settle = "20ms"
[parameters.processes]
sets = "server.processes"
type = "integer"
range = [1, 2]
[parameters.rmem]
sets = ["sysctl.net.core.rmem_max", "sysctl.net.core.rmem_default"]
type = "bytes"
range = ["256KiB", "8MiB"]
scale = "log"
[parameters.backlog]
sets = "sysctl.net.core.netdev_max_backlog"
type = "integer"
range = [2000, 60000]
scale = "log"
[parameters.rps_cpus]
sets = "queues.rps.count"
type = "integer"
range = [0, "cpus"]
[search]
strategy = "random"
[budget]
trials = )" +
         std::to_string(trials) + "\n";
}

/// A sweep over one or two processes on loopback, which needs no root.
inline std::string loopback_study(const std::string& name) {
  return R"(schema = 1
[study]
name = ")" +
         name + R"("
[rig]
kind = "loopback"
[server]
port = 15300
[load]
queries = "queries.txt"
clients = 4
outstanding = 50
[trial]
warmup = "200ms"
measure = "400ms"
settle = "20ms"
[parameters.processes]
sets = "server.processes"
type = "integer"
range = [1, 2]
[search]
strategy = "sweep"
repeats = 2
)";
}

}  // namespace netsettle::tests
