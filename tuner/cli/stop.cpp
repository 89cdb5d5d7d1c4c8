#include <fmt/format.h>

#include <csignal>

#include "runners/settings/guard.hpp"
#include "tuner/cli/command.hpp"

namespace netsettle::tuner {

int run_stop(const Arguments& arguments) {
  CommandLine line(
      "stop [--after-trial]",
      "Ends the running study, which is found by the lock. Everything is given back; the same 'netsettle run' command goes on later.",
      "netsettle stop --after-trial");
  line.add()("after-trial", "let the trial under way finish first");
  if (const auto exit = line.parse(arguments)) return *exit;
  const auto holder = runners::lock_holder(runners::default_guard_paths());
  if (!holder) {
    fmt::print("No study is running.\n");
    return kDone;
  }
  const int number = line.has("after-trial") ? SIGUSR1 : SIGINT;
  if (const auto sent = runners::signal_holder(*holder, number); !sent) return print_error(sent.error());
  fmt::print("Study {} (process {}) {}.\n", holder->study, holder->pid,
             line.has("after-trial") ? "ends after the trial under way" : "is stopping; everything is given back");
  return kDone;
}

}  // namespace netsettle::tuner
