#include "runners/servers/command_server.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "datasets/model/placeholders.hpp"

namespace netsettle::runners {

Expected<std::vector<std::string>> CommandServer::command_line(const ServerSection& server, const ServerTarget& target) const {
  NETSETTLE_ASSIGN(const std::vector<CpuId> cpus, usable_cpus(server.cores, target.cpus));
  return with_placeholders(server.argv, [&](std::string_view name) -> Expected<std::string> {
    if (name == "address") return target.address;
    if (name == "port") return std::to_string(server.port);
    if (name == "dir") return target.folder;
    if (name == "processes") return std::to_string(server.processes);
    if (name == "threads") return std::to_string(server.threads);
    if (name == "cores") return std::to_string(cpus.size());
    if (name == "cpus") return fmt::format("{}", fmt::join(cpus, ","));
    return fail(
        ErrorCode::invalid_input, "server.argv",
        fmt::format("there is no {{{}}}; there are {{address}} {{port}} {{dir}} {{processes}} {{threads}} {{cores}} {{cpus}}", name));
  });
}

}  // namespace netsettle::runners
