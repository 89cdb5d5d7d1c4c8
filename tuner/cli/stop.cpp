#include <fmt/format.h>

#include <csignal>

#include "runners/settings/guard.hpp"
#include "tuner/cli/command.hpp"
#include "tuner/cli/running.hpp"

namespace netsettle::tuner {
namespace {

/// The process to be stopped: that of the record where one is named, otherwise the holder of the machine.
Expected<std::optional<runners::LockHolder>> process_to_stop(const CommandLine& line) {
  if (!line.has("db")) return runners::lock_holder(runners::default_guard_paths());
  NETSETTLE_ASSIGN(const Record record, open_record(line));
  return writer_of(record);
}

}  // namespace

int run_stop(const Arguments& arguments) {
  CommandLine line(
      "stop [--db FILE] [--after-trial]",
      "Ends the running study: the one that holds the machine (found by the lock), or with --db the one that writes this record.\n"
      "Everything is given back; the same 'netsettle run' (or ask-tell) command goes on later.",
      "netsettle stop --after-trial");
  line.add()("db", boost::program_options::value<std::string>(), "the record")("after-trial", "let the trial under way finish first");
  if (const auto exit = line.parse(arguments)) return *exit;
  const auto process = process_to_stop(line);
  if (!process) return print_error(process.error());
  if (!*process) {
    fmt::print("{}\n", line.has("db") ? "No process writes this record." : "No study is running.");
    return kDone;
  }
  const runners::LockHolder& holder = **process;
  const int number = line.has("after-trial") ? SIGUSR1 : SIGINT;
  if (const auto sent = runners::signal_holder(holder, number); !sent) return print_error(sent.error());
  fmt::print("Study {} (process {}) {}.\n", holder.study, holder.pid,
             line.has("after-trial") ? "ends after the trial under way" : "is stopping; everything is given back");
  return kDone;
}

}  // namespace netsettle::tuner
