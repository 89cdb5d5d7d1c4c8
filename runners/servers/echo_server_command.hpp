#pragma once
// netsettle-echo as the server under test.

#include "runners/servers/server.hpp"

namespace netsettle::runners {

class EchoServerCommand final : public Server {
 public:
  /// unsupported for an I/O model or a kind of sockets that netsettle-echo does not have; invalid_input where server.cores is more than the
  /// CPUs there are, or where reuseport-cpu has no CPUs.
  Expected<std::vector<std::string>> command_line(const ServerSection& server, const ServerTarget& target) const override;
  /// From the last line that is a report. Absent where there is none or where a count is missing: a killed server has no counts.
  std::optional<ServerReport> parse(std::string_view standard_output) const override;
};

}  // namespace netsettle::runners
