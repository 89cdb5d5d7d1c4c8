#pragma once
// A process on the other side of an ssh connection.

#include <memory>

#include "runners/hosts/ssh_connection.hpp"

namespace netsettle::runners {

/// Starts the program there and waits until it runs (exec comes next). The connection must outlive the process. Failures as spawn's:
/// not_found, permission_denied, unsupported (the kernel gave other CPUs); and those of the connection.
Expected<std::unique_ptr<Process>> start_over_ssh(SshConnection& connection, const ProcessSpec& spec);

}  // namespace netsettle::runners
