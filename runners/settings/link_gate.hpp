#pragma once
// Not locking people out (safety.md 13): what resets the link of an interface, whether that interface carries the user's own login or a
// default route, and whether all is reachable afterwards. Private to this folder but for link_resets (catalogue.hpp).

#include <optional>
#include <string>
#include <string_view>

#include "runners/settings/catalogue.hpp"

namespace netsettle::runners {

/// Drivers take the link down and up again for nic.channels.*, nic.ring.* and some features.
bool resets_link(std::string_view name);

/// Why the context's interface had better stay up: "which carries a default route", also where it is below a bond, VLAN or bridge that
/// does. nullopt where nothing of the kind is known, and in a namespace that was made for the study.
std::optional<std::string> what_it_carries(const SettingContext& context);

/// refused where the setting resets the link of an interface that carries something, unless that is allowed.
Expected<void> check_link_reset(const SettingContext& context, const std::string& name);

/// What can be seen of the network through the interface.
struct Reach {
  bool carrier = false;  // the link is up
  bool login = false;    // the user's connection stands
  bool gateway = false;  // the default gateway on this interface answers to ARP
};
Reach read_reach(const SettingContext& context);

/// Waits until all that was is again, at most 10 s. False: it is not.
bool stays_reachable(const SettingContext& context, const Reach& before);

}  // namespace netsettle::runners
