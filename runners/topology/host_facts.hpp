#pragma once
// What identifies the machine a study ran on: compared at resume, written into the bundle's manifest.

#include <map>
#include <string>

#include "runners/hosts/host.hpp"
#include "runners/topology/topology.hpp"

namespace netsettle::runners {

/// Fact name → text, of what exists: kernel_release, kernel_version, architecture, cpu_model, hypervisor, cpus_online, cpus_allowed, cores,
/// packages, nodes, ram_bytes, boot_id, clocksource, governor, irqbalance ("running" or "not running").
using HostFacts = std::map<std::string, std::string>;
HostFacts read_host_facts(Host& host, const Topology& topology);

/// The version line of a program ("DNS Performance Testing Tool Version 2.10.0"), and where it was found; nullopt where it is missing.
std::optional<std::string> program_version(Host& host, const std::vector<std::string>& argv);

/// SHA-256 over the facts that make a machine another one: architecture, cpu_model, cpus_online, cores, packages, nodes.
std::string fingerprint(const HostFacts& facts);

/// Identifies this boot, for the session row.
std::string boot_id(Host& host);

}  // namespace netsettle::runners
