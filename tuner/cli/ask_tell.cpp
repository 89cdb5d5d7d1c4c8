#include "tuner/loop/ask_tell.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <functional>

#include "runners/hosts/local_host.hpp"
#include "runners/hosts/signal_watcher.hpp"
#include "tuner/cli/command.hpp"
#include "tuner/loop/preparation.hpp"
#include "tuner/loop/study.hpp"

namespace netsettle::tuner {
namespace {

namespace options = boost::program_options;

CommandLine ask_tell_command_line() {
  CommandLine line(
      "ask-tell FILE [--db FILE] [--seed N] [--set KEY=VALUE]... [--import-from FILE]",
      "The search for somebody else's experiment: another program runs the trials, netsettle decides. JSON lines on standard input and\n"
      "output, one answer for each message: {\"ask\":{}} gives a trial with its configuration, {\"tell\":{\"trial\":1,\"value\":81234.5}}\n"
      "says what it showed, {\"finish\":{}} ends the study. The file has rig.kind = \"external\". The end of the input, ctrl-C and a "
      "crash\n"
      "leave a record; the same command goes on from it, and open trials are asked again under their numbers. Exit 0: the input ended;\n"
      "2: mistakes in the file; 6: the record belongs to another experiment; 7: another netsettle writes the record; 130, 143: a signal.",
      "printf '{\"ask\":{}}\\n' | netsettle ask-tell datasets/experiments/external.toml");
  line.positional("file", 1);
  line.add()("db", options::value<std::string>(), "the record; default ./NAME.netsettle.db")("seed", options::value<std::string>(),
                                                                                             "instead of study.seed of the file")(
      "set", options::value<std::vector<std::string>>()->composing(), "override one key of the file")(
      "import-from", options::value<std::string>(), "a record whose trials inform the search of a new study");
  return line;
}

/// Lines of a descriptor, until its end or a signal.
class LineReader {
 public:
  LineReader(int descriptor, std::function<bool()> stopped) : descriptor_(descriptor), stopped_(std::move(stopped)) {}

  /// nullopt: the input has ended, or a signal came.
  std::optional<std::string> next() {
    for (;;) {
      if (stopped_()) return std::nullopt;
      if (const auto newline = buffer_.find('\n', searched_); newline != std::string::npos) return take(newline);
      searched_ = buffer_.size();
      if (ended_) return buffer_.empty() ? std::nullopt : std::optional(take(buffer_.size()));
      read_more();
    }
  }

 private:
  std::string take(std::size_t end) {
    std::string line = buffer_.substr(0, end);
    buffer_.erase(0, end + 1);
    searched_ = 0;
    if (line.ends_with('\r')) line.pop_back();
    return line;
  }

  void read_more() {
    constexpr int kPatienceMs = 50;  // between two looks at the signals
    pollfd input{.fd = descriptor_, .events = POLLIN, .revents = 0};
    if (::poll(&input, 1, kPatienceMs) <= 0) return;
    std::array<char, 65536> bytes{};
    const auto count = ::read(descriptor_, bytes.data(), bytes.size());
    if (count > 0)
      buffer_.append(bytes.data(), static_cast<std::size_t>(count));
    else if (count == 0 || (errno != EINTR && errno != EAGAIN))
      ended_ = true;
  }

  int descriptor_;
  std::function<bool()> stopped_;
  std::string buffer_;
  std::size_t searched_ = 0;
  bool ended_ = false;
};

/// False where nobody listens any more.
bool print_line(const std::string& line) {
  return std::fwrite(line.data(), 1, line.size(), stdout) == line.size() && std::fputc('\n', stdout) != EOF && std::fflush(stdout) == 0;
}

int serve(AskTell& session, const runners::StopFlag& stop, const runners::StopFlag& after_trial) {
  LineReader lines(STDIN_FILENO, [&] { return stop != 0 || (after_trial != 0 && session.idle()); });
  std::string reason = "the input has ended";
  while (const auto line = lines.next())
    if (!print_line(session.answer(*line))) {
      reason = "nobody reads the answers";
      break;
    }
  if (stop != 0) reason = fmt::format("signal {}", static_cast<int>(stop));
  if (stop == 0 && after_trial != 0) reason = "stopped after a trial";
  if (const auto closed = session.close(reason); !closed) return print_error(closed.error());
  return stop != 0 ? 128 + stop : kDone;
}

}  // namespace

int run_ask_tell(const Arguments& arguments) {
  CommandLine line = ask_tell_command_line();
  if (const auto exit = line.parse(arguments)) return *exit;
  if (!line.has("file")) return print_error({ErrorCode::invalid_input, "ask-tell", "an experiment file is needed"});
  AskTellOptions session_options{.database = {}, .overrides = line.texts("set"), .argv = {"netsettle", "ask-tell"}};
  session_options.argv.insert(session_options.argv.end(), arguments.begin(), arguments.end());
  if (line.has("seed")) session_options.overrides.push_back("study.seed=" + line.text("seed"));
  const auto overrides = parse_overrides(session_options.overrides);
  if (!overrides) return overrides.error();
  const auto experiment = read_experiment(line.text("file"), *overrides);
  if (!experiment) return print_diagnostics(experiment.error());
  if (experiment->rig.kind != RigKind::external)
    return print_error({ErrorCode::invalid_input, "rig.kind",
                        "ask-tell needs rig.kind = \"external\"; the trials of this file are run by netsettle itself (netsettle run)"});
  if (line.has("import-from")) session_options.import_from = line.text("import-from");
  session_options.database = line.has("db") ? std::filesystem::path(line.text("db")) : default_database(experiment->study.name);
  runners::StopFlag stop = 0, after_trial = 0;
  const runners::SignalWatcher watcher(stop, after_trial, runners::SignalWatcher::Hangup::stops);
  const auto host = runners::make_local_host();
  const auto session = AskTell::open(*host, *experiment, session_options);
  if (!session) return print_errors(session.error());
  if (!(*session)->note().empty()) fmt::print(stderr, "{}\n", (*session)->note());
  return serve(**session, stop, after_trial);
}

}  // namespace netsettle::tuner
