#pragma once
// What is known of one run of a load generator beside its output: how it was started, how it ended, what counts as an answer.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/model/error.hpp"

namespace netsettle::runners {

struct RunFacts {
  std::optional<std::string> id;
  std::vector<std::string> argv;  // empty: unknown
  std::optional<std::int64_t> exit_code;
  std::optional<std::string> exit_signal;  // "SIGTERM"
  std::optional<double> wall_s;
  std::vector<std::string> accepted_rcodes = {"NOERROR"};
  std::map<std::string, std::int64_t> udp_deltas;  // differences of /proc/net/snmp over the run, by name; empty: unknown
};

/// A JSON object with id, argv, exit {code, signal}, wall_s, accepted_rcodes, snmp_udp_delta; each may be missing, others are passed over.
/// invalid_input with `subject` where it is no such object or a value has the wrong type.
Expected<RunFacts> read_run_facts(std::string_view json, const std::string& subject);

/// "Is this output a result that may be used?", of one output by itself.
struct OutputVerdict {
  std::string status;  // usable, unusable (there is a result that must not be used), failed (there is none)
  std::vector<std::string> reasons;
  std::vector<std::string> notes;
  std::vector<std::string> reasons_with_counters;  // that need the kernel's counters as well
};

/// KILLED_BY_SIGNAL, EXIT_NONZERO: the first reasons of `failed`.
std::vector<std::string> exit_reasons(const RunFacts& run);

/// "failed" where there are failures, else "unusable" or "usable".
OutputVerdict verdict_of(std::vector<std::string> failures, std::vector<std::string> reasons, std::vector<std::string> notes);

}  // namespace netsettle::runners
