#pragma once
// interrupts.*: which CPUs take the interrupts of an interface's queues. count, node and map say it together, so they are one setting to
// the guard (kInterruptSpread). Private to this folder.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "runners/settings/catalogue.hpp"

namespace netsettle::runners {

/// What the guard manages in place of interrupts.count, .node and .map.
inline constexpr const char* kInterruptSpread = "interrupts.spread";

/// interrupts.count where the place has fewer CPUs than were asked for, so that all of them take the interrupts.
bool has_too_few_cpus(const std::string& name, const std::string& requested, const std::string& effective);

bool is_interrupt_setting(const std::string& name);

/// The same settings with those of interrupts.* as one: "count=4 node=local", "map=0 1 2 3", "as-found".
std::map<std::string, std::string> with_one_spread(const std::map<std::string, std::string>& wanted);

/// resolve_setting for a name as with_one_spread gives it.
Expected<ResolvedSetting> resolve_managed(const SettingContext& context, const std::string& name);

/// One interrupt of a queue.
struct QueueInterrupt {
  int irq = 0;
  int queue = 0;  // 0, 1, …: its place among the interface's queues
};
/// Those of the context's interface, sorted by queue. unsupported where it has none, with the reason.
Expected<std::vector<QueueInterrupt>> queue_interrupts(const SettingContext& context, const std::string& name);

/// How often each interrupt has come, on all CPUs together. Empty where /proc/interrupts cannot be read.
std::map<int, std::uint64_t> interrupt_totals(Host& host);

/// Interrupts that came since `before` was read although they now run on a CPU outside their list: the kernel does not obey. An interrupt
/// that has come a few times only since then may be pending, which is no fault.
std::vector<int> astray(Host& host, const ResolvedSetting& spread, const std::map<int, std::uint64_t>& before);

}  // namespace netsettle::runners
