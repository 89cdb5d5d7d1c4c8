// nic.*: what a network card does by itself, through ethtool. Channels and rings reset the link (link_gate.hpp) and all that was said of
// each queue (queue_state.hpp).

#include <algorithm>

#include <fmt/format.h>

#include "runners/settings/carrier.hpp"
#include "runners/settings/families.hpp"
#include "runners/settings/nic_settings.hpp"
#include "runners/settings/values.hpp"

namespace netsettle::runners {
namespace {

constexpr std::string_view kFeatures = "nic.features.";
constexpr std::string_view kTable = "nic.rss.count";

/// How the names that begin so are carried.
struct Room {
  std::string_view prefix;
  std::string (*carrier)(const std::string& interface, const std::string& name);
};
std::string table_of(const std::string& interface, const std::string&) { return table_carrier(interface); }
constexpr Room kRooms[] = {{kFeatures, feature_carrier},
                           {"nic.coalesce.", coalescing_carrier},
                           {"nic.channels.", channel_carrier},
                           {"nic.ring.", ring_carrier},
                           {kTable, table_of},
                           {"nic.rss.", hash_carrier}};

bool is_switch(const ResolvedSetting& setting) { return setting.name.starts_with(kFeatures) || setting.name == "nic.coalesce.adaptive-rx"; }
bool is_hash(const ResolvedSetting& setting) { return setting.name.starts_with("nic.rss.udp"); }

/// Bounds that the card tells. 0 at most: this driver counts them otherwise (combined, or receive and transmit apart).
Expected<void> add_bounds(const SettingContext& context, const std::string& name, const std::string& carrier, ResolvedSetting& setting) {
  if (!resets_queues(carrier) && name != kTable) return {};
  setting.largest = largest_of(*context.server, carrier);
  if (!setting.largest) return {};
  if (*setting.largest == 0) return fail(ErrorCode::unsupported, name, context.interface + " does not have it");
  setting.bound_by = name == kTable ? fmt::format("the receive queues of {}", context.interface)
                                    : fmt::format("what ethtool says of {}", context.interface);
  return {};
}

Expected<ResolvedSetting> find_nic(const SettingContext& context, const std::string& name) {
  NETSETTLE_TRY(check_interface(context));
  const Room& room = *std::ranges::find_if(kRooms, [&](const Room& known) { return name.starts_with(known.prefix); });
  const std::string carrier = room.carrier(context.interface, name.substr(room.prefix.size()));
  const auto text = read_carrier(*context.server, carrier);
  if (!text) return std::unexpected(Error{text.error().code, name, text.error().text, text.error().errno_value});
  ResolvedSetting setting;
  setting.scope = SettingScope::device;
  setting.files.push_back({carrier, context.server->network_namespace(), decimal(*text) ? Comparator::number : Comparator::exact});
  NETSETTLE_TRY(add_bounds(context, name, carrier, setting));
  if (room.carrier == hash_carrier) setting.words = {"sd", "sdfn"};
  return setting;
}

Expected<Texts> nic_texts(const SettingContext& context, const ResolvedSetting& setting, const std::string& value) {
  if (is_hash(setting)) return plain_texts(context, setting, value);
  NETSETTLE_ASSIGN(const std::int64_t number, bounded_number(setting, value));
  if (is_switch(setting)) return Texts{number == 0 ? "off" : "on"};
  return Texts{setting.name == kTable ? fmt::format("equal {}", number) : fmt::format("{}", number)};
}

Value nic_value(const SettingContext& context, const ResolvedSetting& setting, const Texts& texts) {
  if (is_switch(setting)) return std::int64_t{trimmed(texts.front()) == "on" ? 1 : 0};
  constexpr std::string_view kEqual = "equal ";
  if (setting.name == kTable && texts.front().starts_with(kEqual))
    if (const auto count = decimal(trimmed(texts.front()).substr(kEqual.size()))) return *count;
  return plain_value(context, setting, texts);
}

}  // namespace

bool is_queue_reset(std::string_view name) { return name.starts_with("nic.channels.") || name.starts_with("nic.ring."); }

bool is_reset_by_queues(std::string_view name) { return name.starts_with("queues.") || name.starts_with("interrupts.") || name == kTable; }

Family nic_settings() { return {"nic.", find_nic, nic_texts, nic_value}; }

}  // namespace netsettle::runners
