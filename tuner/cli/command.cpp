#include "tuner/cli/command.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <fmt/format.h>

#include <iostream>

namespace netsettle::tuner {
namespace options = boost::program_options;

CommandLine::CommandLine(std::string usage, std::string summary, std::string example)
    : usage_(std::move(usage)), summary_(std::move(summary)), example_(std::move(example)) {
  visible_.add_options()("help,h", "this text");
}

void CommandLine::positional(const char* name, int count) {
  hidden_.add_options()(name, count == 1 ? static_cast<const options::value_semantic*>(options::value<std::string>())
                                         : options::value<std::vector<std::string>>());
  positional_.add(name, count);
}

std::optional<int> CommandLine::parse(const Arguments& arguments) {
  options::options_description all;
  all.add(visible_).add(hidden_);
  try {
    // No guessing: "--dry" is not "--dry-run".
    const auto style = options::command_line_style::default_style & ~options::command_line_style::allow_guessing;
    options::store(options::command_line_parser(arguments).options(all).positional(positional_).style(style).run(), values_);
    options::notify(values_);
  } catch (const options::error& error) {
    fmt::print(stderr, "netsettle: {}\n\nUsage: netsettle {}\nMore: netsettle {} --help\n", error.what(), usage_,
               usage_.substr(0, usage_.find(' ')));
    return kUsage;
  }
  if (!has("help")) return std::nullopt;
  print_help();
  return kDone;
}

void CommandLine::print_help() const {
  std::cout << "Usage: netsettle " << usage_ << "\n\n" << summary_ << "\n\n" << visible_ << "\nExample:\n  " << example_ << "\n";
}

std::vector<std::string> CommandLine::texts(const char* name) const {
  return has(name) ? values_[name].as<std::vector<std::string>>() : std::vector<std::string>();
}

namespace {

int exit_code(const Error& error) {
  switch (error.code) {
    case ErrorCode::invalid_input:
      return kUsage;
    case ErrorCode::mismatch:
      return kMismatch;
    case ErrorCode::busy:
      return kBusy;
    case ErrorCode::internal:
      return kInternal;
    default:
      return kPreflight;
  }
}

}  // namespace

int print_error(const Error& error) {
  fmt::print(stderr, "netsettle: {}\n", to_text(error));
  return exit_code(error);
}

int print_errors(const Errors& errors) {
  for (const auto& error : errors) print_error(error);
  return errors.empty() ? kInternal : exit_code(errors.front());
}

int print_diagnostics(const std::vector<Diagnostic>& diagnostics) {
  for (const auto& diagnostic : diagnostics) fmt::print(stderr, "{}\n", to_text(diagnostic));
  return kUsage;
}

std::expected<std::vector<Override>, int> parse_overrides(const std::vector<std::string>& texts) {
  std::vector<Override> overrides;
  for (const auto& text : texts) {
    auto parsed = parse_override(text);
    if (!parsed) {
      print_error(parsed.error());
      return std::unexpected(static_cast<int>(kUsage));
    }
    overrides.push_back(std::move(*parsed));
  }
  return overrides;
}

int terminal_width() {
  if (!isatty(STDOUT_FILENO)) return 0;
  winsize size{};
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace netsettle::tuner
