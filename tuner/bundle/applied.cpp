#include "tuner/bundle/applied.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "datasets/model/parameter.hpp"

namespace netsettle::tuner {

namespace {

/// "/sys/…/rps_cpus and 3 more (namespace x)" → the path.
std::string path_of(std::string_view target) { return std::string(target.substr(0, target.find(' '))); }

/// 2 → the mask of the first two CPUs.
Expected<std::string> mask_of(std::int64_t count, const std::vector<CpuId>& cpus) {
  if (count < 0 || static_cast<std::size_t>(count) > cpus.size())
    return fail(ErrorCode::invalid_input, "queues.rps.count", fmt::format("{} CPUs were asked for, {} are known", count, cpus.size()));
  return to_cpu_mask(CpuSet(cpus.begin(), cpus.begin() + count));
}

/// A found value that no count makes is the masks themselves.
Expected<std::string> found_mask(const Value& as_found, const std::vector<CpuId>& cpus) {
  if (const auto* count = std::get_if<std::int64_t>(&as_found)) return mask_of(*count, cpus);
  return to_text(as_found);
}

/// What a configuration asks for is always a count.
Expected<std::string> applied_mask(const std::string& value, const std::vector<CpuId>& cpus) {
  std::int64_t count = 0;
  const auto [end, status] = std::from_chars(value.data(), value.data() + value.size(), count);
  if (status != std::errc() || end != value.data() + value.size())
    return fail(ErrorCode::invalid_input, "queues.rps.count", fmt::format("'{}' is no number of CPUs", value));
  return mask_of(count, cpus);
}

}  // namespace

void note_originals(const std::vector<AppliedSetting>& rows, Originals& originals) {
  for (const AppliedSetting& row : rows)
    for (const AppliedFile& file : row.files) originals.emplace(file.path, file.before);
}

BundleSetting bundle_setting(const AppliedSetting& row, const Originals& originals) {
  const bool of_device = std::ranges::any_of(
      row.files, [](const AppliedFile& file) { return file.path.starts_with("/sys/class/net/") || file.path.starts_with("ethtool "); });
  BundleSetting setting{.name = row.setting, .value = row.effective, .scope = BundleScope::network_namespace, .files = {}};
  if (of_device)
    setting.scope = BundleScope::device;
  else if (is_host_wide(row.setting))
    setting.scope = BundleScope::host;
  for (const AppliedFile& file : row.files) {
    const auto original = originals.find(file.path);
    setting.files.push_back({file.path, file.effective, original == originals.end() ? file.before : original->second});
  }
  return setting;
}

Expected<BundleSetting> bundle_setting_of_old_record(const AppliedSetting& row, const Value& as_found, const std::vector<CpuId>& rps_cpus) {
  BundleSetting setting{.name = row.setting, .value = row.effective, .files = {{path_of(row.target), row.effective, to_text(as_found)}}};
  if (row.setting == "queues.rps.count") {
    setting.scope = BundleScope::device;
    NETSETTLE_ASSIGN(setting.files[0].value, applied_mask(row.effective, rps_cpus));
    NETSETTLE_ASSIGN(setting.files[0].as_found, found_mask(as_found, rps_cpus));
  } else if (!row.setting.starts_with("sysctl.")) {
    return fail(ErrorCode::unsupported, row.setting,
                "its files are not in this record, which an older release has made: run the configuration again (netsettle rerun)");
  } else {
    setting.scope = is_host_wide(row.setting) ? BundleScope::host : BundleScope::network_namespace;
  }
  return setting;
}

}  // namespace netsettle::tuner
