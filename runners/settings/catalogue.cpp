#include "runners/settings/catalogue.hpp"

#include <algorithm>

#include "datasets/model/setting_form.hpp"
#include "runners/settings/catalogue_rows.hpp"
#include "runners/settings/families.hpp"
#include "runners/settings/link_gate.hpp"
#include "runners/settings/values.hpp"

namespace netsettle::runners {
namespace {

const std::vector<Family>& families() {
  static const std::vector<Family> kFamilies = {sysctls(),
                                                packet_steering(),
                                                steering_mask(),
                                                flow_steering(),
                                                transmit_steering(),
                                                napi_settings(),
                                                interrupt_settings(),
                                                nic_settings(),
                                                cpu_words("cpu.governor"),
                                                cpu_words("cpu.epp"),
                                                cpu_boost(),
                                                cpu_idle_states(),
                                                cpu_latency(),
                                                scheduler(),
                                                irqbalance_setting()};
  return kFamilies;
}

const Family* family_of(std::string_view name) {
  const auto found = std::ranges::find_if(families(), [name](const Family& family) { return name.starts_with(family.prefix); });
  return found == families().end() ? nullptr : &*found;
}

/// sysctl.* is checked by its family, which knows the rooms.
bool is_known(std::string_view name) {
  return name.starts_with("sysctl.") || std::ranges::find(machine_settings(), name, &MachineSetting::name) != machine_settings().end();
}

std::optional<std::int64_t> ram_bytes(Host& host) {
  const auto text = host.read_file("/proc/meminfo");
  constexpr std::string_view kTotal = "MemTotal:";
  if (!text) return std::nullopt;
  const auto at = text->find(kTotal);
  if (at == std::string::npos) return std::nullopt;
  const auto rest = trimmed(std::string_view(*text).substr(at + kTotal.size()));
  const auto kilobytes = decimal(rest.substr(0, rest.find(' ')));
  return kilobytes ? std::optional(*kilobytes * 1024) : std::nullopt;
}

std::optional<std::int64_t> smaller(std::optional<std::int64_t> a, std::optional<std::int64_t> b) {
  return a && b ? std::min(*a, *b) : a ? a : b;
}

void add_catalogue_row(const SettingContext& context, ResolvedSetting& setting) {
  const CatalogueRow& row = catalogue_row(setting.name);
  setting.unit = row.unit;
  setting.takes_effect = row.takes_effect;
  if (!setting.smallest) setting.smallest = row.smallest;
  setting.largest = smaller(setting.largest, row.largest);
  if (row.ram_divisor == 0) return;
  const auto ram = ram_bytes(*context.host);
  if (!ram || (setting.largest && *setting.largest <= *ram / row.ram_divisor)) return;
  setting.largest = *ram / row.ram_divisor;
  setting.bound_by = "what this machine's memory bears";
}

Expected<Texts> read_texts(const SettingContext& context, const ResolvedSetting& setting) {
  Texts texts;
  for (const auto& file : setting.files) {
    NETSETTLE_ASSIGN(auto text, read_writable(host_of(context, file), setting.name, file.path));
    texts.push_back(std::move(text));
  }
  return texts;
}

}  // namespace

Expected<ResolvedSetting> resolve_setting(const SettingContext& context, const std::string& name) {
  const Family* const family = family_of(name);
  if (family == nullptr || !is_known(name))
    return fail(ErrorCode::invalid_input, name, "is not a setting of the machine that netsettle can change");
  NETSETTLE_ASSIGN(ResolvedSetting setting, family->find(context, name));
  setting.name = name;
  NETSETTLE_TRY(check_link_reset(context, name));
  add_catalogue_row(context, setting);
  NETSETTLE_ASSIGN(const Texts texts, read_texts(context, setting));
  setting.as_found = family->found != nullptr ? family->found(setting, texts) : family->value(context, setting, texts);
  return setting;
}

Expected<std::vector<std::string>> texts_for(const SettingContext& context, const ResolvedSetting& setting, const std::string& value) {
  const Family* const family = family_of(setting.name);
  if (family == nullptr) return fail(ErrorCode::invalid_input, setting.name, "is not a setting of the machine");
  return family->texts(context, setting, value);
}

Value value_of(const SettingContext& context, const ResolvedSetting& setting, const std::vector<std::string>& texts) {
  const Family* const family = family_of(setting.name);
  return family == nullptr ? joined(setting, texts) : family->value(context, setting, texts);
}

}  // namespace netsettle::runners
