#pragma once
// What identifies the machine a study ran on, and what else its results depend on: stored with the study, compared at resume, written into
// the bundle's manifest. Short texts; long ones (packet filter, sysctls, kernel configuration) as SHA-256. No names, addresses or serial
// numbers.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runners/hosts/host.hpp"
#include "runners/topology/topology.hpp"

namespace netsettle::runners {

/// Fact name → text, of what exists. Families have a prefix: "mitigation.", "sysctl.", "nic.IF.", "cgroup.", "limit.".
using HostFacts = std::map<std::string, std::string>;
/// Reads files and asks tc, ip, nft or iptables-save, and ethtool where they exist; changes nothing.
HostFacts read_host_facts(Host& host, const Topology& topology);

/// The facts of a record, from JSON; what is no text there is left out, and a malformed record has none.
HostFacts facts_from_json(std::string_view json);

/// What a fact means for going on with a study.
enum class FactRole {
  identity,     // another value is another machine: refused
  environment,  // results before and after a change are not of the same machine state: a warning, kept in the record
  moment,       // differs from session to session: boot, uptime, load
};
FactRole role_of(const std::string& fact);

struct FactChange {
  std::string fact, before, now;  // "" where it does not exist
};
/// Facts of a role whose values differ, by name. An older record has fewer facts: what only `now` has is no change, except of the identity.
std::vector<FactChange> changed_facts(const HostFacts& before, const HostFacts& now, FactRole role);
/// "cpus_online was 0-7 and is 0-3; nodes was 2 and is unknown".
std::string to_text(const std::vector<FactChange>& changes);

/// The version line of a program ("DNS Performance Testing Tool Version 2.10.0"), and where it was found; nullopt where it is missing.
std::optional<std::string> program_version(Host& host, const std::vector<std::string>& argv);

/// SHA-256 over the facts that make a machine another one: architecture, cpu_model, cpus_online, cores, packages, nodes.
std::string fingerprint(const HostFacts& facts);

/// Identifies this boot, for the session row.
std::string boot_id(Host& host);

}  // namespace netsettle::runners
