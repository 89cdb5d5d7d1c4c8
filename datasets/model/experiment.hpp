#pragma once
// The parsed experiment file: everything a study needs, typed. Built by experiment_file.hpp; nothing after it is text.

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/model/configuration.hpp"
#include "datasets/model/expression.hpp"
#include "datasets/model/parameter.hpp"

namespace netsettle {

using Microseconds = std::chrono::microseconds;

enum class RigKind { namespaces, loopback, hosts, external };
enum class ServerKind { echo, command };
enum class SourcePorts { per_block, fixed, random };
enum class StrategyKind { automatic, sweep, random, one_at_a_time, screening, local, cma_es, bayesian, manual };
enum class AddressFamily { ipv4, ipv6 };
/// What is done about a running irqbalance.
enum class IrqbalancePolicy { ignore, ban, stop, require_off };

std::string_view to_text(RigKind kind);
std::string_view to_text(ServerKind kind);
std::string_view to_text(SourcePorts ports);
std::string_view to_text(StrategyKind kind);
std::string_view to_text(AddressFamily family);
std::string_view to_text(IrqbalancePolicy policy);

struct StudySection {
  std::string name;
  std::uint64_t seed = 1;
};

/// One machine of a rig of kind hosts.
struct RigMachine {
  std::string host = "local";  // or "ssh:NAME", as the ssh client takes it
  std::string interface;       // on the network under test
  std::string test_address;    // numeric; of the server: where the queries go
  std::string ssh_config;      // absolute path of a configuration for ssh (-F); empty: the user's own
};

struct RigSection {
  RigKind kind = RigKind::namespaces;
  std::string reserved_cpus = "auto";  // of the server's machine, for netsettle itself: auto, none, or a CPU list
  RigMachine server, client;  // kind hosts
};

struct ServerSection {
  ServerKind kind = ServerKind::echo;
  int port = 5300;
  std::string io_model = "blocking";
  int processes = 1;
  int threads = 1;
  std::string cores = "all";         // "all" or a number of CPUs
  std::string placement = "spread";  // a CPU list, or a word of placement_words()
  std::string memory = "default";    // where its memory comes from: a word of memory_words(), or node:N; settable as memory.policy
  std::string sockets = "shared";    // shared | reuseport | reuseport-cpu
  int batch = 32;                    // datagrams a call, for the models that can
  std::int64_t receive_buffer = 0;   // bytes asked for by SO_RCVBUF; 0: the kernel's default
  std::int64_t send_buffer = 0;
  Microseconds busy_poll{0};      // SO_BUSY_POLL; 0: off
  std::vector<std::string> argv;  // kind command
  Microseconds ready_timeout{5'000'000};
};

struct LoadSection {
  std::string kind = "dnsperf";
  AddressFamily family = AddressFamily::ipv4;
  std::string queries;    // absolute path of the query file
  int clients = 8;        // dnsperf -c
  int outstanding = 500;  // dnsperf -q
  int threads = 1;        // dnsperf -T
  int instances = 1;
  std::string cpus = "auto";  // auto, or what parse_cpu_place() takes
  SourcePorts source_ports = SourcePorts::per_block;
  Microseconds timeout{1'000'000};
  std::vector<std::string> accept = {"NOERROR", "NXDOMAIN"};
  std::vector<std::string> arguments;
  std::optional<double> rate;                 // queries per second, all instances: an open loop; absent: as fast as the window allows
  std::string tsig_key_file;                  // absolute path; its content is never recorded
  std::vector<std::string> argv;              // kind command
  std::map<std::string, std::string> result;  // kind command: sent, completed, lost, qps, seconds → JSON pointer (RFC 6901)
};

struct TrialSection {
  Microseconds warmup{2'000'000};
  Microseconds measure{30'000'000};
  Microseconds settle{500'000};
  int attempts = 2;
};

struct ObjectiveSection {
  std::string maximize = "qps";  // a metric name whose better direction is "higher"
  std::vector<Expression> subject_to;
  double min_effect = 0.01;  // relative
};

struct SearchSection {
  StrategyKind strategy = StrategyKind::automatic;
  int repeats = 10;  // sweep: trials of each configuration
  std::vector<Configuration> start;
};

struct BudgetSection {
  std::optional<int> trials;
  std::optional<std::string> until;   // "06:30": the next such local time after the study first starts
  std::optional<std::string> window;  // "22:00-06:30"
};

struct SafetySection {
  IrqbalancePolicy irqbalance = IrqbalancePolicy::ignore;
  std::vector<Expression> abort_if;
  bool allow_link_reset = false;  // settings that reset the link, on the interface that carries the user's own login
};

struct NotifySection {
  std::vector<std::string> command;
};

struct Experiment {
  int schema = 1;
  StudySection study;
  RigSection rig;
  ServerSection server;
  LoadSection load;
  TrialSection trial;
  ObjectiveSection objective;
  std::vector<Parameter> parameters;  // in the order of the file
  std::vector<Expression> require;
  SearchSection search;
  BudgetSection budget;
  SafetySection safety;
  NotifySection notify;
  std::string file;  // where it came from
  std::string text;  // the file's bytes, with --set overrides appended as comments
};

/// What makes two studies the same experiment: everything but study.name, [budget], [notify] and [safety], canonical.
std::string experiment_hash(const Experiment& experiment);

}  // namespace netsettle
