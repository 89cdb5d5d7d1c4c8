#pragma once
// A configuration as files that install it on another machine and take it back: sysctl.d, shell scripts, a manifest, a page for people.
// Pure: input → texts. It writes no file, reads no record and applies nothing; the scripts are run by the administrator of the target.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "datasets/model/configuration.hpp"
#include "datasets/model/error.hpp"
#include "datasets/model/experiment.hpp"
#include "strategies/racing/next_step.hpp"

namespace netsettle::tuner {

/// Whom a setting affects: the whole machine, a network namespace, an interface.
enum class BundleScope { host, network_namespace, device };
std::string_view to_text(BundleScope scope);

/// One kernel file that carries (part of) a setting.
struct BundleFile {
  std::string path;      // "/proc/sys/net/core/rmem_max", "/sys/class/net/nss0/queues/rx-0/rps_cpus", "ethtool -k eth0 gro", "irqbalance"
  std::string value;     // the text that the winner wrote
  std::string as_found;  // the text before
};

struct BundleSetting {
  std::string name;   // "sysctl.net.core.rmem_max", "queues.rps.count"
  std::string value;  // as the configuration has it: "4194304", "2"
  BundleScope scope = BundleScope::host;
  std::vector<BundleFile> files;
};

/// Why anybody should believe in it.
struct BundleEvidence {
  strategies::VerdictKind verdict = strategies::VerdictKind::cannot_tell;
  std::string statement;                         // the verdict sentence
  std::optional<strategies::Interval95> effect;  // relative to the baseline, fresh confirmation blocks only
  int blocks = 0;                                // complete confirmation blocks
  int n = 0;                                     // measured trials of the configuration
  int baseline_n = 0;                            // measured trials of the baseline
  std::optional<double> alpha;
  std::string method;  // "paired-t-log"
};

struct BundleWorkload {
  std::string query_file;    // its name without folders
  std::string query_sha256;  // of its bytes
  int clients = 0;
  int outstanding = 0;
};

struct BundleInput {
  std::string study;
  std::int64_t created_us = 0;  // UTC
  std::string tool_version;
  std::int64_t configuration_id = 0;
  Configuration configuration;
  std::vector<BundleSetting> settings;               // in the order in which they are written; without server.*, memory.* and load.*
  std::map<std::string, std::string> server_values;  // "server.processes" → "2": for the server's own configuration
  BundleEvidence evidence;
  RigKind rig = RigKind::namespaces;
  BundleWorkload workload;
  std::string host_facts_json = "{}";
  bool laboratory_only = true;  // found in namespaces or on loopback
};

/// "STUDY-20261130T063000Z-c7": names the receipt folder. Characters other than letters, digits, '-' and '_' of the study become '-'.
std::string bundle_id(const BundleInput& input);

/// File name → content: 99-zz-netsettle-STUDY.conf, apply.sh, revert.sh (both to be made executable), manifest.json, README.md, and where
/// there is more than sysctls a systemd unit that runs apply.sh at boot. Values that are those found are left out. Interfaces are named by
/// the administrator of the target, and interrupts by the order of their queues. Failures: invalid_input for a value or path that cannot
/// be written safely (control characters, a path outside the folders of settings), or host facts that are no JSON; unsupported for a
/// setting that no file of the bundle can carry.
Expected<std::map<std::string, std::string>> render_bundle(const BundleInput& input);

}  // namespace netsettle::tuner
