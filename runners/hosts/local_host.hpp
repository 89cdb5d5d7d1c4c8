#pragma once
// This machine, and a network namespace of it.

#include <memory>
#include <string>

#include "runners/hosts/host.hpp"

namespace netsettle::runners {

/// The machine and namespace that netsettle runs in.
std::unique_ptr<Host> make_local_host();

/// A namespace below /run/netns. All file access and child starts happen on a thread of the returned object that has entered the network
/// namespace and, in a mount namespace of its own, mounted its /sys: /proc/sys/net, /proc/thread-self/net and /sys/class/net are those of
/// the namespace (a path /proc/net/X is read as /proc/thread-self/net/X). The thread lives as long as the object, so
/// parent-death signals keep their meaning. not_found, permission_denied.
Expected<std::unique_ptr<Host>> make_namespace_host(const std::string& name);

}  // namespace netsettle::runners
