#include "tuner/cli/rig_command.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "runners/hosts/background.hpp"
#include "runners/hosts/local_host.hpp"
#include "runners/hosts/signal_watcher.hpp"
#include "tuner/cli/restored.hpp"
#include "tuner/report/text.hpp"

namespace netsettle::tuner {
namespace {

void announce_host_wide(const Experiment& experiment) {
  const auto host_wide = host_wide_settings(experiment);
  if (!host_wide.empty())
    fmt::print(stderr, "While it runs, this may affect the whole machine: {}. Everything is given back at the end.\n",
               fmt::join(host_wide, ", "));
}

}  // namespace

std::optional<int> clean_up_after_crash(const runners::GuardPaths& paths) {
  if (!runners::journal_is_open(paths) || runners::lock_holder(paths)) return std::nullopt;
  fmt::print(stderr, "A run died before it gave everything back; that is done first.\n");
  const auto report = runners::restore_from_journal(paths, {});
  if (!report) return print_error(report.error());
  const int code = print_restored(*report, Detail::all);
  return code == kDone ? std::nullopt : std::optional(code);
}

int work_in_rig(const CommandLine& line, const std::vector<Override>& more, const std::function<int(const RigWork&)>& work) {
  auto overrides = parse_overrides(line.texts("set"));
  if (!overrides) return overrides.error();
  overrides->insert(overrides->end(), more.begin(), more.end());
  const auto experiment = read_experiment(line.text("file"), *overrides);
  if (!experiment) return print_diagnostics(experiment.error());
  return work_in_rig_of(*experiment, [](const Machine&) { return std::optional<int>(); }, work);
}

int work_in_rig_of(const Experiment& experiment, const std::function<std::optional<int>(const Machine&)>& before,
                   const std::function<int(const RigWork&)>& work) {
  runners::StopFlag stop = 0, after_trial = 0;
  const runners::SignalWatcher watcher(stop, after_trial, runners::SignalWatcher::Hangup::stops);
  const auto host = runners::make_local_host();
  const auto machine = inspect_machine(*host, experiment);
  if (!machine) return print_errors(machine.error());
  if (const auto code = before(*machine)) return *code;
  const auto paths = runners::default_guard_paths();
  if (const auto code = clean_up_after_crash(paths)) return *code;
  announce_host_wide(experiment);
  const auto session = TrialSession::open(*host, experiment, *machine, paths, runners::own_program().parent_path() / "netsettle-guard");
  if (!session) return print_errors(session.error());
  const int code = work({experiment, *machine, **session, stop});
  const int restored = print_restored((*session)->give_back(), Detail::failures);
  if (restored != kDone) return restored;
  if (stop == 0) return code;
  fmt::print(stderr, "Interrupted; everything was given back.\n");
  return 128 + stop;
}

void StepLine::show(const std::string& text) {
  if (width_ == 0) return;
  clear();
  fmt::print("{}", cut(text, static_cast<std::size_t>(width_ - 1)));
  std::fflush(stdout);
  shown_ = true;
}

void StepLine::clear() {
  if (shown_) fmt::print("\r\033[K");
  shown_ = false;
}

}  // namespace netsettle::tuner
