#include "runners/settings/write_plan.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "runners/settings/carrier.hpp"
#include "runners/settings/families.hpp"
#include "runners/settings/interrupt_settings.hpp"
#include "runners/settings/values.hpp"

namespace netsettle::runners {
namespace {

/// The writes of one setting: one for each of its files.
Expected<std::vector<PlannedWrite>> writes_of(const SettingContext& context, const std::string& name, const std::string& value) {
  NETSETTLE_ASSIGN(const ResolvedSetting setting, resolve_managed(context, name));
  std::vector<PlannedWrite> writes;
  if (value == "as-found") return writes;
  NETSETTLE_ASSIGN(const auto texts, texts_for(context, setting, value));
  for (std::size_t i = 0; i < setting.files.size() && i < texts.size(); ++i) {
    const SettingFile& file = setting.files[i];
    NETSETTLE_ASSIGN(const std::string present, read_carrier(host_of(context, file), file.path));
    const std::string from = canonical_text(file.comparator, present);
    writes.push_back({name, file.path, file.netns, from, equivalent(file.comparator, texts[i], present) ? from : texts[i]});
  }
  return writes;
}

/// Whether the file belongs to a queue that the planned number of channels takes away.
bool will_be_gone(const PlannedWrite& write, const PlannedWrite& channels) {
  const auto count = decimal(channels.to);
  const std::string queues = fmt::format("/sys/class/net/{}/queues/", interface_of(channels.path));
  if (!count || write.netns != channels.netns || !write.path.starts_with(queues)) return false;
  const std::string_view queue = std::string_view(write.path).substr(queues.size());
  const bool is_of_them =
      channels.path.ends_with(" combined") || queue.substr(0, 2) == std::string_view(channels.path).substr(channels.path.size() - 2);
  return is_of_them && number_in(queue.substr(0, queue.find('/'))) >= *count;
}

}  // namespace

WritePlan plan_writes(const SettingContext& context, const std::map<std::string, std::string>& wanted) {
  WritePlan plan;
  std::map<std::string, std::vector<PlannedWrite>> by_setting;
  std::vector<SettingChange> changes;
  const auto managed = with_one_spread(wanted);
  for (const auto& [name, value] : managed) {
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
  const std::vector<PlannedWrite> all = plan.writes;
  for (const PlannedWrite& channels : all)
    if (is_channels(channels.path)) std::erase_if(plan.writes, [&](const PlannedWrite& write) { return will_be_gone(write, channels); });
  return plan;
}

}  // namespace netsettle::runners
