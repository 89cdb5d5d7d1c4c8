#pragma once
// A machine reached with the plain ssh client: nothing of netsettle is installed there.

#include <memory>

#include "runners/hosts/host.hpp"
#include "runners/hosts/ssh_connection.hpp"

namespace netsettle::runners {

/// Connects; failures as SshConnection::open. What the Host promises, with these differences:
/// - a process is killed with the connection: when the host object or netsettle ends (kill -9 included), and when the other side's sshd
///   notices that the network is gone (ClientAliveInterval in its sshd_config);
/// - ExitStatus has no CPU time, no code and no signal where the connection was lost, and takes exit codes from 129 to 192 for signals,
///   as every shell does;
/// - exchange_datagram needs bash there (unsupported), and its timeout begins when the datagram has been sent;
/// - the clock is this machine's.
/// Each operation is one session of the connection: some 20 ms, and as long as the start-up file of the account's shell takes.
Expected<std::unique_ptr<Host>> make_ssh_host(SshDestination destination);

}  // namespace netsettle::runners
