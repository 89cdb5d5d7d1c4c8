#pragma once
// What can be changed: from a setting's name to the files and texts that carry it, its scope and its comparator. Pure but for reading
// through Host; nothing here writes. catalogue_rows.cpp is the catalogue as data, *_settings.cpp are its kinds, values.cpp compares and
// renders, rules.cpp knows orders and inert ones.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "datasets/model/cpu_set.hpp"
#include "datasets/model/value.hpp"
#include "runners/hosts/host.hpp"

namespace netsettle::runners {

enum class SettingScope { host, network_namespace, device, process };
enum class Comparator { exact, number, number_rounded_up, cpu_mask, vector, cpu_list };
enum class TakesEffect {
  at_once,
  new_sockets,  // the server must be started anew, which every trial does
  new_devices,  // not on an interface that exists already
};

/// Whether a running irqbalance moves interrupts: SettingsGuard carries it out, no file does.
inline constexpr const char* kIrqbalanceSetting = "actors.irqbalance";

/// One file that carries (part of) a setting, or "ethtool -k eth0 gro" (carrier.hpp).
struct SettingFile {
  std::string path;   // absolute, below /proc/sys, /proc/irq, /sys/class/net/IF, /sys/devices/system/cpu or /sys/kernel/debug/sched
  std::string netns;  // where it is written: "" or a name below /run/netns
  Comparator comparator = Comparator::number;
  int part = 0;  // of an interrupt: its queue; of an idle state: its depth
};

/// Where the server's sockets get their buffer sizes from.
enum class ServerBuffers {
  unknown,         // a server that netsettle does not know
  kernel_default,  // it never asks (netsettle-echo): *mem_default counts, *mem_max does not
  asked_for,       // SO_RCVBUF, SO_SNDBUF: *mem_max counts, *mem_default does not
};

/// What may reset the link of an interface that carries the user's own login or a default route (link_gate.hpp).
struct LinkResets {
  bool allowed = false;              // [safety] allow_link_reset
  std::string login_here, login_of;  // the addresses of this machine and of the user's in SSH_CONNECTION; empty: no login over ssh
};
/// From the text of SSH_CONNECTION ("192.0.2.7 52044 192.0.2.1 22"); no login where it is null or something else.
LinkResets link_resets(const char* ssh_connection, bool allowed);

/// Where settings act in this study: which host object writes which scope.
struct SettingContext {
  Host* host = nullptr;              // the initial namespace: host-wide sysctls
  Host* server = nullptr;            // where the server runs (the same object on loopback)
  std::string interface;             // the server's interface: "nss0", "lo"
  std::vector<CpuId> cpus;           // CPUs that queues.rps.count takes, in this order
  std::vector<CpuId> server_cpus;    // where the server runs, for interrupts.node with-server and away-from-server; empty: unknown
  bool dedicated_namespace = false;  // the server's namespace was made for the study
  ServerBuffers server_buffers = ServerBuffers::unknown;
  LinkResets link_resets;
};

/// A setting that exists here.
struct ResolvedSetting {
  std::string name;  // "sysctl.net.core.rmem_max", "queues.rps.count"
  SettingScope scope = SettingScope::host;
  std::vector<SettingFile> files;  // one for a sysctl, one per receive queue for queues.rps.count
  Value as_found;                  // number, or text for vectors and for masks that no count makes
  std::string unit;
  TakesEffect takes_effect = TakesEffect::at_once;
  std::optional<std::int64_t> smallest, largest;  // of its numbers here: from the catalogue, RAM, queues, CPUs
  std::vector<std::string> words;                 // the texts that this machine takes; empty: not known
  std::string bound_by;                           // what its bounds come from: "the interface has 4 queues"; empty: netsettle's own
  std::vector<std::string> left_out;              // files that cannot be changed, with the reason
  CpuSet local_cpus;                              // of interrupts: the CPUs of the interface's node; empty: not known
};

/// Finds the setting and reads its value. Allowed: sysctl.net.core.*, sysctl.net.ipv4.*, sysctl.net.ipv6.*, other_sysctls() and
/// machine_settings() of datasets/model. A sysctl that is read-only or absent in the server's namespace resolves to the host's. Failures:
/// not_found with the nearest existing name where there is one, permission_denied (with what would help: "needs root"), invalid_input for
/// names with ".." or other rooms, unsupported with the reason.
Expected<ResolvedSetting> resolve_setting(const SettingContext& context, const std::string& name);

/// The text that each file of the setting gets for a value ("2" → mask "3" for queues.rps.count; "true" → "1"). Numbers are written as
/// canonical decimals: the kernel reads a leading zero as octal and ignores what follows a first number. invalid_input for what is not a
/// value of the setting's kind or outside its bounds, more CPUs than there are, or a vector of another length.
Expected<std::vector<std::string>> texts_for(const SettingContext& context, const ResolvedSetting& setting, const std::string& value);

/// True where two texts mean the same value to this comparator ("212992\n" and "212992"; masks as sets; written 1000 read 1024 for
/// number_rounded_up).
bool equivalent(Comparator comparator, std::string_view written, std::string_view read);
/// One text per value, for records: numbers without white space, vectors with single spaces, masks without leading zeros. A text that does
/// not fit the comparator comes back trimmed.
std::string canonical_text(Comparator comparator, std::string_view text);

/// The value that the texts of all its files make, as in ResolvedSetting::as_found.
Value value_of(const SettingContext& context, const ResolvedSetting& setting, const std::vector<std::string>& texts);

/// Why the setting cannot matter in this rig (rmem_max for a server that never asks, backlog on a NAPI NIC without RPS, udp_wmem_min
/// always, …); nullopt where it can. `all_settings`: what the study changes.
std::optional<std::string> inert_reason(const SettingContext& context, const std::string& name,
                                        const std::vector<std::string>& all_settings);

/// The order of safety.md 5: smaller comes first when applying.
int apply_rank(const std::string& setting);

/// One change, for ordering. Numbers decide whether a buffer grows; other texts count as growing.
struct SettingChange {
  std::string setting;
  std::string from, to;  // canonical texts
};
/// By rank, then by name; a *mem_max before its *mem_default when it grows and after it when it shrinks.
std::vector<SettingChange> in_order(std::vector<SettingChange> changes);

}  // namespace netsettle::runners
