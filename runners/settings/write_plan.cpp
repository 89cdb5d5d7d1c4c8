#include "runners/settings/write_plan.hpp"

#include <algorithm>

namespace netsettle::runners {
namespace {

/// The writes of one setting: one for each of its files.
Expected<std::vector<PlannedWrite>> writes_of(const SettingContext& context, const std::string& name, const std::string& value) {
  NETSETTLE_ASSIGN(const ResolvedSetting setting, resolve_setting(context, name));
  NETSETTLE_ASSIGN(const auto texts, texts_for(context, setting, value));
  std::vector<PlannedWrite> writes;
  for (std::size_t i = 0; i < setting.files.size() && i < texts.size(); ++i) {
    const SettingFile& file = setting.files[i];
    Host& host = file.netns.empty() ? *context.host : *context.server;
    NETSETTLE_ASSIGN(const std::string present, host.read_file(file.path));
    const std::string from = canonical_text(file.comparator, present);
    writes.push_back({name, file.path, file.netns, from, equivalent(file.comparator, texts[i], present) ? from : texts[i]});
  }
  return writes;
}

}  // namespace

WritePlan plan_writes(const SettingContext& context, const std::map<std::string, std::string>& wanted) {
  WritePlan plan;
  std::map<std::string, std::vector<PlannedWrite>> by_setting;
  std::vector<SettingChange> changes;
  for (const auto& [name, value] : wanted) {
    auto writes = writes_of(context, name, value);
    if (!writes) {
      Error problem = std::move(writes).error();
      problem.subject = name;
      plan.problems.push_back(std::move(problem));
      continue;
    }
    if (writes->empty()) continue;
    changes.push_back({name, writes->front().from, writes->front().to});
    by_setting[name] = std::move(*writes);
  }
  for (const SettingChange& change : in_order(std::move(changes)))
    std::ranges::move(by_setting[change.setting], std::back_inserter(plan.writes));
  return plan;
}

}  // namespace netsettle::runners
