#include "tuner/cli/configuration_option.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace netsettle::tuner {

namespace {

/// The words between the commas.
std::vector<std::string> words_of(const std::vector<std::string>& assignments) {
  std::vector<std::string> words;
  for (const std::string& text : assignments)
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find(',', begin), text.size());
      words.push_back(text.substr(begin, end - begin));
      begin = end + 1;
    }
  return words;
}

}  // namespace

Expected<Override> start_override(const std::vector<std::string>& assignments) {
  if (assignments.empty()) return Override{"search.start", "[]"};
  std::string entry;
  for (const std::string& word : words_of(assignments)) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos || equals == 0)
      return fail(ErrorCode::invalid_input, "--configuration", word + " is no PARAMETER=VALUE (like rmem=4MiB)");
    const std::string value = word.substr(equals + 1);
    double number = 0;
    const auto [rest, status] = std::from_chars(value.data(), value.data() + value.size(), number);
    const bool bare = value == "true" || value == "false" || (status == std::errc() && rest == value.data() + value.size());
    entry += fmt::format("{}{} = {}", entry.empty() ? "" : ", ", word.substr(0, equals), bare ? value : "\"" + value + "\"");
  }
  return Override{"search.start", "[{ " + entry + " }]"};
}

Expected<void> check_kept(const std::vector<std::string>& assignments, const std::vector<std::pair<std::string, std::string>>& dropped) {
  for (const std::string& word : words_of(assignments))
    for (const auto& [name, reason] : dropped)
      if (word.substr(0, word.find('=')) == name)
        return fail(ErrorCode::unsupported, "--configuration", fmt::format("the parameter {} is left out here: {}", name, reason));
  return {};
}

Expected<std::map<std::string, std::string>> settings_of_start(const Experiment& experiment, const SearchSpace& space) {
  if (experiment.search.start.empty()) return space.settings_of(space.baseline());
  NETSETTLE_ASSIGN(const Configuration configuration, space.canonical(experiment.search.start.front()));
  return space.settings_of(configuration);
}

std::string assignments_text(const std::map<std::string, std::string>& settings) {
  if (settings.empty()) return "as found";
  std::string text;
  for (const auto& [name, value] : settings) text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name, value);
  return text;
}

}  // namespace netsettle::tuner
