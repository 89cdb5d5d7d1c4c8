// nic.*: what a network card does by itself, through ethtool. Nothing here resets the link: channels and rings are another matter.

#include <fmt/format.h>

#include "runners/settings/carrier.hpp"
#include "runners/settings/families.hpp"
#include "runners/settings/values.hpp"

namespace netsettle::runners {
namespace {

constexpr std::string_view kFeatures = "nic.features.", kCoalesce = "nic.coalesce.";

bool is_switch(const ResolvedSetting& setting) { return setting.name.starts_with(kFeatures) || setting.name == "nic.coalesce.adaptive-rx"; }

Expected<ResolvedSetting> find_nic(const SettingContext& context, const std::string& name) {
  NETSETTLE_TRY(check_interface(context));
  const bool is_feature = name.starts_with(kFeatures);
  const std::string key = name.substr(is_feature ? kFeatures.size() : kCoalesce.size());
  const std::string carrier = is_feature ? feature_carrier(context.interface, key) : coalescing_carrier(context.interface, key);
  const auto text = read_carrier(*context.server, carrier);
  if (!text) return std::unexpected(Error{text.error().code, name, text.error().text, text.error().errno_value});
  ResolvedSetting setting;
  setting.scope = SettingScope::device;
  setting.files.push_back(
      {carrier, context.server->network_namespace(), *text == "on" || *text == "off" ? Comparator::exact : Comparator::number});
  return setting;
}

Expected<Texts> nic_texts(const SettingContext&, const ResolvedSetting& setting, const std::string& value) {
  NETSETTLE_ASSIGN(const std::int64_t number, bounded_number(setting, value));
  if (is_switch(setting)) return Texts{number == 0 ? "off" : "on"};
  return Texts{fmt::format("{}", number)};
}

Value nic_value(const SettingContext& context, const ResolvedSetting& setting, const Texts& texts) {
  if (is_switch(setting)) return std::int64_t{trimmed(texts.front()) == "on" ? 1 : 0};
  return plain_value(context, setting, texts);
}

}  // namespace

Family nic_settings() { return {"nic.", find_nic, nic_texts, nic_value}; }

}  // namespace netsettle::runners
