// queues.*: which CPUs take part in the work of an interface's queues. RPS spreads received packets, RFS sends them where their reader
// runs, XPS chooses transmit queues by CPU (kernel documentation networking/scaling.rst).

#include <algorithm>
#include <functional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "runners/settings/families.hpp"
#include "runners/settings/values.hpp"

namespace netsettle::runners {
namespace {

/// The files, where the kernel has them: older or smaller kernels lack them, and so do devices with one transmit queue.
Expected<ResolvedSetting> find_queues(const SettingContext& context, const std::string& name, std::string_view direction,
                                      const std::string& file, const std::string& lacking) {
  ResolvedSetting setting;
  setting.scope = SettingScope::device;
  NETSETTLE_ASSIGN(setting.files, queue_files(context, name, direction, file));
  const auto& first = setting.files.front();
  const auto text = context.server->read_file(first.path);
  if (!text && text.error().code == ErrorCode::not_found) return fail(ErrorCode::unsupported, name, lacking);
  return setting;
}

using TextsOfCount = Texts (*)(const SettingContext&, const ResolvedSetting&, std::size_t count);

/// The count of CPUs that makes these masks, or the masks as text.
Value count_of(const SettingContext& context, const ResolvedSetting& setting, const Texts& masks, TextsOfCount texts_of) {
  Texts canonical;
  for (const auto& mask : masks) canonical.push_back(canonical_text(Comparator::cpu_mask, mask));
  for (std::size_t count = 0; count <= context.cpus.size(); ++count)
    if (texts_of(context, setting, count) == canonical) return static_cast<std::int64_t>(count);
  return joined(setting, masks);
}

// ---- RPS ---------------------------------------------------------------------------------------

Texts rps_masks(const SettingContext& context, const ResolvedSetting& setting, std::size_t count) {
  const CpuSet cpus(context.cpus.begin(), context.cpus.begin() + static_cast<std::ptrdiff_t>(count));
  return Texts(setting.files.size(), to_cpu_mask(cpus));
}

/// A count takes as many CPUs as may be used.
ResolvedSetting bounded_by_cpus(const SettingContext& context, ResolvedSetting setting) {
  setting.smallest = 0;
  setting.largest = static_cast<std::int64_t>(context.cpus.size());
  setting.bound_by = fmt::format("{} CPUs may be used", context.cpus.size());
  return setting;
}

Expected<ResolvedSetting> find_rps(const SettingContext& context, const std::string& name) {
  NETSETTLE_ASSIGN(ResolvedSetting setting, find_queues(context, name, "rx-", "rps_cpus", "this kernel has no receive packet steering"));
  return name == "queues.rps.count" ? bounded_by_cpus(context, std::move(setting)) : setting;
}

Expected<Texts> rps_texts(const SettingContext& context, const ResolvedSetting& setting, const std::string& value) {
  NETSETTLE_ASSIGN(const std::int64_t count, bounded_number(bounded_by_cpus(context, setting), value));
  return rps_masks(context, setting, static_cast<std::size_t>(count));
}

Value rps_value(const SettingContext& context, const ResolvedSetting& setting, const Texts& masks) {
  return count_of(context, setting, masks, rps_masks);
}

// ---- RPS, by a list of CPUs --------------------------------------------------------------------

constexpr std::string_view kOff = "off";

Expected<Texts> mask_texts(const SettingContext&, const ResolvedSetting& setting, const std::string& value) {
  if (value == kOff) return Texts(setting.files.size(), "0");
  const auto cpus = parse_cpu_list(value);
  if (!cpus || cpus->empty()) return not_a("\"off\" or a list of CPUs", setting.name, value);
  return Texts(setting.files.size(), to_cpu_mask(*cpus));
}

Value mask_value(const SettingContext&, const ResolvedSetting& setting, const Texts& masks) {
  const auto first = parse_cpu_mask(masks.front());
  if (!first) return joined(setting, masks);
  for (const auto& mask : masks)
    if (!equivalent(Comparator::cpu_mask, masks.front(), mask)) return joined(setting, masks);
  return first->empty() ? std::string(kOff) : to_cpu_list(*first);
}

// ---- RFS ---------------------------------------------------------------------------------------

/// The machine's table first, then each queue's share of it (scaling.rst: entries / queues). The kernel rounds all of them up.
Texts flow_texts(const ResolvedSetting& setting, std::int64_t entries) {
  const auto queues = static_cast<std::int64_t>(setting.files.size()) - 1;
  const std::int64_t share = entries == 0 ? 0 : std::max<std::int64_t>(1, rounded_up(entries) / queues);
  Texts texts(setting.files.size(), fmt::format("{}", share));
  texts.front() = fmt::format("{}", entries);
  return texts;
}

Expected<ResolvedSetting> find_rfs(const SettingContext& context, const std::string& name) {
  NETSETTLE_ASSIGN(ResolvedSetting setting, find_queues(context, name, "rx-", "rps_flow_cnt", "this kernel has no receive flow steering"));
  setting.scope = SettingScope::host;
  for (auto& file : setting.files) file.comparator = Comparator::number_rounded_up;
  const SettingFile table{"/proc/sys/net/core/rps_sock_flow_entries", context.host->network_namespace(), Comparator::number_rounded_up};
  setting.files.insert(setting.files.begin(), table);
  return setting;
}

Expected<Texts> rfs_texts(const SettingContext&, const ResolvedSetting& setting, const std::string& value) {
  NETSETTLE_ASSIGN(const std::int64_t entries, bounded_number(setting, value));
  return flow_texts(setting, entries);
}

Value rfs_value(const SettingContext&, const ResolvedSetting& setting, const Texts& texts) {
  const auto entries = decimal(trimmed(texts.front()));
  if (!entries) return joined(setting, texts);
  const Texts expected = flow_texts(setting, *entries);
  for (std::size_t i = 0; i < texts.size(); ++i)
    if (!equivalent(Comparator::number_rounded_up, expected[i], texts[i])) return joined(setting, texts);
  return *entries;
}

// ---- XPS ---------------------------------------------------------------------------------------

/// The i-th CPU uses transmit queue i, starting over behind the last one. A CPU in no mask is spread by the packet's hash.
Texts xps_masks(const SettingContext& context, const ResolvedSetting& setting, std::size_t count) {
  std::vector<CpuSet> queues(setting.files.size());
  for (std::size_t i = 0; i < count; ++i) queues[i % queues.size()].insert(context.cpus[i]);
  Texts masks;
  for (const auto& cpus : queues) masks.push_back(to_cpu_mask(cpus));
  return masks;
}

Expected<ResolvedSetting> find_xps(const SettingContext& context, const std::string& name) {
  NETSETTLE_ASSIGN(ResolvedSetting setting,
                   find_queues(context, name, "tx-", "xps_cpus", context.interface + " has one transmit queue, or the kernel has no XPS"));
  return bounded_by_cpus(context, std::move(setting));
}

Expected<Texts> xps_texts(const SettingContext& context, const ResolvedSetting& setting, const std::string& value) {
  NETSETTLE_ASSIGN(const std::int64_t count, bounded_number(bounded_by_cpus(context, setting), value));
  return xps_masks(context, setting, static_cast<std::size_t>(count));
}

Value xps_value(const SettingContext& context, const ResolvedSetting& setting, const Texts& masks) {
  return count_of(context, setting, masks, xps_masks);
}

// ---- NAPI --------------------------------------------------------------------------------------

Expected<ResolvedSetting> find_napi(const SettingContext& context, const std::string& name) {
  NETSETTLE_TRY(check_interface(context));
  const std::string key = name.substr(name.find('.') + 1);
  const std::string file = key == "defer_hard_irqs" ? "napi_defer_hard_irqs" : key;
  ResolvedSetting setting;
  setting.scope = SettingScope::device;
  setting.files.push_back(
      {fmt::format("/sys/class/net/{}/{}", context.interface, file), context.server->network_namespace(), Comparator::number});
  const auto text = context.server->read_file(setting.files.front().path);
  if (!text && text.error().code == ErrorCode::not_found)
    return fail(ErrorCode::unsupported, name, fmt::format("{} has no {}: no such interface, or an older kernel", context.interface, file));
  return setting;
}

}  // namespace

Family packet_steering() { return {"queues.rps.count", find_rps, rps_texts, rps_value}; }
Family steering_mask() { return {"queues.rps.mask", find_rps, mask_texts, mask_value}; }
Family flow_steering() { return {"queues.rfs.entries", find_rfs, rfs_texts, rfs_value}; }
Family transmit_steering() { return {"queues.xps.count", find_xps, xps_texts, xps_value}; }
Family napi_settings() { return {"napi.", find_napi, plain_texts, plain_value}; }

}  // namespace netsettle::runners
