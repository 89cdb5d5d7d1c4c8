#pragma once
// Any server that answers DNS over UDP: named, nsd, knotd, unbound, or a program of one's own.

#include "runners/servers/server.hpp"

namespace netsettle::runners {

class CommandServer final : public Server {
 public:
  /// server.argv with {address} {port} {dir} {processes} {threads} {cores} {cpus} replaced. It must stay in the foreground. invalid_input
  /// for an unknown placeholder and where server.cores is more than the CPUs there are.
  Expected<std::vector<std::string>> command_line(const ServerSection& server, const ServerTarget& target) const override;
  /// Such a server has no counts that netsettle knows; the kernel's are used.
  std::optional<ServerReport> parse(std::string_view) const override { return std::nullopt; }
};

}  // namespace netsettle::runners
