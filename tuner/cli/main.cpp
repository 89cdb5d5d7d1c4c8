#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <exception>
#include <string_view>

#include "tuner/cli/command.hpp"

namespace {

using namespace netsettle::tuner;

void print_usage(std::FILE* out) {
  fmt::print(out,
             "Usage: netsettle COMMAND [OPTIONS]\n\nFinds the Linux network settings under which a UDP server is reliably fastest.\n\n");
  for (const auto& command : commands()) fmt::print(out, "  {:<10} {}\n", command.name, command.summary);
  fmt::print(out,
             "\nnetsettle COMMAND --help tells more; netsettle --version prints the version.\n\nExample:\n"
             "  netsettle run quickstart.toml\n");
}

/// A proposal takes and leaves some megabytes, and there are hundreds: kept, the kernel need not hand them out and clear them each time.
void keep_freed_memory() {
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
}

int dispatch(std::string_view name, const Arguments& arguments) {
  const auto all = commands();
  const auto command = std::ranges::find(all, name, &Command::name);
  if (command != all.end()) return command->run(arguments);
  fmt::print(stderr, "netsettle: there is no command '{}'\n\n", name);
  print_usage(stderr);
  return kUsage;
}

}  // namespace

int main(int argc, char** argv) try {
  const std::string_view name = argc > 1 ? argv[1] : "--help";
  if (name == "--help" || name == "-h" || name == "help") {
    print_usage(stdout);
    return argc > 1 ? kDone : kUsage;
  }
  if (name == "--version") {
    fmt::print("netsettle {}\n", NETSETTLE_VERSION);
    return kDone;
  }
  keep_freed_memory();
  return dispatch(name, Arguments(argv + 2, argv + argc));
} catch (const std::exception& error) {
  fmt::print(stderr,
             "netsettle: a bug of netsettle: {}\nWhat it had changed is given back by netsettle-guard; 'netsettle restore' shows it.\n",
             error.what());
  return kInternal;
}
