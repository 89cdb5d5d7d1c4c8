#pragma once
// What one configuration makes of server and load before anything is started: their sections, their CPUs, the server's memory policy. Reads
// nothing and changes nothing.

#include <vector>

#include "runners/trial/trial.hpp"

namespace netsettle::runners {

struct TrialParts {
  ServerSection server;
  LoadSection load;
  std::vector<CpuId> server_cpus;  // that the server may use
  std::vector<CpuId> used_cpus;    // the first server.cores of them
  CpuSet load_cpus;     // follow the experiment file alone, so that they are the same in all trials; empty: left to its scheduler
  MemoryPolicy memory;  // inherited where neither the configuration nor the file says anything
};

/// Failures: those of the settings' values and of placement.hpp and server_memory.hpp; the subject is the setting or key.
Expected<TrialParts> parts_of(const TrialSetup& setup, const TrialRequest& request);

}  // namespace netsettle::runners
