// netsettle-echo: the DNS echo server as a program. Standard output carries nothing but reports (one line of JSON each).

#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

#include "runners/echo/echo_server.hpp"

namespace netsettle::runners {
namespace {

int complain(std::string_view what) {
  fmt::print(stderr, "netsettle-echo: {}\n", what);
  return EXIT_FAILURE;
}

bool print_report(EchoServer& server) { return std::puts(to_json(server.report()).c_str()) >= 0 && std::fflush(stdout) == 0; }

int serve(const EchoOptions& options) {
  const auto server = EchoServer::start(options);
  if (!server) return complain(to_text(server.error()));
  fmt::print(stderr, "netsettle-echo: ready on {} port {}, {} processes, {} threads each\n", options.address, options.port,
             options.processes, options.threads);
  EchoEvent event = (*server)->wait();
  for (; event == EchoEvent::report; event = (*server)->wait()) print_report(**server);
  (*server)->stop();
  if (!print_report(**server)) return complain("the report could not be written");
  return (*server)->failure() ? complain(*(*server)->failure()) : EXIT_SUCCESS;
}

int run(const std::vector<std::string>& arguments) {
  const auto command = parse_echo_options(arguments);
  if (!command) return complain(to_text(command.error()));
  if (const auto* information = std::get_if<EchoInformation>(&*command))
    return std::fputs(information->text.c_str(), stdout) < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
  return serve(std::get<EchoOptions>(*command));
}

}  // namespace
}  // namespace netsettle::runners

int main(int argc, char** argv) { return netsettle::runners::run({argv + 1, argv + argc}); }
