#pragma once
// The laboratory of two machines in its simplest form: the server on this one, the load on a client over ssh, and an address for the load
// that is apart from the management network. Nothing of the client is changed, but for copies of files that its load generator reads.

#include "runners/hosts/ssh_connection.hpp"
#include "runners/rigs/rig.hpp"

namespace netsettle::runners {

struct HostsPlan {
  SshDestination client;
  std::string interface;                      // of this machine, under load
  std::string server_address;                 // of that interface, numeric
  std::optional<std::string> client_address;  // from which the client must reach it, numeric
  std::string client_interface;               // by which it must; "": by the one that its routes name
};

/// The interface's addresses, IPv4 and IPv6, in the kernel's order. not_found where there is no such interface.
Expected<std::vector<std::string>> addresses_of(Host& host, const std::string& interface);

/// Connects to the client and sees that queries and answers take the way that is meant: the address is the interface's, the client reaches
/// it from its own address and not by itself, and answers leave by the same interface. Changes nothing. Failures: those of
/// SshConnection::open; not_found (no such interface or address here); unsupported (another way, with the one that is taken).
Expected<std::unique_ptr<Rig>> make_hosts_rig(Host& local, const HostsPlan& plan);

}  // namespace netsettle::runners
