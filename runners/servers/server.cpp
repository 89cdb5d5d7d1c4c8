#include "runners/servers/server.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "runners/servers/command_server.hpp"
#include "runners/servers/echo_server_command.hpp"

namespace netsettle::runners {

Expected<std::vector<CpuId>> usable_cpus(const std::string& cores, const std::vector<CpuId>& cpus) {
  if (cores == "all") return cpus;
  std::size_t count = 0;
  const auto [end, status] = std::from_chars(cores.data(), cores.data() + cores.size(), count);
  if (status != std::errc() || end != cores.data() + cores.size() || count < 1)
    return fail(ErrorCode::invalid_input, "server.cores", cores + " is neither all nor a number of CPUs");
  if (!cpus.empty() && count > cpus.size())
    return fail(ErrorCode::invalid_input, "server.cores", fmt::format("{} of {} CPUs cannot be used", count, cpus.size()));
  return std::vector(cpus.begin(), cpus.begin() + static_cast<std::ptrdiff_t>(std::min(count, cpus.size())));
}

std::unique_ptr<Server> make_server(ServerKind kind) {
  if (kind == ServerKind::command) return std::make_unique<CommandServer>();
  return std::make_unique<EchoServerCommand>();
}

}  // namespace netsettle::runners
