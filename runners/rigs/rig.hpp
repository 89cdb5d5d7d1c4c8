#pragma once
// Where a study runs: the machine (or namespace) of the server, that of the load, and the addresses between them.

#include <memory>
#include <string>

#include "datasets/model/experiment.hpp"
#include "runners/hosts/host.hpp"
#include "runners/settings/guard.hpp"

namespace netsettle::runners {

class Rig {
 public:
  virtual ~Rig() = default;
  virtual Host& server() = 0;
  virtual Host& client() = 0;
  /// The numeric address that is put under load.
  virtual std::string server_address() const = 0;
  /// The interface on which the queries arrive.
  virtual std::string interface() const = 0;
  /// The interface on which they leave the client.
  virtual std::string client_interface() const = 0;
  /// Client and server share one set of UDP counters (loopback).
  virtual bool shared_counters() const = 0;
  /// Client and server are one kernel: every loss can be named, and their CPUs are the same.
  virtual bool one_machine() const { return true; }
  /// The path under which the client finds a file of this machine; brings it there first where it must. Failures: those of the client.
  virtual Expected<std::string> on_client(const std::string& path) { return path; }
  /// The server's namespace was made for the study: its own sysctls vanish with it.
  virtual bool dedicated_namespace() const = 0;
};

/// Two network namespaces joined by a veth pair, made now and journalled with the guard first, so that they are removed whatever happens.
/// `tag` makes their names unique ("netsettle-TAG-server"). permission_denied without root; not_found without the program `ip`.
Expected<std::unique_ptr<Rig>> make_namespaces_rig(Host& host, SettingsGuard& guard, const std::string& tag, AddressFamily family);

/// Server and load on this machine's loopback interface. Needs no root; only server.* and load.* can be tuned.
std::unique_ptr<Rig> make_loopback_rig(Host& host, AddressFamily family);

}  // namespace netsettle::runners
