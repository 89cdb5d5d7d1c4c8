#include "tuner/cli/db.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace netsettle::tuner {
namespace {

/// In the order of the help text.
constexpr std::array kCommands = {
    Command{"check", "whether a record is whole: database, references, raw output", run_db_check},
    Command{"backup", "a copy of a record, also while its study runs", run_db_backup},
    Command{"merge", "one record out of two of the same experiment", run_db_merge},
    Command{"prune", "takes the raw output of old trials out", run_db_prune},
    Command{"publish", "an archive that can be handed out, without personal details", run_db_publish},
    Command{"import", "a record of outputs of dnsperf, resperf or kxdpgun that you have", run_db_import},
    Command{"export", "a record as CSV, JSON or DNS-OARC metrics", run_db_export},
};

void print_usage(std::FILE* out) {
  fmt::print(out, "Usage: netsettle db COMMAND [OPTIONS]\n\nCare of records.\n\n");
  for (const Command& command : kCommands) fmt::print(out, "  {:<10} {}\n", command.name, command.summary);
  fmt::print(out, "\nnetsettle db COMMAND --help tells more.\n\nExample:\n  netsettle db check quickstart.netsettle.db\n");
}

}  // namespace

std::string size_text(std::int64_t bytes) {
  const auto size = static_cast<double>(bytes);
  return bytes < 1 << 20 ? fmt::format("{:.1f} KiB", size / (1 << 10)) : fmt::format("{:.1f} MiB", size / (1 << 20));
}

int run_db(const Arguments& arguments) {
  if (arguments.empty() || arguments.front() == "--help" || arguments.front() == "-h") {
    print_usage(arguments.empty() ? stderr : stdout);
    return arguments.empty() ? kUsage : kDone;
  }
  const auto command = std::ranges::find(kCommands, std::string_view(arguments.front()), &Command::name);
  if (command != kCommands.end()) return command->run(Arguments(arguments.begin() + 1, arguments.end()));
  fmt::print(stderr, "netsettle: there is no command 'db {}'\n\n", arguments.front());
  print_usage(stderr);
  return kUsage;
}

}  // namespace netsettle::tuner
