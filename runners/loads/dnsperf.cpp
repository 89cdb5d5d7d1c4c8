#include "runners/loads/dnsperf.hpp"

#include <chrono>

#include <fmt/format.h>

#include "runners/loads/dnsperf_output.hpp"

namespace netsettle::runners {
namespace {

// dnsperf 2.14; older versions have fewer and say so themselves.
constexpr std::string_view kOwned = "spdcqTltSxfnum";  // target, input, window, life, series, ports, mode
constexpr std::string_view kHelp = "hH";
constexpr std::string_view kFlags = "BDevW";
constexpr std::string_view kWithValue = "abEOQy";

std::string_view key_of(char option) {
  switch (option) {
    case 'd':
      return "load.queries";
    case 'c':
      return "load.clients";
    case 'q':
      return "load.outstanding";
    case 'T':
      return "load.threads";
    case 't':
      return "load.timeout";
    case 'f':
      return "load.family";
    case 'x':
      return "load.source_ports";
    case 'p':
      return "server.port";
    case 'l':
      return "trial.measure";
    default:
      return "";
  }
}

/// Seconds without exponent and without trailing zeros: "0.2", "33".
std::string seconds_text(double seconds) {
  std::string text = fmt::format("{:.6f}", seconds);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

/// Why an option that is neither a flag nor takes a value of the user is not passed on.
Error refusal(char option, const std::string& argument) {
  std::string why = fmt::format("dnsperf has no option -{}", option);
  if (kHelp.find(option) != std::string_view::npos) why = fmt::format("-{} only prints help", option);
  if (kOwned.find(option) != std::string_view::npos) {
    const std::string_view key = key_of(option);
    why = fmt::format("-{} is set by netsettle", option) + (key.empty() ? "" : fmt::format("; use {}", key));
  }
  return {ErrorCode::invalid_input, "load.arguments", argument + ": " + why};
}

/// One word of the arguments that begins with "-". True where its value is the next word.
Expected<bool> value_follows(const std::string& argument) {
  for (std::size_t i = 1; i < argument.size(); ++i) {
    if (kFlags.find(argument[i]) != std::string_view::npos) continue;
    if (kWithValue.find(argument[i]) != std::string_view::npos) return i + 1 == argument.size();
    return std::unexpected(refusal(argument[i], argument));
  }
  return false;
}

}  // namespace

Expected<void> check_dnsperf_arguments(const std::vector<std::string>& arguments) {
  for (auto argument = arguments.begin(); argument != arguments.end(); ++argument) {
    if (argument->size() < 2 || argument->front() != '-' || *argument == "--")
      return fail(ErrorCode::invalid_input, "load.arguments", *argument + ": is no option");
    NETSETTLE_ASSIGN(const bool takes_next, value_follows(*argument));
    if (takes_next && ++argument == arguments.end())
      return fail(ErrorCode::invalid_input, "load.arguments", arguments.back() + ": has no value");
  }
  return {};
}

Expected<std::vector<std::string>> Dnsperf::command_line(const LoadSection& load, const LoadTarget& target) const {
  NETSETTLE_TRY(check_dnsperf_arguments(load.arguments));
  std::vector<std::string> argv = {std::string(program())};
  const auto add = [&](const char* option, std::string value) { argv.insert(argv.end(), {option, std::move(value)}); };
  add("-s", target.address);
  add("-p", std::to_string(target.port));
  add("-d", load.queries);
  add("-c", std::to_string(load.clients));
  add("-q", std::to_string(load.outstanding));
  add("-T", std::to_string(load.threads));
  add("-l", seconds_text(target.seconds));
  add("-t", seconds_text(std::chrono::duration<double>(load.timeout).count()));
  add("-S", seconds_text(target.interval_s));
  add("-f", load.family == AddressFamily::ipv4 ? "inet" : "inet6");
  if (target.first_source_port) add("-x", std::to_string(*target.first_source_port));
  argv.insert(argv.end(), load.arguments.begin(), load.arguments.end());
  return argv;
}

LoadReport Dnsperf::parse(std::string_view standard_output, std::string_view standard_error) const {
  return parse_dnsperf(standard_output, standard_error);
}

}  // namespace netsettle::runners
