#pragma once
// What can be changed: from a setting's name to the files and texts that carry it, its scope and its comparator. Pure but for reading
// through Host; nothing here writes.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "datasets/model/cpu_set.hpp"
#include "datasets/model/search_space.hpp"
#include "runners/hosts/host.hpp"

namespace netsettle::runners {

enum class SettingScope { host, network_namespace, device, process };
enum class Comparator { exact, number, number_rounded_up, cpu_mask, vector };

/// One file that carries (part of) a setting.
struct SettingFile {
  std::string path;       // absolute, below /proc/sys or /sys/class/net/IF/queues
  std::string netns;      // where it is written: "" or a name below /run/netns
  Comparator comparator = Comparator::number;
};

/// Where settings act in this study: which host object writes which scope.
struct SettingContext {
  Host* host = nullptr;        // the initial namespace: host-wide sysctls
  Host* server = nullptr;      // where the server runs (the same object on loopback)
  std::string interface;       // the server's interface: "nss0", "lo"
  std::vector<CpuId> cpus;     // CPUs that queues.rps.count takes, in this order
  bool dedicated_namespace = false;  // the server's namespace was made for the study
};

/// A setting that exists here.
struct ResolvedSetting {
  std::string name;            // "sysctl.net.core.rmem_max", "queues.rps.count"
  SettingScope scope = SettingScope::host;
  std::vector<SettingFile> files;  // one for a sysctl, one per receive queue for queues.rps.count
  Value as_found;              // number, or text for vectors
  std::string unit;
};

/// Finds the setting and reads its value. Allowed: sysctl.net.core.*, sysctl.net.ipv4.* (and net.ipv6.*), queues.rps.count. A net.core sysctl
/// that is read-only or absent in the server's namespace resolves to the host's. Failures: not_found with the nearest existing
/// name where there is one, permission_denied (with what would help: "needs root"), invalid_input for names with ".." or other rooms, unsupported.
Expected<ResolvedSetting> resolve_setting(const SettingContext& context, const std::string& name);

/// The text that each file of the setting gets for a value ("2" → mask "3" for queues.rps.count).
Expected<std::vector<std::string>> texts_for(const SettingContext& context, const ResolvedSetting& setting, const std::string& value);

/// True where two texts mean the same value to this comparator ("212992\n" and "212992"; masks as sets; written 1000 read 1024 for
/// number_rounded_up).
bool equivalent(Comparator comparator, std::string_view written, std::string_view read);

/// Why the setting cannot matter in this rig (rmem_max for a server that never asks, backlog on a NAPI NIC without RPS, udp_wmem_min
/// always, …); nullopt where it can.
std::optional<std::string> inert_reason(const SettingContext& context, const std::string& name);

/// The order of safety.md 5: smaller comes first when applying.
int apply_rank(const std::string& setting);

}  // namespace netsettle::runners
