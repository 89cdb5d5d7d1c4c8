#pragma once
// The server under test: its command line, how it is known to be ready, and how its own counts are read.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/model/cpu_set.hpp"
#include "datasets/model/experiment.hpp"
#include "datasets/model/search_space.hpp"
#include "datasets/model/trial.hpp"

namespace netsettle::runners {

struct ServerTarget {
  std::string address;       // numeric address to bind
  std::vector<CpuId> cpus;   // worker i is pinned to the (i mod n)-th
  std::string echo_program;  // path of netsettle-echo
  std::string folder;        // of the experiment file
};

class Server {
 public:
  virtual ~Server() = default;
  virtual Expected<std::vector<std::string>> command_line(const ServerSection& server, const ServerTarget& target) const = 0;
  /// From what it wrote until its exit; absent where the server has no counts of its own.
  virtual std::optional<ServerReport> parse(std::string_view standard_output) const = 0;
};

std::unique_ptr<Server> make_server(ServerKind kind);

/// The first server.cores ("all" or a number) of the CPUs, in their order. invalid_input where there are fewer.
Expected<std::vector<CpuId>> usable_cpus(const std::string& cores, const std::vector<CpuId>& cpus);

/// The server section with server.* and memory.policy of a configuration put in ("server.processes" → "4"). invalid_input.
Expected<ServerSection> with_settings(ServerSection server, const std::map<std::string, std::string>& settings);
/// The values that server.*, memory.policy and load.* settings have in the file, for as-found.
AsFoundValues values_of(const ServerSection& server, const LoadSection& load);

}  // namespace netsettle::runners
