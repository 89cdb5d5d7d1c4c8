#pragma once
// A real sshd of a test: in a network namespace of its own, with its own keys and configuration, reached over a veth pair. Needs root.

#include <memory>
#include <string>
#include <vector>

#include "runners/hosts/host.hpp"
#include "runners/hosts/ssh_connection.hpp"
#include "tests/support/network_namespace.hpp"
#include "tests/support/temporary_folder.hpp"

namespace netsettle::tests {

class SshServer {
 public:
  /// Starts it and waits until it listens; throws where it does not. `configuration`: further lines of sshd_config.
  explicit SshServer(const std::string& configuration = "");
  ~SshServer();
  SshServer(const SshServer&) = delete;
  SshServer& operator=(const SshServer&) = delete;

  /// root there, with the key that it accepts.
  runners::SshDestination destination() const;
  /// The same with other lines for ssh's configuration, which come first and therefore win.
  runners::SshDestination destination_with(const std::string& lines) const;
  const std::string& address() const { return address_; }
  /// Of this machine, on the network between them.
  const std::string& own_address() const { return own_address_; }
  std::string own_interface() const;
  /// A key that the server does not accept.
  std::string foreign_key() const { return folder_.file("foreign"); }
  const NetworkNamespace& space() const { return space_; }

 private:
  void make_keys();
  void join();
  void write_configurations(const std::string& more);
  void start();
  std::string write_client_configuration(const std::string& name, const std::string& lines) const;

  TemporaryFolder folder_;
  NetworkNamespace space_;
  std::unique_ptr<runners::Host> host_;
  std::unique_ptr<runners::Process> process_;
  int number_ = 0;
  std::string address_, own_address_;
  bool made_run_folder_ = false;
};

}  // namespace netsettle::tests
