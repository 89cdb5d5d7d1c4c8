#include "runners/settings/link_gate.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "runners/settings/values.hpp"

namespace netsettle::runners {
namespace {

using Words = std::vector<std::string>;
using Names = std::set<std::string>;

constexpr std::chrono::seconds kPatience(10);
constexpr std::chrono::milliseconds kPause(200);

/// The lines of a file as words; none where it cannot be read.
std::vector<Words> table_of(Host& host, const std::string& path) {
  std::vector<Words> table;
  const std::string text = host.read_file(path).value_or("");
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = std::min(text.find('\n', begin), text.size());
    Words words;
    for (auto rest = trimmed(std::string_view(text).substr(begin, end - begin)); !rest.empty();) {
      const auto length = std::min(rest.find_first_of(" \t"), rest.size());
      words.emplace_back(rest.substr(0, length));
      rest = trimmed(rest.substr(length));
    }
    table.push_back(std::move(words));
    begin = end + 1;
  }
  return table;
}

std::optional<std::uint32_t> hexadecimal(std::string_view text) {
  std::uint32_t number = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number, 16);
  if (status != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// ---- addresses and routes ----------------------------------------------------------------------

std::optional<std::uint32_t> ipv4(const std::string& address) {
  in_addr parsed{};
  if (::inet_pton(AF_INET, address.c_str(), &parsed) != 1) return std::nullopt;
  return parsed.s_addr;
}

/// As /proc/net/if_inet6 writes it.
std::string ipv6_digits(const std::string& address) {
  in6_addr parsed{};
  if (::inet_pton(AF_INET6, address.substr(0, address.find('%')).c_str(), &parsed) != 1) return "";
  std::string digits;
  for (const unsigned byte : parsed.s6_addr) digits += fmt::format("{:02x}", byte);
  return digits;
}

struct Route {
  std::string interface;
  std::uint32_t destination = 0, gateway = 0, mask = 0;  // in network order, as in_addr has them
};

std::vector<Route> routes(Host& host) {
  std::vector<Route> routes;
  for (const Words& row : table_of(host, "/proc/net/route")) {
    if (row.size() < 8) continue;
    const auto destination = hexadecimal(row[1]), gateway = hexadecimal(row[2]), mask = hexadecimal(row[7]);
    if (destination && gateway && mask) routes.push_back({row[0], *destination, *gateway, *mask});
  }
  return routes;
}

/// Interfaces of default routes of both families.
Names default_interfaces(Host& host) {
  Names names;
  for (const Route& route : routes(host))
    if (route.destination == 0 && route.mask == 0) names.insert(route.interface);
  for (const Words& row : table_of(host, "/proc/net/ipv6_route"))
    if (row.size() >= 10 && row[1] == "00" && row[0].find_first_not_of('0') == std::string::npos && row[9] != "lo") names.insert(row[9]);
  return names;
}

/// The interface of the narrowest net that has the address.
std::optional<std::string> interface_towards(Host& host, const std::string& address) {
  if (const auto number = ipv4(address)) {
    const Route* best = nullptr;
    const auto all = routes(host);
    for (const Route& route : all)
      if ((*number & route.mask) == route.destination && (best == nullptr || ntohl(route.mask) > ntohl(best->mask))) best = &route;
    return best != nullptr ? std::optional(best->interface) : std::nullopt;
  }
  for (const Words& row : table_of(host, "/proc/net/if_inet6"))
    if (row.size() >= 6 && row[0] == ipv6_digits(address)) return row[5];
  return std::nullopt;
}

/// The interface and all that it stands on.
void add_with_lower(Host& host, const std::string& interface, Names& names) {
  constexpr std::string_view kLower = "lower_";
  if (!names.insert(interface).second) return;
  const auto entries = host.list_directory("/sys/class/net/" + interface);
  if (!entries) return;
  for (const auto& entry : *entries)
    if (entry.starts_with(kLower)) add_with_lower(host, entry.substr(kLower.size()), names);
}

bool stands_on(Host& host, const std::string& interface, const std::string& lower) {
  Names names;
  add_with_lower(host, interface, names);
  return names.contains(lower);
}

// ---- what is reachable -------------------------------------------------------------------------

/// As /proc/net/tcp writes an address: each word in the order of this machine.
template <std::size_t N>
std::string socket_digits(const std::array<std::uint32_t, N>& words) {
  std::string digits;
  for (const std::uint32_t word : words) digits += fmt::format("{:08X}", word);
  return digits;
}

std::string socket_digits(const std::string& address, std::string_view before) {
  if (const auto number = ipv4(address); number && before.empty()) return socket_digits(std::array{*number});
  std::array<std::uint32_t, 4> words{};
  if (::inet_pton(AF_INET6, (std::string(before) + address).c_str(), words.data()) != 1) return "";
  return socket_digits(words);
}

bool has_connection(Host& host, const std::string& table, const std::string& here, const std::string& there) {
  if (here.empty() || there.empty()) return false;
  return std::ranges::any_of(table_of(host, table), [&](const Words& row) {
    return row.size() > 3 && row[1].starts_with(here + ":") && row[2].starts_with(there + ":") && row[3] == "01";
  });
}

/// A daemon that listens on IPv6 alone has IPv4 connections among its IPv6 ones.
bool login_stands(Host& host, const LinkResets& resets) {
  if (resets.login_here.empty()) return false;
  for (const char* before : {"", "::ffff:"})
    for (const char* table : {"/proc/net/tcp", "/proc/net/tcp6"})
      if (has_connection(host, table, socket_digits(resets.login_here, before), socket_digits(resets.login_of, before))) return true;
  return false;
}

/// The address that socket_digits made digits of.
std::string address_of(std::string_view digits) {
  std::array<std::uint32_t, 4> words{};
  const std::size_t count = digits.size() / 8;
  if ((count != 1 && count != 4) || digits.size() % 8 != 0) return "";
  for (std::size_t i = 0; i < count; ++i) words[i] = hexadecimal(digits.substr(8 * i, 8)).value_or(0);
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (::inet_ntop(count == 1 ? AF_INET : AF_INET6, words.data(), text.data(), text.size()) == nullptr) return "";
  constexpr std::string_view kMapped = "::ffff:";
  const std::string_view address(text.data());
  return std::string(address.starts_with(kMapped) && address.find('.') != std::string_view::npos ? address.substr(kMapped.size())
                                                                                                 : address);
}

/// This machine's ends of connections to port 22: sudo and systemd keep SSH_CONNECTION back.
std::set<std::string> ends_of_logins(Host& host) {
  constexpr std::string_view kPort = ":0016";
  std::set<std::string> addresses;
  for (const char* table : {"/proc/net/tcp", "/proc/net/tcp6"})
    for (const Words& row : table_of(host, table))
      if (row.size() > 3 && row[3] == "01" && row[1].ends_with(kPort))
        addresses.insert(address_of(std::string_view(row[1]).substr(0, row[1].size() - kPort.size())));
  return addresses;
}

std::optional<std::string> gateway_of(Host& host, const std::string& interface) {
  for (const Route& route : routes(host)) {
    if (route.interface != interface || route.mask != 0 || route.gateway == 0) continue;
    std::array<char, INET_ADDRSTRLEN> text{};
    const in_addr address{route.gateway};
    if (::inet_ntop(AF_INET, &address, text.data(), text.size()) != nullptr) return text.data();
  }
  return std::nullopt;
}

bool answers_to_arp(Host& host, const std::string& interface) {
  const auto gateway = gateway_of(host, interface);
  if (!gateway) return false;
  return std::ranges::any_of(table_of(host, "/proc/net/arp"), [&](const Words& row) {
    return row.size() >= 6 && row[0] == *gateway && row[2].starts_with("0x") && row[5] == interface &&
           hexadecimal(row[2].substr(2)).value_or(0) != 0;
  });
}

/// Anything sent to the gateway makes the kernel look for it; nothing is expected to answer.
void call_gateway(Host& host, const std::string& interface) {
  constexpr int kDiscard = 9;
  if (const auto gateway = gateway_of(host, interface))
    static_cast<void>(host.exchange_datagram(*gateway, kDiscard, "\n", std::chrono::milliseconds(100)));
}

}  // namespace

LinkResets link_resets(const char* ssh_connection, bool allowed) {
  LinkResets resets{.allowed = allowed, .login_here = {}, .login_of = {}};
  std::array<std::string, 4> words;  // their address and port, ours and port
  std::string_view rest = ssh_connection != nullptr ? trimmed(ssh_connection) : std::string_view();
  for (auto& word : words) {
    const auto length = std::min(rest.find(' '), rest.size());
    word = rest.substr(0, length);
    rest = trimmed(rest.substr(length));
  }
  const auto is_address = [](const std::string& text) { return ipv4(text).has_value() || !ipv6_digits(text).empty(); };
  if (!rest.empty() || !is_address(words[0]) || !is_address(words[2])) return resets;
  resets.login_of = words[0];
  resets.login_here = words[2];
  return resets;
}

bool resets_link(std::string_view name) {
  return name.starts_with("nic.channels.") || name.starts_with("nic.ring.") || name == "nic.features.ntuple" ||
         name == "nic.features.rx-gro-hw";
}

std::optional<std::string> what_it_carries(const SettingContext& context) {
  if (context.dedicated_namespace || context.interface == "lo") return std::nullopt;
  Host& host = *context.server;
  const auto told = [&](const std::string& carrier, std::string_view what) {
    if (carrier == context.interface) return fmt::format("which carries {}", what);
    return fmt::format("which {} stands on, and that carries {}", carrier, what);
  };
  for (const auto& address : {context.link_resets.login_here, context.link_resets.login_of}) {
    const auto towards = address.empty() ? std::nullopt : interface_towards(host, address);
    if (towards && stands_on(host, *towards, context.interface))
      return told(*towards, fmt::format("your login from {}", context.link_resets.login_of));
  }
  if (context.link_resets.login_here.empty()) {
    const auto logins = ends_of_logins(host);
    for (const auto& address : logins) {
      const auto towards = interface_towards(host, address);
      if (towards && stands_on(host, *towards, context.interface)) return told(*towards, "a login over ssh, on " + address);
    }
  }
  for (const auto& name : default_interfaces(host))
    if (stands_on(host, name, context.interface)) return told(name, "a default route");
  return std::nullopt;
}

Expected<void> check_link_reset(const SettingContext& context, const std::string& name) {
  if (!resets_link(name) || context.link_resets.allowed) return {};
  const auto what = what_it_carries(context);
  if (!what) return {};
  return fail(ErrorCode::refused, name,
              fmt::format("resets the link of {}, {}: only with [safety] allow_link_reset = true", context.interface, *what));
}

Reach read_reach(const SettingContext& context) {
  Host& host = *context.server;
  const auto carrier = host.read_file(fmt::format("/sys/class/net/{}/carrier", context.interface));
  return {.carrier = carrier && trimmed(*carrier) == "1",
          .login = login_stands(host, context.link_resets),
          .gateway = answers_to_arp(host, context.interface)};
}

bool stays_reachable(const SettingContext& context, const Reach& before) {
  Clock& clock = context.server->clock();
  for (const auto start = clock.monotonic(); clock.monotonic() - start < kPatience; clock.sleep(kPause)) {
    if (before.gateway) call_gateway(*context.server, context.interface);
    const Reach now = read_reach(context);
    if (now.carrier >= before.carrier && now.login >= before.login && now.gateway >= before.gateway) return true;
  }
  return false;
}

}  // namespace netsettle::runners
