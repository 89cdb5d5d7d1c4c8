#include "runners/loads/load_options.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include <fmt/format.h>

namespace netsettle::runners {
namespace {

using Kind = LoadOption::Kind;
using Version = std::array<int, 3>;

/// The first "N.N…" in the text.
std::optional<Version> version_in(std::string_view text) {
  for (std::size_t begin = 0; begin < text.size(); ++begin) {
    if (text[begin] < '0' || text[begin] > '9') continue;
    Version version{};
    std::size_t parts = 0;
    const char *at = text.data() + begin, *const end = text.data() + text.size();
    while (parts < version.size()) {
      const auto [next, status] = std::from_chars(at, end, version[parts]);
      if (status != std::errc()) break;
      ++parts;
      at = next;
      if (at == end || *at != '.') break;
      ++at;
    }
    if (parts > 1) return version;
    while (begin + 1 < text.size() && text[begin + 1] >= '0' && text[begin + 1] <= '9') ++begin;
  }
  return std::nullopt;
}

/// Why an option is not passed on.
Error refusal(const LoadProgram& program, const LoadOption* option, char letter, const std::string& argument) {
  std::string why = fmt::format("{} has no option -{}", program.name, letter);
  if (option != nullptr && option->kind == Kind::help) why = fmt::format("-{} only prints help", letter);
  if (option != nullptr && option->kind != Kind::help)
    why = fmt::format("-{} is set by netsettle{}{}", letter, option->key.empty() ? "" : "; use ", option->key);
  // A key in the argument would be recorded with the error.
  const std::string subject = letter == 'y' ? "-y" : argument;
  return {ErrorCode::invalid_input, "load.arguments", subject + ": " + why};
}

/// One word of the arguments that begins with "-". True where its value is the next word.
Expected<bool> value_follows(const LoadProgram& program, const std::string& argument, std::string_view version) {
  for (std::size_t i = 1; i < argument.size(); ++i) {
    const auto found = std::ranges::find(program.options, argument[i], &LoadOption::letter);
    const LoadOption* const option = found == program.options.end() ? nullptr : &*found;
    if (option == nullptr || (option->kind != Kind::flag && option->kind != Kind::value))
      return std::unexpected(refusal(program, option, argument[i], argument));
    if (!has_feature(version, option->since))
      return fail(ErrorCode::invalid_input, "load.arguments",
                  fmt::format("{}: {} has -{} since {}, and here is {}", argument, program.name, argument[i], option->since, version));
    if (option->kind == Kind::value) return i + 1 == argument.size();
  }
  return false;
}

}  // namespace

const LoadProgram& dnsperf_program() {
  static const LoadProgram kProgram = {"dnsperf",
                                       {{'s', Kind::owned_value, ""},
                                        {'p', Kind::owned_value, "server.port"},
                                        {'d', Kind::owned_value, "load.queries"},
                                        {'c', Kind::owned_value, "load.clients"},
                                        {'q', Kind::owned_value, "load.outstanding"},
                                        {'Q', Kind::owned_value, "load.rate"},
                                        {'T', Kind::owned_value, "load.threads"},
                                        {'l', Kind::owned_value, "trial.measure"},
                                        {'t', Kind::owned_value, "load.timeout"},
                                        {'S', Kind::owned_value, ""},
                                        {'x', Kind::owned_value, "load.source_ports"},
                                        {'f', Kind::owned_value, "load.family"},
                                        {'y', Kind::owned_value, "load.tsig_key_file"},
                                        {'n', Kind::owned_value, ""},
                                        {'u', Kind::owned_flag, ""},
                                        {'m', Kind::owned_value, ""},
                                        {'h', Kind::help},
                                        {'H', Kind::help},
                                        {'B', Kind::flag, "", "2.10"},
                                        {'D', Kind::flag},
                                        {'e', Kind::flag},
                                        {'v', Kind::flag},
                                        {'W', Kind::flag, "", "2.4"},
                                        {'a', Kind::value},
                                        {'b', Kind::value},
                                        {'E', Kind::value, "", "2.2"},
                                        {'O', Kind::value, "", "2.7"}}};
  return kProgram;
}

const LoadProgram& resperf_program() {
  static const LoadProgram kProgram = {"resperf",
                                       {{'s', Kind::owned_value, ""},
                                        {'p', Kind::owned_value, "server.port"},
                                        {'d', Kind::owned_value, "load.queries"},
                                        {'C', Kind::owned_value, "load.clients"},
                                        {'q', Kind::owned_value, "load.outstanding"},
                                        {'r', Kind::owned_value, "trial.measure"},
                                        {'t', Kind::owned_value, "load.timeout"},
                                        {'x', Kind::owned_value, "load.source_ports"},
                                        {'f', Kind::owned_value, "load.family"},
                                        {'y', Kind::owned_value, "load.tsig_key_file"},
                                        {'P', Kind::owned_value, ""},
                                        {'R', Kind::owned_flag, ""},
                                        {'M', Kind::owned_value, ""},
                                        {'h', Kind::help},
                                        {'H', Kind::help},
                                        {'D', Kind::flag},
                                        {'e', Kind::flag},
                                        {'v', Kind::flag, "", "2.3"},
                                        {'W', Kind::flag, "", "2.4"},
                                        {'a', Kind::value},
                                        {'b', Kind::value},
                                        {'c', Kind::value},
                                        {'E', Kind::value, "", "2.7"},
                                        {'F', Kind::value, "", "2.5"},
                                        {'i', Kind::value},
                                        {'L', Kind::value},
                                        {'m', Kind::value},
                                        {'O', Kind::value, "", "2.7"}}};
  return kProgram;
}

const LoadProgram& kxdpgun_program() {
  static const LoadProgram kProgram = {"kxdpgun",
                                       {{'t', Kind::owned_value, "trial.measure"},
                                        {'Q', Kind::owned_value, "load.rate"},
                                        {'p', Kind::owned_value, "server.port"},
                                        {'i', Kind::owned_value, "load.queries"},
                                        {'r', Kind::owned_flag, ""},
                                        {'T', Kind::owned_optional, ""},
                                        {'U', Kind::owned_optional, ""},
                                        {'j', Kind::owned_flag, ""},
                                        {'S', Kind::owned_value, ""},
                                        {'h', Kind::help},
                                        {'V', Kind::help},
                                        {'B', Kind::flag, "", "3.4"},
                                        {'b', Kind::value},
                                        {'F', Kind::value},
                                        {'I', Kind::value},
                                        {'l', Kind::value},
                                        {'L', Kind::value},
                                        {'R', Kind::value},
                                        {'v', Kind::value},
                                        {'e', Kind::value, "", "3.3"},
                                        {'m', Kind::value, "", "3.3"},
                                        {'G', Kind::value, "", "3.3"}}};
  return kProgram;
}

Expected<void> check_load_arguments(const LoadProgram& program, const std::vector<std::string>& arguments, std::string_view version) {
  for (auto argument = arguments.begin(); argument != arguments.end(); ++argument) {
    if (argument->starts_with("--") && argument->size() > 2)
      return fail(ErrorCode::invalid_input, "load.arguments", *argument + ": write options with one letter");
    if (argument->size() < 2 || argument->front() != '-' || *argument == "--")
      return fail(ErrorCode::invalid_input, "load.arguments", *argument + ": is no option");
    NETSETTLE_ASSIGN(const bool takes_next, value_follows(program, *argument, version));
    if (takes_next && ++argument == arguments.end())
      return fail(ErrorCode::invalid_input, "load.arguments", arguments.back() + ": has no value");
  }
  return {};
}

bool has_feature(std::string_view version, std::string_view since) {
  const auto here = version_in(version), first = version_in(since);
  return !here || !first || *here >= *first;
}

std::string seconds_text(double seconds) {
  std::string text = fmt::format("{:.6f}", seconds);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

}  // namespace netsettle::runners
