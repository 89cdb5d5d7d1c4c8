#pragma once
// netsettle-echo as a running program, and a client that talks to it. For tests.

#include <sys/socket.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "runners/hosts/descriptor.hpp"
#include "runners/hosts/local_host.hpp"

namespace netsettle::tests {

/// A UDP port of a loopback address ("127.0.0.1", "::1") that nobody has at the moment.
int free_udp_port(const std::string& address);

/// The CPUs that this process may use, highest first.
std::vector<int> allowed_cpus_highest_first();

/// The program with `options` after address and port; ends with the object, whatever state it is in.
class RunningEcho {
 public:
  /// Waits until it is ready; throws where it ends before that.
  explicit RunningEcho(const std::vector<std::string>& options = {}, const std::string& address = "127.0.0.1");

  const std::string& address() const { return address_; }
  int port() const { return port_; }
  runners::Process& process() { return *process_; }
  /// The reports printed so far, in order.
  std::vector<nlohmann::json> reports() const;
  /// Sends SIGUSR1 and waits for one more report.
  nlohmann::json ask_for_report();
  /// Sends the signal and waits for the end.
  runners::ExitStatus end_by(int signal);

 private:
  std::string address_;
  int port_;
  std::unique_ptr<runners::Host> host_;
  std::unique_ptr<runners::Process> process_;
};

/// The program run to its end, for starts that must fail.
runners::Finished run_echo(const std::vector<std::string>& options);

/// A socket connected to the server.
class EchoClient {
 public:
  explicit EchoClient(const RunningEcho& server);
  void send(const std::string& bytes);
  /// Goes on where the kernel does not take it (the server has ended).
  void try_send(const std::string& bytes);
  /// The next datagram; nullopt after ten seconds without one.
  std::optional<std::string> receive();

 private:
  runners::Descriptor socket_;
};

/// True once the process does not run any more (a zombie does not). Waits up to ten seconds for it.
bool is_gone_soon(int pid);

}  // namespace netsettle::tests
