#include <fmt/format.h>

#include "runners/hosts/background.hpp"
#include "runners/hosts/local_host.hpp"
#include "runners/hosts/signal_watcher.hpp"
#include "tuner/cli/command.hpp"
#include "tuner/cli/record.hpp"
#include "tuner/cli/restored.hpp"
#include "tuner/cli/rig_command.hpp"
#include "tuner/cli/terminal.hpp"
#include "tuner/loop/calibration_file.hpp"
#include "tuner/loop/loop.hpp"
#include "tuner/loop/notify.hpp"
#include "tuner/loop/schedule.hpp"

namespace netsettle::tuner {
namespace {

namespace options = boost::program_options;

CommandLine run_command_line() {
  CommandLine line(
      "run FILE [--db FILE] [--until HH:MM] [--set KEY=VALUE]... [--import-from FILE] [--detach]",
      "Runs the study of an experiment file: pilot, search, confirmation, verdict. The same command goes on where it stopped; ctrl-C\n"
      "gives everything back. Exit 0: done, also when nothing is proven; 3: this machine cannot do it; 4: something could not be given\n"
      "back; 5: ended early; 6: the record belongs to another experiment; 7: another netsettle holds the machine; 130, 143: interrupted.",
      "netsettle run datasets/experiments/quickstart.toml --set budget.trials=60");
  line.positional("file", 1);
  line.add()("db", options::value<std::string>(), "the record; default ./NAME.netsettle.db")(
      "until", options::value<std::string>(), "end at this local time instead of the recorded one")(
      "set", options::value<std::vector<std::string>>()->composing(), "override one key of the file")(
      "import-from", options::value<std::string>(), "a record whose trials inform the search of a new study")(
      "detach", "run in the background; survives a closed laptop")("json", "the verdict as JSON at the end");
  return line;
}

struct Request {
  Experiment experiment;
  std::vector<std::string> override_texts;
  std::filesystem::path database;
  std::optional<std::string> until;
  std::optional<std::filesystem::path> import_from;
};

std::expected<Request, int> read_request(const CommandLine& line) {
  if (!line.has("file")) return std::unexpected(print_error({ErrorCode::invalid_input, "run", "an experiment file is needed"}));
  Request request;
  request.override_texts = line.texts("set");
  const auto overrides = parse_overrides(request.override_texts);
  if (!overrides) return std::unexpected(overrides.error());
  auto experiment = read_experiment(line.text("file"), *overrides);
  if (!experiment) return std::unexpected(print_diagnostics(experiment.error()));
  request.experiment = std::move(*experiment);
  request.database = line.has("db") ? std::filesystem::path(line.text("db")) : default_database(request.experiment.study.name);
  if (line.has("import-from")) request.import_from = line.text("import-from");
  if (line.has("until")) {
    request.until = line.text("until");
    const auto instant = next_local_time(*request.until, runners::SystemClock().utc().count());
    if (!instant) return std::unexpected(print_error(instant.error()));
  }
  return request;
}

void introduce(const Request& request, bool continues) {
  const auto host_wide = host_wide_settings(request.experiment);
  fmt::print("Study {} in {}{}.\n", request.experiment.study.name, request.database.string(), continues ? "" : " (new)");
  if (!host_wide.empty())
    fmt::print("While it runs, this affects the whole machine: {}. Everything is given back at the end, after ctrl-C and after a crash.\n",
               fmt::join(host_wide, ", "));
  if (runners::is_fragile_terminal())
    fmt::print(
        "This terminal is an ssh session: when it is lost the study stops (everything is given back). --detach or tmux keeps it "
        "running.\n");
  std::fflush(stdout);
}

int detach(const Arguments& arguments, const Request& request) {
  Arguments argv = {runners::own_program(), "run"};
  std::ranges::copy_if(arguments, std::back_inserter(argv), [](const std::string& word) { return word != "--detach"; });
  const auto log = std::filesystem::absolute(request.experiment.study.name + ".netsettle.log");
  const auto started = runners::start_in_background(argv, "netsettle-" + request.experiment.study.name, log);
  if (!started) return print_error(started.error());
  fmt::print("Study {} runs in the background ({}).\nLog: {}\n'netsettle status' shows where it stands, 'netsettle stop' ends it.\n",
             request.experiment.study.name, started->how, log.string());
  return kDone;
}

int interrupted_code(const runners::StopFlag& stop) { return stop != 0 ? 128 + stop : kDone; }

int finish(const Request& request, const SessionResult& result, const runners::StopFlag& stop, Format format) {
  const int restored = print_restored(result.restored, Detail::failures);
  if (result.end == SessionEnd::finished) print_outcome(request.database, format);
  if (result.end == SessionEnd::interrupted)
    fmt::print("Interrupted; {}. The same command goes on from here.\n",
               restored == kDone ? "everything was given back" : "not everything was given back");
  if (result.end == SessionEnd::aborted)
    fmt::print(stderr, "netsettle: the study ended early: {}\n{} Every finished trial is in {}; the same command goes on.\n", result.reason,
               restored == kDone ? "Everything was given back." : "Not everything was given back.", request.database.string());
  if (restored != kDone) return restored;
  if (result.end == SessionEnd::aborted) return kEndedEarly;
  return result.end == SessionEnd::interrupted ? interrupted_code(stop) : kDone;
}

void print_finished(const RecordCheck& record) {
  if (record.least_extension)
    fmt::print(
        "This study is finished. --set budget.trials={} or more lets it go on, with a new confirmation; another study needs another\n"
        "record (--db) or name.\n",
        *record.least_extension);
  else
    fmt::print("This study is finished; another one needs another record (--db) or name.\n");
}

int run_study(const Arguments& arguments, const Request& request, Format format) {
  runners::StopFlag stop = 0, after_trial = 0;
  const auto hangup = runners::is_detached() ? runners::SignalWatcher::Hangup::ignored : runners::SignalWatcher::Hangup::stops;
  const runners::SignalWatcher watcher(stop, after_trial, hangup);
  const auto host = runners::make_local_host();
  auto machine = inspect_machine(*host, request.experiment);
  if (!machine) return print_errors(machine.error());
  note_calibration(default_calibration_file(request.experiment.study.name), *machine);
  const auto record = check_record(request.database, request.experiment, *machine);
  if (!record) return print_error(record.error());
  if (record->finished) {
    print_finished(*record);
    print_outcome(request.database, format);
    return kDone;
  }
  if (request.import_from)  // before anything is touched
    if (const auto prior = datasets::Store::open_reader(*request.import_from); !prior) return print_error(prior.error());
  const auto paths = runners::default_guard_paths();
  if (const auto code = clean_up_after_crash(paths)) return *code;
  introduce(request, record->exists);
  Arguments argv = {"netsettle", "run"};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  const SessionOptions session{.database = request.database,
                               .overrides = request.override_texts,
                               .argv = argv,
                               .until = request.until,
                               .import_from = request.import_from,
                               .guard_paths = paths,
                               .guard_program = runners::own_program().parent_path() / "netsettle-guard"};
  TerminalObserver observer;
  const auto result = run_session(*host, request.experiment, *machine, session, observer, stop, after_trial);
  observer.end();
  if (!result) return print_errors(result.error());
  const int code = finish(request, *result, stop, format);
  notify(*host, request.experiment, request.database, *result, code);
  return code;
}

}  // namespace

int run_run(const Arguments& arguments) {
  CommandLine line = run_command_line();
  if (const auto exit = line.parse(arguments)) return *exit;
  const auto request = read_request(line);
  if (!request) return request.error();
  if (line.has("detach")) return detach(arguments, *request);
  return run_study(arguments, *request, line.has("json") ? Format::json : Format::text);
}

}  // namespace netsettle::tuner
