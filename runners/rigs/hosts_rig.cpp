// The server here, the load on another machine.

#include <map>

#include "datasets/model/trimmed.hpp"
#include "runners/hosts/ssh_host.hpp"
#include "runners/rigs/rig.hpp"

namespace netsettle::runners {
namespace {

class HostsRig final : public Rig {
 public:
  HostsRig(Host& server, std::unique_ptr<Host> client, RigSection section)
      : server_(server), client_(std::move(client)), section_(std::move(section)) {}
  ~HostsRig() override {
    for (const auto& [path, remote] : files_) static_cast<void>(run_checked(*client_, {"rm", "-f", remote}));
  }

  Host& server() override { return server_; }
  Host& client() override { return *client_; }
  std::string server_address() const override { return section_.server.test_address; }
  std::string interface() const override { return section_.server.interface; }
  std::string client_interface() const override { return section_.client.interface; }
  bool shared_counters() const override { return false; }
  bool one_machine() const override { return false; }
  bool dedicated_namespace() const override { return false; }

  Expected<std::string> on_client(const std::string& path) override {
    if (const auto known = files_.find(path); known != files_.end()) return known->second;
    NETSETTLE_ASSIGN(std::string bytes, server_.read_file(path));
    NETSETTLE_ASSIGN(const std::string made, run_checked(*client_, {"mktemp", "/tmp/netsettle-XXXXXXXX"}));
    const std::string remote(trimmed(made));
    files_[path] = remote;
    NETSETTLE_TRY(client_->write_file(remote, bytes));
    return remote;
  }

 private:
  Host& server_;
  std::unique_ptr<Host> client_;
  RigSection section_;
  std::map<std::string, std::string> files_;  // here → there
};

}  // namespace

Expected<std::unique_ptr<Host>> connect_client(const RigMachine& client) {
  constexpr std::string_view kSsh = "ssh:";
  SshDestination destination{.name = client.host.substr(kSsh.size()), .arguments = {}};
  if (!client.ssh_config.empty()) destination.arguments = {"-F", client.ssh_config};
  return make_ssh_host(std::move(destination));
}

Expected<std::unique_ptr<Rig>> make_hosts_rig(Host& host, const RigSection& section) {
  if (!host.list_directory("/sys/class/net/" + section.server.interface))
    return fail(ErrorCode::not_found, "rig.server.interface", "this machine has no interface " + section.server.interface);
  NETSETTLE_ASSIGN(auto client, connect_client(section.client));
  return std::make_unique<HostsRig>(host, std::move(client), section);
}

}  // namespace netsettle::runners
