#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "strategies/validity/checks.hpp"

namespace netsettle::strategies {
namespace {

constexpr double kClockStep = 0.05;  // seconds
constexpr double kStealPercent = 10;
constexpr double kLeastMemoryPercent = 5;
constexpr double kMemoryStallPercent = 10;
constexpr double kOtherCpus = 0.3;        // CPUs' worth of time that others may use
constexpr double kShortestAccount_s = 1;  // ticks of 10 ms make shorter accounts too coarse

bool is_refusal(SettingStatus status) {
  return status != SettingStatus::ok && status != SettingStatus::same && status != SettingStatus::clamped &&
         status != SettingStatus::drifted;
}

void check_strays(const std::optional<ProcessUse>& use, std::string_view program, Findings& findings) {
  if (use && !use->strays.empty())
    findings.invalid("affinity-moved", fmt::format("{} tasks of the {} were not where they had been put: {}", use->strays.size(), program,
                                                   use->strays.front()));
}

}  // namespace

void check_settings(const TrialEvidence& evidence, Findings& findings) {
  for (const AppliedSetting& applied : evidence.applied) {
    if (is_refusal(applied.status))
      findings.failed("setting-refused",
                      fmt::format("{} = {} was refused ({})", applied.setting, applied.requested, to_text(applied.status)));
    else if (applied.status == SettingStatus::clamped)
      findings.note("setting-clamped",
                    fmt::format("{} is {}, not {}: the kernel took its own limit", applied.setting, applied.effective, applied.requested));
  }
}

void check_drift(const TrialEvidence& evidence, Findings& findings) {
  if (!evidence.drifted.empty())
    findings.invalid("setting-drift", fmt::format("settings did not stay as they were made: {}", fmt::join(evidence.drifted, ", ")));
  check_strays(evidence.server_use, "server", findings);
  if (evidence.server && evidence.server->unpinned > 0)
    findings.invalid("affinity-moved",
                     fmt::format("{} tasks of the server were not on the CPU they had been given", evidence.server->unpinned));
  check_strays(evidence.load_use, "load", findings);
  const auto changes = [](const LinkDeltas& link) { return link.carrier_changes.value_or(0); };
  if (const auto count = changes(evidence.counters.server_link) + changes(evidence.counters.client_link); count > 0)
    findings.invalid("link-changed", fmt::format("the link went down or up {} times during the load", count));
}

void check_machine(const TrialEvidence& evidence, Findings& findings) {
  if (std::abs(evidence.clock_step_s) > kClockStep)
    findings.invalid("clock-step", fmt::format("the clock was set by {:.0f} ms during the load", evidence.clock_step_s * 1e3));
  const CounterDeltas& counters = evidence.counters;
  if (counters.memory_available_percent && *counters.memory_available_percent < kLeastMemoryPercent)
    findings.invalid("memory-pressure", fmt::format("only {:.1f} % of the memory was available", *counters.memory_available_percent));
  else if (counters.memory_stall_percent && *counters.memory_stall_percent > kMemoryStallPercent)
    findings.invalid("memory-pressure", fmt::format("programs waited for memory in {:.0f} % of the time", *counters.memory_stall_percent));
  if (counters.throttles && *counters.throttles > 0)
    findings.invalid("throttled", fmt::format("CPUs were slowed down {} times because they were too hot", *counters.throttles));
  if (counters.steal_percent && *counters.steal_percent > kStealPercent)
    findings.suspect("steal-jump", fmt::format("the hypervisor gave {:.0f} % of the CPU time to others", *counters.steal_percent));
}

void check_company(const TrialEvidence& evidence, Findings& findings) {
  const CounterDeltas& counters = evidence.counters;
  const auto cpus = static_cast<double>(counters.idle_by_cpu.size());
  if (!counters.idle_percent || !counters.softirq_percent || !evidence.server_use || !evidence.load_use || cpus == 0) return;
  if (evidence.load_s < kShortestAccount_s) return;
  const double busy = (100 - *counters.idle_percent - *counters.softirq_percent - counters.steal_percent.value_or(0)) / 100 * cpus;
  const double ours = (evidence.server_use->cpu_seconds + evidence.load_use->cpu_seconds) / evidence.load_s;
  if (busy - ours > kOtherCpus)
    findings.suspect("crowded",
                     fmt::format("other programs used {:.1f} CPUs' worth of time during the load: stop them, or measure when the "
                                 "machine is idle",
                                 busy - ours));
}

}  // namespace netsettle::strategies
