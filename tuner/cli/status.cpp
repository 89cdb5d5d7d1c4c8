#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "runners/hosts/clock.hpp"
#include "runners/hosts/signal_watcher.hpp"
#include "runners/settings/guard.hpp"
#include "strategies/course/pending.hpp"
#include "strategies/racing/next_step.hpp"
#include "tuner/cli/record.hpp"
#include "tuner/cli/running.hpp"
#include "tuner/loop/schedule.hpp"
#include "tuner/report/text.hpp"

namespace netsettle::tuner {
namespace {

struct Standing {
  std::optional<runners::LockHolder> holder;
  std::optional<Record> record;
  bool is_written = false;  // by a process that runs
};

void print_holder(const runners::LockHolder& holder) {
  fmt::print("Study {} is running: process {}, since {}, record {}\n", holder.study, holder.pid, format_local_time(holder.since_us),
             holder.database);
}

/// What the record says, unless its process is gone without having said so.
std::string_view status_text(const Standing& standing) {
  const auto status = standing.record->study.status;
  return status == datasets::StudyStatus::running && !standing.is_written ? "interrupted" : datasets::to_text(status);
}

void print_record(const Standing& standing) {
  const Record& record = *standing.record;
  const auto& view = record.view;
  const auto budget = view.experiment.budget.trials;
  fmt::print("{}: study {}, {}, {}{} trials, {} configurations\n", record.path.string(), record.study.name, status_text(standing),
             strategies::trials_spent(view.trials), budget ? fmt::format(" of {}", *budget) : "", view.configurations.size());
  if (const auto verdict = strategies::verdict_of(view)) {
    fmt::print("{}\n", verdict->statement);
  } else if (const auto best = strategies::best_so_far(view)) {
    fmt::print("Best so far: configuration {} with {} {} (no claim before the confirmation)\n", best->first, quantity(best->second),
               view.experiment.objective.maximize);
  }
}

nlohmann::json json_of(const Standing& standing) {
  nlohmann::json document = {{"running", nullptr}, {"record", nullptr}};
  if (standing.holder)
    document["running"] = {{"study", standing.holder->study},
                           {"pid", standing.holder->pid},
                           {"since_us", standing.holder->since_us},
                           {"database", standing.holder->database}};
  if (!standing.record) return document;
  const auto& record = *standing.record;
  const auto verdict = strategies::verdict_of(record.view);
  document["record"] = {{"database", record.path.string()},
                        {"study", record.study.name},
                        {"status", status_text(standing)},
                        {"trials", strategies::trials_spent(record.view.trials)},
                        {"budget_trials", record.view.experiment.budget.trials ? nlohmann::json(*record.view.experiment.budget.trials)
                                                                               : nlohmann::json(nullptr)},
                        {"configurations", record.view.configurations.size()},
                        {"statement", verdict ? nlohmann::json(verdict->statement) : nlohmann::json(nullptr)}};
  return document;
}

Expected<Standing> standing_of(const CommandLine& line) {
  Standing standing;
  standing.holder = runners::lock_holder(runners::default_guard_paths());
  auto record = line.has("db") || !standing.holder ? open_record(line) : open_record_file(standing.holder->database);
  if (record) standing.record.emplace(std::move(*record));
  if (!record && (line.has("db") || record.error().code == ErrorCode::invalid_input)) return std::unexpected(record.error());
  if (!standing.record) return standing;
  // Another record's study may hold the machine; and a study by ask and tell holds none.
  NETSETTLE_ASSIGN(const auto writer, writer_of(*standing.record));
  standing.is_written = writer.has_value();
  if (writer || line.has("db")) standing.holder = writer;
  return standing;
}

void print(const Standing& standing, bool json) {
  if (json) {
    fmt::print("{}\n", json_of(standing).dump(2));
    return;
  }
  if (standing.holder) print_holder(*standing.holder);
  if (standing.record) print_record(standing);
  if (!standing.holder && !standing.record) fmt::print("No study is running, and there is no record here.\n");
}

/// Shows it again whenever it has changed, until the study stops running or a signal comes.
int watch(const CommandLine& line) {
  runners::StopFlag stop = 0, after_trial = 0;
  const runners::SignalWatcher watcher(stop, after_trial, runners::SignalWatcher::Hangup::stops);
  runners::SystemClock clock;
  std::string shown;
  while (stop == 0) {
    const auto standing = standing_of(line);
    if (!standing) return print_error(standing.error());
    if (const std::string now = json_of(*standing).dump(); now != shown) {
      if (terminal_width() > 0) fmt::print("\033[H\033[2J");  // home, clear
      print(*standing, line.has("json"));
      std::fflush(stdout);
      shown = now;
    }
    if (!standing->holder) return kDone;
    clock.sleep(std::chrono::seconds(1), &stop);
  }
  return kDone;
}

}  // namespace

int run_status(const Arguments& arguments) {
  CommandLine line(
      "status [--db FILE] [--watch] [--json]",
      "Where the running study stands (found by the lock), or a record. With --watch again whenever something has changed, until\n"
      "the study stops running. Reading disturbs nothing.",
      "netsettle status --db quick.netsettle.db --watch");
  line.add()("db", boost::program_options::value<std::string>(), "the record")("watch", "go on showing")("json", "as JSON");
  if (const auto exit = line.parse(arguments)) return *exit;
  if (line.has("watch")) return watch(line);
  const auto standing = standing_of(line);
  if (!standing) return print_error(standing.error());
  print(*standing, line.has("json"));
  return kDone;
}

}  // namespace netsettle::tuner
