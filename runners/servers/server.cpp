#include "runners/servers/server.hpp"

#include "runners/servers/echo_server_command.hpp"

namespace netsettle::runners {
namespace {

/// kind = "command": experiment files may name it, no version can run it yet.
class UnsupportedServer final : public Server {
 public:
  Expected<std::vector<std::string>> command_line(const ServerSection&, const ServerTarget&) const override {
    return fail(ErrorCode::unsupported, "server.kind", "command is not supported yet; use echo");
  }
  std::optional<ServerReport> parse(std::string_view) const override { return std::nullopt; }
};

}  // namespace

std::unique_ptr<Server> make_server(ServerKind kind) {
  switch (kind) {
    case ServerKind::echo:
      return std::make_unique<EchoServerCommand>();
    case ServerKind::command:
      break;
  }
  return std::make_unique<UnsupportedServer>();
}

}  // namespace netsettle::runners
