#include "runners/settings/irqbalance_setting.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "runners/settings/families.hpp"
#include "runners/settings/file_entry.hpp"
#include "runners/settings/interrupt_settings.hpp"

namespace netsettle::runners {
namespace {

constexpr IrqbalanceMode kModes[] = {IrqbalanceMode::running, IrqbalanceMode::banned, IrqbalanceMode::stopped};

Expected<ProcessIdentity> daemon_of(const SettingContext& context) {
  NETSETTLE_ASSIGN(const auto daemon, find_irqbalance(*context.host));
  if (!daemon)
    return fail(ErrorCode::unsupported, kIrqbalanceSetting,
                "irqbalance does not run here: start it (systemctl start irqbalance) to compare");
  return *daemon;
}

/// Only what was found can be given back, so a daemon that somebody else has stopped or told to leave these interrupts alone stays so.
std::vector<std::string> words_from(IrqbalanceMode found) {
  std::vector<std::string> words;
  for (const IrqbalanceMode mode : kModes)
    if (found == IrqbalanceMode::running || mode == found || (found == IrqbalanceMode::banned && mode == IrqbalanceMode::stopped))
      words.emplace_back(to_text(mode));
  return words;
}

Expected<ResolvedSetting> find_daemon(const SettingContext& context, const std::string& name) {
  NETSETTLE_ASSIGN(const ProcessIdentity daemon, daemon_of(context));
  NETSETTLE_ASSIGN(const IrqSet irqs, irqs_of(context));
  const auto mode = mode_of(daemon, irqs);
  if (!mode) return std::unexpected(Error{mode.error().code, name, to_text(mode.error()), mode.error().errno_value});
  ResolvedSetting setting;
  setting.scope = SettingScope::host;
  setting.as_found = std::string(to_text(*mode));
  setting.words = words_from(*mode);
  if (*mode != IrqbalanceMode::running) setting.bound_by = fmt::format("somebody else has it {}", to_text(*mode));
  return setting;
}

/// None: no file carries it.
Expected<Texts> no_texts(const SettingContext&, const ResolvedSetting& setting, const std::string& value) {
  if (std::ranges::find(setting.words, value) != setting.words.end()) return Texts{};
  if (setting.bound_by.empty()) return not_a("running, banned or stopped", setting.name, value);
  return fail(ErrorCode::invalid_input, setting.name, fmt::format("cannot be '{}' here: {}", value, setting.bound_by));
}

Value found_mode(const ResolvedSetting& setting, const Texts&) { return setting.as_found; }
Value present_mode(const SettingContext&, const ResolvedSetting& setting, const Texts&) { return setting.as_found; }

}  // namespace

std::string_view to_text(IrqbalanceMode mode) {
  switch (mode) {
    case IrqbalanceMode::running:
      return "running";
    case IrqbalanceMode::banned:
      return "banned";
    case IrqbalanceMode::stopped:
      return "stopped";
  }
  return "";
}

Expected<IrqbalanceMode> mode_of(const ProcessIdentity& daemon, const IrqSet& irqs, const IrqbalanceTalk& talk) {
  if (is_stopped(daemon)) return IrqbalanceMode::stopped;
  NETSETTLE_ASSIGN(const IrqbalanceSetup setup, ask_irqbalance(daemon, talk));
  const bool leaves_all = !irqs.empty() && std::ranges::includes(setup.banned_irqs, irqs);
  return leaves_all ? IrqbalanceMode::banned : IrqbalanceMode::running;
}

Expected<IrqSet> irqs_of(const SettingContext& context) {
  NETSETTLE_ASSIGN(const auto interrupts, queue_interrupts(context, kIrqbalanceSetting));
  IrqSet irqs;
  for (const auto& interrupt : interrupts) irqs.insert(interrupt.irq);
  return irqs;
}

Expected<void> IrqbalanceFactor::bring_to(const SettingContext& context, AppliedSetting& row) {
  NETSETTLE_ASSIGN(const ProcessIdentity daemon, daemon_of(context));
  NETSETTLE_ASSIGN(const IrqSet irqs, irqs_of(context));
  NETSETTLE_ASSIGN(const IrqbalanceMode before, mode_of(daemon, irqs));
  row.before = row.effective = to_text(before);
  const auto wanted = std::ranges::find(kModes, row.requested, [](IrqbalanceMode mode) { return to_text(mode); });
  const IrqbalanceMode mode = wanted == std::end(kModes) ? IrqbalanceMode::running : *wanted;
  in_force_ = in_force_ || !lets_go(row.requested);
  NETSETTLE_TRY(control_.bring(daemon, mode, irqs));
  if (lets_go(row.requested)) in_force_ = false;
  NETSETTLE_ASSIGN(const IrqbalanceMode now, mode_of(daemon, irqs));
  row.effective = to_text(now);
  row.status = now == before ? SettingStatus::same : SettingStatus::ok;
  if (row.requested == "as-found" || now == mode) return {};
  return fail(ErrorCode::refused, kIrqbalanceSetting, fmt::format("is {} after it was told to be {}", to_text(now), row.requested));
}

AppliedSetting IrqbalanceFactor::bring(const SettingContext& context, const std::string& requested) {
  AppliedSetting row{.setting = kIrqbalanceSetting, .target = "irqbalance", .requested = requested};
  if (const auto brought = bring_to(context, row); !brought) {
    row.status = brought.error().code == ErrorCode::conflict ? SettingStatus::drifted : status_of(brought.error());
    row.errno_value = brought.error().errno_value;
  }
  row.files = {{row.target, "", row.before, row.effective}};
  return row;
}

Family irqbalance_setting() { return {kIrqbalanceSetting, find_daemon, no_texts, present_mode, found_mode}; }

}  // namespace netsettle::runners
