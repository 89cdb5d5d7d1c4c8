#pragma once
// What all commands share: exit codes, options with --help and an example, error lines. One file per command; the list is in commands.cpp.

#include <boost/program_options.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/model/error.hpp"
#include "datasets/model/experiment_file.hpp"

namespace netsettle::tuner {

/// docs/commands.md explains each.
enum ExitCode : int {
  kDone = 0,
  kInternal = 1,
  kUsage = 2,
  kPreflight = 3,
  kNotRestored = 4,
  kEndedEarly = 5,
  kMismatch = 6,
  kBusy = 7,
};

using Arguments = std::vector<std::string>;

struct Command {
  std::string_view name;
  std::string_view summary;
  int (*run)(const Arguments& arguments);
};

/// All commands, in the order of the help text.
std::span<const Command> commands();

int run_ask_tell(const Arguments& arguments);
int run_calibrate(const Arguments& arguments);
int run_check(const Arguments& arguments);
int run_compare(const Arguments& arguments);
int run_confirm(const Arguments& arguments);
int run_db(const Arguments& arguments);
int run_doctor(const Arguments& arguments);
int run_explain(const Arguments& arguments);
int run_export(const Arguments& arguments);
int run_parse(const Arguments& arguments);
int run_init(const Arguments& arguments);
int run_plan(const Arguments& arguments);
int run_replay(const Arguments& arguments);
int run_report(const Arguments& arguments);
int run_rerun(const Arguments& arguments);
int run_restore(const Arguments& arguments);
int run_run(const Arguments& arguments);
int run_show(const Arguments& arguments);
int run_simulate(const Arguments& arguments);
int run_status(const Arguments& arguments);
int run_stop(const Arguments& arguments);
int run_trial_command(const Arguments& arguments);

/// The options of one command. Adds --help by itself.
class CommandLine {
 public:
  /// `usage` is what follows "netsettle ", `example` a whole command line.
  CommandLine(std::string usage, std::string summary, std::string example);

  boost::program_options::options_description_easy_init add() { return visible_.add_options(); }
  /// A positional argument; the last one may repeat (`count` -1).
  void positional(const char* name, int count);

  /// nullopt: go on. Otherwise the exit code: 0 after --help, 2 after a mistake (printed).
  std::optional<int> parse(const Arguments& arguments);

  bool has(const char* name) const { return values_.count(name) > 0; }
  std::string text(const char* name) const { return has(name) ? values_[name].as<std::string>() : std::string(); }
  std::vector<std::string> texts(const char* name) const;

 private:
  void print_help() const;

  std::string usage_, summary_, example_;
  boost::program_options::options_description visible_{"Options"};
  boost::program_options::options_description hidden_;
  boost::program_options::positional_options_description positional_;
  boost::program_options::variables_map values_;
};

/// "netsettle: subject: text" on standard error; the exit code that belongs to the error.
int print_error(const Error& error);
/// Every one of them; the code of the first.
int print_errors(const Errors& errors);
/// "file:line:column: message" lines; always kUsage.
int print_diagnostics(const std::vector<Diagnostic>& diagnostics);

/// The overrides of --set, or the exit code after a printed mistake.
std::expected<std::vector<Override>, int> parse_overrides(const std::vector<std::string>& texts);

/// Columns of the terminal on standard output; 0 where it is none.
int terminal_width();

}  // namespace netsettle::tuner
