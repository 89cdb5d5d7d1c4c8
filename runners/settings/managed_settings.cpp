#include "runners/settings/managed_settings.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "runners/settings/restore.hpp"
#include "runners/settings/values.hpp"

namespace netsettle::runners {
namespace {

constexpr const char* kAsFound = "as-found";

Host& host_of(const SettingContext& context, const SettingFile& file) {
  return file.netns == context.server->network_namespace() ? *context.server : *context.host;
}

Expected<std::vector<std::string>> read_files(const SettingContext& context, const ResolvedSetting& setting) {
  std::vector<std::string> texts;
  for (const auto& file : setting.files) {
    NETSETTLE_ASSIGN(auto text, host_of(context, file).read_file(file.path));
    texts.push_back(std::move(text));
  }
  return texts;
}

std::string target_of(const ResolvedSetting& setting) {
  const auto& first = setting.files.front();
  const std::string others = setting.files.size() > 1 ? fmt::format(" and {} more", setting.files.size() - 1) : "";
  return first.path + others + (first.netns.empty() ? "" : fmt::format(" (namespace {})", first.netns));
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

}  // namespace

// ---- planning ----------------------------------------------------------------------------------

Expected<ManagedSettings::Managed*> ManagedSettings::manage(const SettingContext& context, const std::string& name) {
  if (const auto known = managed_.find(name); known != managed_.end()) return &known->second;
  NETSETTLE_ASSIGN(ResolvedSetting setting, resolve_setting(context, name));
  const std::size_t files = setting.files.size();
  return &managed_.emplace(name, Managed{std::move(setting), std::vector<std::optional<int>>(files)}).first->second;
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

std::vector<ManagedSettings::Step> ManagedSettings::plan(const SettingContext& context, const std::map<std::string, std::string>& wanted) {
  std::vector<Step> steps;
  for (const auto& [name, value] : wanted) {
    Step step;
    step.row.setting = name;
    step.row.requested = value;
    if (const auto planned = plan_wanted(context, step); !planned) note_failure(planned.error(), step.row);
    steps.push_back(std::move(step));
  }
  for (auto& [name, managed] : managed_) {
    if (wanted.contains(name)) continue;
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
  std::vector<Step> steps = plan(context, wanted);
  std::vector<SettingChange> changes;
  for (const auto& step : steps)
    if (step.managed != nullptr)
      changes.push_back({step.row.setting, step.row.before, to_text(value_of(context, step.managed->setting, step.targets))});
  for (const auto& change : in_order(std::move(changes)))
    carry_out(context, *std::ranges::find(steps, change.setting, [](const Step& step) { return step.row.setting; }));
  std::vector<AppliedSetting> rows;
  for (auto& step : steps)
    if (wanted.contains(step.row.setting) || !is_done(step.row.status)) rows.push_back(std::move(step.row));
  return rows;
}

void ManagedSettings::carry_out(const SettingContext& context, Step& step) {
  const ResolvedSetting& setting = step.managed->setting;
  std::vector<std::string> effective = step.present;
  step.row.status = SettingStatus::same;
  for (std::size_t i = 0; i < setting.files.size(); ++i) {
    const WriteOutcome outcome = bring(host_of(context, setting.files[i]), *step.managed, i, step);
    effective[i] = outcome.effective;
    step.row.status = worse(step.row.status, outcome.status);
    if (step.row.errno_value == 0) step.row.errno_value = outcome.errno_value;
    if (!is_done(outcome.status)) break;
  }
  step.row.effective = to_text(value_of(context, setting, effective));
}

WriteOutcome ManagedSettings::bring(Host& host, Managed& managed, std::size_t index, const Step& step) {
  const SettingFile& file = managed.setting.files[index];
  const std::string &present = step.present[index], &target = step.targets[index];
  auto& entry = managed.entries[index];
  const std::string unchanged = canonical_text(file.comparator, present);
  const bool is_return = entry && target == journal_.entry(*entry).original;
  if (is_return ? present == target : equivalent(file.comparator, target, present)) return {SettingStatus::same, unchanged, 0};
  if (entry && !is_ours(journal_.entry(*entry), present)) return {SettingStatus::drifted, unchanged, 0};
  if (!entry) {
    JournalEntry fresh;
    fresh.setting = managed.setting.name;
    fresh.path = file.path;
    fresh.netns = file.netns;
    fresh.netns_inode = namespace_inode(file.netns);
    fresh.comparator = file.comparator;
    fresh.original = present;
    const auto added = journal_.add(std::move(fresh));
    if (!added) return {status_of(added.error()), unchanged, added.error().errno_value};
    entry = *added;
  }
  return write_journalled(host, journal_, *entry, present, target);
}

// ---- looking again -----------------------------------------------------------------------------

void ManagedSettings::read_back(const SettingContext& context, std::vector<AppliedSetting>& rows) const {
  for (auto& row : rows) {
    if (row.setting.starts_with("server.") || row.setting.starts_with("load.")) continue;
    const auto managed = managed_.find(row.setting);
    std::optional<std::string> now;
    if (managed == managed_.end()) {
      if (const auto setting = resolve_setting(context, row.setting)) now = to_text(setting->as_found);
    } else if (const auto texts = read_files(context, managed->second.setting)) {
      now = to_text(value_of(context, managed->second.setting, *texts));
    }
    row.at_end = now.value_or("");
    if (is_done(row.status) && row.at_end != row.effective) row.status = SettingStatus::drifted;
  }
}

}  // namespace netsettle::runners
