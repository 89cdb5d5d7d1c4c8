#include <fmt/format.h>

#include <utility>

#include "runners/hosts/local_host.hpp"
#include "runners/rigs/rig.hpp"

namespace netsettle::runners {
namespace {

// 198.18.0.0/15 is set aside for benchmarks (RFC 2544); the IPv6 addresses are unique local ones.
struct Addresses {
  std::string server, client;
  int prefix;
};

Addresses addresses_of(AddressFamily family) {
  if (family == AddressFamily::ipv4) return {"198.18.0.1", "198.18.0.2", 30};
  return {"fd6e:7365:7474::1", "fd6e:7365:7474::2", 64};
}

constexpr const char* kServerInterface = "nss0";
constexpr const char* kClientInterface = "nsc0";

class NamespacesRig final : public Rig {
 public:
  NamespacesRig(std::unique_ptr<Host> server, std::unique_ptr<Host> client, std::string address)
      : server_(std::move(server)), client_(std::move(client)), address_(std::move(address)) {}
  Host& server() override { return *server_; }
  Host& client() override { return *client_; }
  std::string server_address() const override { return address_; }
  std::string interface() const override { return kServerInterface; }
  std::string client_interface() const override { return kClientInterface; }
  bool shared_counters() const override { return false; }
  bool dedicated_namespace() const override { return true; }

 private:
  std::unique_ptr<Host> server_, client_;
  std::string address_;
};

Expected<void> make_namespace(Host& host, SettingsGuard& guard, const std::string& name) {
  NETSETTLE_TRY(guard.will_create_namespace(name));
  NETSETTLE_TRY(run_checked(host, {"ip", "netns", "add", name}));
  NETSETTLE_TRY(run_checked(host, {"ip", "-n", name, "link", "set", "lo", "up"}));
  return {};
}

Expected<void> configure(Host& host, const std::string& netns, const char* interface, const std::string& address, const Addresses& plan) {
  const std::string with_prefix = fmt::format("{}/{}", address, plan.prefix);
  std::vector<std::string> add = {"ip", "-n", netns, "address", "add", with_prefix, "dev", interface};
  if (address.find(':') != std::string::npos) add.emplace_back("nodad");
  NETSETTLE_TRY(run_checked(host, add));
  NETSETTLE_TRY(run_checked(host, {"ip", "-n", netns, "link", "set", interface, "up"}));
  return {};
}

}  // namespace

Expected<std::unique_ptr<Rig>> make_namespaces_rig(Host& host, SettingsGuard& guard, const std::string& tag, AddressFamily family) {
  const std::string server_ns = fmt::format("netsettle-{}-server", tag), client_ns = fmt::format("netsettle-{}-client", tag);
  const Addresses plan = addresses_of(family);
  NETSETTLE_TRY(make_namespace(host, guard, server_ns));
  NETSETTLE_TRY(make_namespace(host, guard, client_ns));
  // Both ends are born inside the namespaces: the machine's own list of interfaces never changes.
  NETSETTLE_TRY(run_checked(host, {"ip", "-n", server_ns, "link", "add", kServerInterface, "type", "veth", "peer", "name", kClientInterface,
                                   "netns", client_ns}));
  NETSETTLE_TRY(configure(host, server_ns, kServerInterface, plan.server, plan));
  NETSETTLE_TRY(configure(host, client_ns, kClientInterface, plan.client, plan));
  NETSETTLE_ASSIGN(auto server, make_namespace_host(server_ns));
  NETSETTLE_ASSIGN(auto client, make_namespace_host(client_ns));
  return std::make_unique<NamespacesRig>(std::move(server), std::move(client), plan.server);
}

}  // namespace netsettle::runners
