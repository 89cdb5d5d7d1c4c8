#include "runners/settings/managed_settings.hpp"

#include <algorithm>
#include <cerrno>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "runners/settings/carrier.hpp"
#include "runners/settings/families.hpp"
#include "runners/settings/interrupt_settings.hpp"
#include "runners/settings/link_gate.hpp"
#include "runners/settings/nic_settings.hpp"
#include "runners/settings/queue_state.hpp"
#include "runners/settings/restore.hpp"
#include "runners/settings/values.hpp"

namespace netsettle::runners {
namespace {

constexpr const char* kAsFound = "as-found";

Expected<std::vector<std::string>> read_files(const SettingContext& context, const ResolvedSetting& setting) {
  std::vector<std::string> texts;
  for (const auto& file : setting.files) {
    NETSETTLE_ASSIGN(auto text, read_carrier(host_of(context, file), file.path));
    texts.push_back(std::move(text));
  }
  return texts;
}

std::string target_of(const ResolvedSetting& setting) {
  const auto& first = setting.files.front();
  const std::string others = setting.files.size() > 1 ? fmt::format(" and {} more", setting.files.size() - 1) : "";
  const std::string left_out = setting.left_out.empty() ? "" : fmt::format("; left out: {}", fmt::join(setting.left_out, ", "));
  return first.path + others + (first.netns.empty() ? "" : fmt::format(" (namespace {})", first.netns)) + left_out;
}

/// The name under which a setting is managed: those of interrupts are one.
std::string managed_name(const std::string& name) { return is_interrupt_setting(name) ? std::string(kInterruptSpread) : name; }

/// What the files' texts mean to the setting of this name, of those that are managed as one.
std::string value_text(const SettingContext& context, ResolvedSetting setting, const std::string& name,
                       const std::vector<std::string>& texts) {
  setting.name = name;
  return to_text(value_of(context, setting, texts));
}

bool is_done(SettingStatus status) {
  return status == SettingStatus::ok || status == SettingStatus::same || status == SettingStatus::clamped;
}

/// Of the files of one setting: the first failure, else clamped, else ok, else same.
SettingStatus worse(SettingStatus a, SettingStatus b) {
  const auto weight = [](SettingStatus status) {
    switch (status) {
      case SettingStatus::same:
        return 0;
      case SettingStatus::ok:
        return 1;
      case SettingStatus::clamped:
        return 2;
      default:
        return 3;
    }
  };
  return weight(b) > weight(a) ? b : a;
}

void note_failure(const Error& error, AppliedSetting& row) {
  row.status = error.code == ErrorCode::invalid_input ? SettingStatus::einval : status_of(error);
  row.errno_value = error.errno_value;
}

std::vector<AppliedFile> applied_files(const ResolvedSetting& setting, const std::vector<std::string>& before,
                                       const std::vector<std::string>& effective) {
  std::vector<AppliedFile> files;
  for (std::size_t i = 0; i < setting.files.size(); ++i) {
    const auto& [path, netns, comparator, part] = setting.files[i];
    files.push_back({path, netns, canonical_text(comparator, before[i]), canonical_text(comparator, effective[i])});
  }
  return files;
}

JournalEntry entry_of(Host& host, const std::string& setting, const SettingFile& file, const std::string& present) {
  JournalEntry fresh;
  fresh.name = handler_of(host, file.path);
  fresh.setting = setting;
  fresh.path = file.path;
  fresh.netns = file.netns;
  fresh.netns_inode = namespace_inode(file.netns);
  fresh.comparator = file.comparator;
  fresh.original = present;
  return fresh;
}

/// Of all its files, also those that the guard leaves out.
std::optional<std::string> value_as_found(const SettingContext& context, const std::string& name) {
  const auto setting = resolve_setting(context, name);
  return setting ? std::optional(to_text(setting->as_found)) : std::nullopt;
}

}  // namespace

// ---- planning ----------------------------------------------------------------------------------

Expected<ManagedSettings::Managed*> ManagedSettings::manage(const SettingContext& context, const std::string& name) {
  if (const auto known = managed_.find(name); known != managed_.end()) return &known->second;
  NETSETTLE_ASSIGN(ResolvedSetting setting, resolve_managed(context, name));
  NETSETTLE_TRY(check_free(setting));
  Managed managed{std::move(setting), {}, {}};
  for (const auto& file : managed.setting.files) managed.entries.push_back(open_entry(journal_, file.path, file.netns));
  if (name == kInterruptSpread) NETSETTLE_TRY(leave_out_kernels_own(context, managed));
  return &managed_.emplace(name, std::move(managed)).first->second;
}

Expected<void> ManagedSettings::check_free(const ResolvedSetting& setting) const {
  for (const auto& [name, other] : managed_)
    for (const auto& file : setting.files)
      if (std::ranges::any_of(other.setting.files,
                              [&](const SettingFile& own) { return own.path == file.path && own.netns == file.netns; }))
        return fail(ErrorCode::invalid_input, setting.name, fmt::format("writes {}, which {} writes too", file.path, name));
  return {};
}

Expected<void> ManagedSettings::leave_out_kernels_own(const SettingContext& context, Managed& managed) {
  const std::vector<SettingFile> files = std::exchange(managed.setting.files, {});
  managed.entries.clear();
  for (const auto& file : files) {
    Host& host = host_of(context, file);
    NETSETTLE_ASSIGN(const std::string present, host.read_file(file.path));
    auto known = open_entry(journal_, file.path, file.netns);
    const bool is_kept = known.has_value();  // by a change of channels, which takes it back
    if (!known) {
      NETSETTLE_ASSIGN(known, add_entry(host_of(context, file), managed.setting.name, file, present));
    }
    const int entry = *known;
    const SettingStatus status = write_journalled(host, journal_, entry, present, present).status;
    if (status == SettingStatus::eio || status == SettingStatus::eperm) {
      managed.setting.left_out.push_back(file.path + " (the kernel places this interrupt itself)");
      if (!is_kept) {
        NETSETTLE_TRY(journal_.set_state(entry, EntryState::closed));
      }
      continue;
    }
    managed.setting.files.push_back(file);
    managed.entries.emplace_back(entry);
  }
  if (managed.setting.files.empty())
    return fail(ErrorCode::refused, managed.setting.name, "the kernel places all of these interrupts itself");
  return {};
}

Expected<void> ManagedSettings::plan_wanted(const SettingContext& context, Step& step) {
  NETSETTLE_ASSIGN(Managed* const managed, manage(context, step.row.setting));
  if (step.row.requested == kAsFound) return plan_return(context, *managed, step);
  step.row.target = target_of(managed->setting);
  NETSETTLE_ASSIGN(step.targets, texts_for(context, managed->setting, step.row.requested));
  NETSETTLE_ASSIGN(step.present, read_files(context, managed->setting));
  step.managed = managed;
  return {};
}

/// The way back: each file to its original bytes; a file that was never written stays as it is.
Expected<void> ManagedSettings::plan_return(const SettingContext& context, Managed& managed, Step& step) const {
  step.row.target = target_of(managed.setting);
  NETSETTLE_ASSIGN(step.present, read_files(context, managed.setting));
  for (std::size_t i = 0; i < managed.entries.size(); ++i)
    step.targets.push_back(managed.entries[i] ? journal_.entry(*managed.entries[i]).original : step.present[i]);
  step.managed = &managed;
  return {};
}

std::vector<ManagedSettings::Step> ManagedSettings::plan(const SettingContext& context, const std::map<std::string, std::string>& wanted,
                                                         Stage stage) {
  const auto is_later = [stage](const std::string& name) { return is_queue_reset(name) != (stage == Stage::resets); };
  std::vector<Step> steps;
  for (const auto& [name, value] : wanted) {
    if (is_later(name)) continue;
    Step step;
    step.row.setting = name;
    step.row.requested = value;
    if (const auto planned = plan_wanted(context, step); !planned) note_failure(planned.error(), step.row);
    steps.push_back(std::move(step));
  }
  for (auto& [name, managed] : managed_) {
    if (wanted.contains(name) || is_later(name)) continue;
    Step step;
    step.row.setting = name;
    step.row.requested = kAsFound;
    if (const auto planned = plan_return(context, managed, step); !planned) note_failure(planned.error(), step.row);
    steps.push_back(std::move(step));
  }
  for (auto& step : steps)
    if (step.managed != nullptr) step.row.before = to_text(value_of(context, step.managed->setting, step.present));
  return steps;
}

// ---- carrying out ------------------------------------------------------------------------------

std::vector<AppliedSetting> ManagedSettings::apply(const SettingContext& context, const std::map<std::string, std::string>& wanted) {
  const auto managed = with_one_spread(wanted);
  std::vector<Step> steps = run(context, managed, Stage::resets);
  std::ranges::move(run(context, managed, Stage::others), std::back_inserter(steps));
  std::vector<AppliedSetting> rows;
  for (auto& step : steps) std::ranges::move(rows_of(context, step, wanted), std::back_inserter(rows));
  return rows;
}

std::vector<ManagedSettings::Step> ManagedSettings::run(const SettingContext& context, const std::map<std::string, std::string>& wanted,
                                                        Stage stage) {
  std::vector<Step> steps = plan(context, wanted, stage);
  std::vector<SettingChange> changes;
  for (const auto& step : steps)
    if (step.managed != nullptr)
      changes.push_back({step.row.setting, step.row.before, to_text(value_of(context, step.managed->setting, step.targets))});
  for (const auto& change : in_order(std::move(changes)))
    carry_out(context, *std::ranges::find(steps, change.setting, [](const Step& step) { return step.row.setting; }));
  return steps;
}

/// One row for each setting that was asked for, under its own name; one for a setting that did not go back.
std::vector<AppliedSetting> ManagedSettings::rows_of(const SettingContext& context, Step& step,
                                                     const std::map<std::string, std::string>& wanted) const {
  std::vector<AppliedSetting> rows;
  for (const auto& [name, value] : wanted) {
    if (managed_name(name) != step.row.setting) continue;
    AppliedSetting row = step.row;
    row.setting = name;
    row.requested = value;
    if (step.managed != nullptr && name != step.row.setting) {
      row.before = value_text(context, step.managed->setting, name, step.present);
      row.effective = value_text(context, step.managed->setting, name, step.effective);
      if (value == kAsFound) row.effective = value_as_found(context, name).value_or("");
      if (is_done(row.status) && has_too_few_cpus(name, row.requested, row.effective)) row.status = SettingStatus::clamped;
    }
    rows.push_back(std::move(row));
  }
  if (rows.empty() && !is_done(step.row.status)) rows.push_back(step.row);
  return rows;
}

void ManagedSettings::carry_out(const SettingContext& context, Step& step) {
  const ResolvedSetting& setting = step.managed->setting;
  std::vector<std::string>& effective = step.effective = step.present;
  step.row.status = SettingStatus::same;
  for (std::size_t i = 0; i < setting.files.size(); ++i) {
    const WriteOutcome outcome = bring(context, *step.managed, i, step);
    effective[i] = outcome.effective;
    step.row.status = worse(step.row.status, outcome.status);
    if (step.row.errno_value == 0) step.row.errno_value = outcome.errno_value;
    if (!is_done(outcome.status)) break;
  }
  step.row.effective = to_text(value_of(context, setting, effective));
  step.row.files = applied_files(setting, step.present, effective);
  if (setting.name == kInterruptSpread) step.managed->interrupts = interrupt_totals(*context.host);
}

Expected<int> ManagedSettings::add_entry(Host& host, const std::string& setting, const SettingFile& file, const std::string& present) {
  return journal_.add(entry_of(host, setting, file, present));
}

WriteOutcome ManagedSettings::bring(const SettingContext& context, Managed& managed, std::size_t index, const Step& step) {
  const SettingFile& file = managed.setting.files[index];
  const std::string &present = step.present[index], &target = step.targets[index];
  auto& entry = managed.entries[index];
  const std::string unchanged = canonical_text(file.comparator, present);
  const bool is_return = entry && target == journal_.entry(*entry).original;
  if (is_return ? present == target : equivalent(file.comparator, target, present)) return {SettingStatus::same, unchanged, 0};
  if (entry && !is_ours(journal_.entry(*entry), present)) return {SettingStatus::drifted, unchanged, 0};
  if (!entry) {
    const auto added = add_entry(host_of(context, file), managed.setting.name, file, present);
    if (!added) return {status_of(added.error()), unchanged, added.error().errno_value};
    entry = *added;
  }
  if (resets_queues(file.path)) return write_resetting(context, *entry, present, target);
  return write_journalled(host_of(context, file), journal_, *entry, present, target);
}

// ---- changes that start the queues anew --------------------------------------------------------

WriteOutcome ManagedSettings::write_resetting(const SettingContext& context, int entry, const std::string& present,
                                              const std::string& text) {
  const auto kept = keep_queue_state(context, entry);
  if (!kept) return {status_of(kept.error()), "", kept.error().errno_value};
  const Reach before = read_reach(context);
  WriteOutcome outcome = write_journalled(*context.server, journal_, entry, present, text);
  if (is_done(outcome.status) && !stays_reachable(context, before)) {
    write_journalled(*context.server, journal_, entry, outcome.effective, present);
    outcome = {SettingStatus::refused, present, EHOSTUNREACH};
  }
  const WriteOutcome queues = give_queues_back(context, *kept);
  forget_queues();
  if (is_done(outcome.status) && !is_done(queues.status)) return {queues.status, outcome.effective, queues.errno_value};
  return outcome;
}

Expected<std::vector<int>> ManagedSettings::keep_queue_state(const SettingContext& context, int cause) {
  NETSETTLE_ASSIGN(const auto state, read_queue_state(context));
  std::vector<JournalEntry> fresh;
  for (const auto& [file, text] : state)
    if (!open_entry(journal_, file.path, file.netns))
      fresh.push_back(entry_of(host_of(context, file), "the state of each queue", file, text));
  if (!fresh.empty()) NETSETTLE_TRY(journal_.add_all(std::move(fresh)));
  // What somebody else has changed since is not taken for netsettle's; a queue that is not there now may come back.
  const auto is_somebodys = [&](const JournalEntry& entry) {
    const auto found = std::ranges::find_if(
        state, [&](const QueueFile& known) { return known.file.path == entry.path && known.file.netns == entry.netns; });
    return found != state.end() && !is_ours(entry, found->text);
  };
  std::vector<int> ids;
  for (const auto& entry : journal_.entries())
    if (entry.state == EntryState::open && is_reset_by(entry, journal_.entry(cause)) && !is_somebodys(entry)) ids.push_back(entry.id);
  for (const int id : ids) NETSETTLE_TRY(journal_.reset_begins(id));
  return ids;
}

WriteOutcome ManagedSettings::give_queues_back(const SettingContext& context, const std::vector<int>& entries) {
  WriteOutcome worst{SettingStatus::same, "", 0};
  // A table is of so many queues: with another number the card makes its own.
  const bool has_other_queues = std::ranges::any_of(journal_.entries(), [](const JournalEntry& entry) {
    return entry.state == EntryState::open && is_channels(entry.path) && entry.in_force.value_or(entry.original) != entry.original;
  });
  for (const int id : entries) {
    const JournalEntry entry = journal_.entry(id);
    Host& host = host_of(context, {.path = entry.path, .netns = entry.netns});
    const auto present = read_carrier(host, entry.path);
    if (!present) continue;  // its queue is not there now; what comes with it again is netsettle's doing
    if (const auto noted = journal_.write_ended(id, *present); !noted) return {status_of(noted.error()), "", noted.error().errno_value};
    if (*present == entry.original || (has_other_queues && is_table(entry.path))) continue;
    const WriteOutcome outcome = write_journalled(host, journal_, id, *present, entry.original);
    const bool is_kernels_own = entry.path.starts_with("/proc/irq/") && !is_done(outcome.status);
    if (!is_done(outcome.status) && !is_kernels_own && is_done(worst.status)) worst = outcome;
  }
  return worst;
}

void ManagedSettings::forget_queues() {
  std::erase_if(managed_, [](const auto& known) { return is_reset_by_queues(known.first); });
}

void ManagedSettings::let_go(const SettingContext& context, const std::string& name) {
  const auto found = managed_.find(name);
  if (found == managed_.end()) return;
  const auto texts = read_files(context, found->second.setting);
  if (!texts) return;
  const auto& entries = found->second.entries;
  for (std::size_t i = 0; i < entries.size(); ++i)
    if (entries[i] && journal_.entry(*entries[i]).original != (*texts)[i]) return;
  for (const auto& entry : entries)
    if (entry && !journal_.set_state(*entry, EntryState::closed)) return;
  managed_.erase(found);
}

// ---- looking again -----------------------------------------------------------------------------

void ManagedSettings::read_back(const SettingContext& context, std::vector<AppliedSetting>& rows) const {
  for (auto& row : rows) {
    if (row.setting.starts_with("server.") || row.setting.starts_with("load.")) continue;
    const auto managed = managed_.find(managed_name(row.setting));
    std::optional<std::string> now;
    if (managed == managed_.end() || (is_interrupt_setting(row.setting) && row.requested == kAsFound)) {
      now = value_as_found(context, row.setting);
    } else if (const auto texts = read_files(context, managed->second.setting)) {
      now = value_text(context, managed->second.setting, row.setting, *texts);
    }
    row.at_end = now.value_or("");
    if (is_done(row.status) && row.at_end != row.effective) row.status = SettingStatus::drifted;
    if (is_done(row.status) && is_interrupt_setting(row.setting) && managed != managed_.end() &&
        !astray(*context.host, managed->second.setting, managed->second.interrupts).empty())
      row.status = SettingStatus::drifted;
  }
}

}  // namespace netsettle::runners
