#include "runners/rigs/hosts_rig.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <sstream>

#include <fmt/format.h>

#include "datasets/model/trimmed.hpp"
#include "runners/hosts/ssh_host.hpp"

namespace netsettle::runners {
namespace {

class HostsRig final : public Rig {
 public:
  HostsRig(Host& server, std::unique_ptr<Host> client, const HostsPlan& plan, std::string client_interface)
      : server_(server),
        client_(std::move(client)),
        address_(plan.server_address),
        interface_(plan.interface),
        client_interface_(std::move(client_interface)) {}
  ~HostsRig() override {
    for (const auto& [here, there] : files_) static_cast<void>(run_checked(*client_, {"rm", "-f", there}));
  }
  Host& server() override { return server_; }
  Host& client() override { return *client_; }
  std::string server_address() const override { return address_; }
  std::string interface() const override { return interface_; }
  std::string client_interface() const override { return client_interface_; }
  bool shared_counters() const override { return false; }
  bool one_machine() const override { return false; }
  bool dedicated_namespace() const override { return false; }

  Expected<std::string> on_client(const std::string& path) override {
    if (const auto known = files_.find(path); known != files_.end()) return known->second;
    NETSETTLE_ASSIGN(const std::string bytes, server_.read_file(path));
    NETSETTLE_ASSIGN(const std::string made, run_checked(*client_, {"mktemp", "/tmp/netsettle-XXXXXXXX"}));
    const std::string there(trimmed(made));
    if (const auto written = client_->write_file(there, bytes); !written) {
      static_cast<void>(run_checked(*client_, {"rm", "-f", there}));
      return std::unexpected(written.error());
    }
    files_[path] = there;
    return there;
  }

 private:
  Host& server_;
  std::unique_ptr<Host> client_;
  std::string address_, interface_, client_interface_;
  std::map<std::string, std::string> files_;  // here → there
};

struct Route {
  std::string device, source;
  bool is_local = false;  // to the machine itself
};

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

/// The word after a key, "" where there is none.
std::string after(const std::vector<std::string>& words, std::string_view key) {
  const auto found = std::ranges::find(words, key);
  return found == words.end() || std::next(found) == words.end() ? std::string() : *std::next(found);
}

/// "198.18.0.1 dev eth1 src 198.18.0.2 uid 0 \    cache"
Expected<Route> route_to(Host& host, const std::string& address) {
  NETSETTLE_ASSIGN(const std::string text, run_checked(host, {"ip", "-o", "route", "get", address}));
  const auto words = words_of(text);
  return Route{after(words, "dev"), after(words, "src"), !words.empty() && words.front() == "local"};
}

Expected<void> check_address(Host& host, const HostsPlan& plan) {
  NETSETTLE_ASSIGN(const auto addresses, addresses_of(host, plan.interface));
  if (std::ranges::find(addresses, plan.server_address) != addresses.end()) return {};
  return fail(ErrorCode::not_found, plan.server_address, fmt::format("is not an address of {} on this machine", plan.interface));
}

Expected<Route> check_way_there(Host& client, const HostsPlan& plan) {
  NETSETTLE_ASSIGN(Route route, route_to(client, plan.server_address));
  const std::string subject = fmt::format("way from {} to {}", plan.client.name, plan.server_address);
  if (route.is_local) return fail(ErrorCode::unsupported, subject, "the client has this address itself: queries would never leave it");
  if (route.device.empty() || route.source.empty()) return fail(ErrorCode::unsupported, subject, "its routing table is not understood");
  if (plan.client_address && route.source != *plan.client_address)
    return fail(ErrorCode::unsupported, subject,
                fmt::format("leaves by {} from {}, not from {}: add a route there, or name that address", route.device, route.source,
                            *plan.client_address));
  if (!plan.client_interface.empty() && route.device != plan.client_interface)
    return fail(ErrorCode::unsupported, subject,
                fmt::format("leaves by {}, not by {}: add a route there, or name that interface", route.device, plan.client_interface));
  return route;
}

Expected<void> check_way_back(Host& local, const HostsPlan& plan, const std::string& client_address) {
  NETSETTLE_ASSIGN(const Route route, route_to(local, client_address));
  if (route.device == plan.interface && !route.is_local) return {};
  return fail(
      ErrorCode::unsupported, fmt::format("way back to {}", client_address),
      fmt::format("answers would leave by {}, not by {}: give both ends test addresses of one network", route.device, plan.interface));
}

}  // namespace

/// "5: eth1    inet 198.18.0.1/30 scope global eth1 …", a line for each address.
Expected<std::vector<std::string>> addresses_of(Host& host, const std::string& interface) {
  NETSETTLE_ASSIGN(const std::string text, run_checked(host, {"ip", "-o", "address", "show", "dev", interface}));
  const auto words = words_of(text);
  std::vector<std::string> addresses;
  for (std::size_t i = 1; i < words.size(); ++i)
    if (words[i - 1] == "inet" || words[i - 1] == "inet6") addresses.push_back(words[i].substr(0, words[i].find('/')));
  return addresses;
}

Expected<std::unique_ptr<Rig>> make_hosts_rig(Host& local, const HostsPlan& plan) {
  NETSETTLE_TRY(check_address(local, plan));
  NETSETTLE_ASSIGN(auto client, make_ssh_host(plan.client));
  NETSETTLE_ASSIGN(const Route route, check_way_there(*client, plan));
  NETSETTLE_TRY(check_way_back(local, plan, route.source));
  return std::make_unique<HostsRig>(local, std::move(client), plan, route.device);
}

}  // namespace netsettle::runners
