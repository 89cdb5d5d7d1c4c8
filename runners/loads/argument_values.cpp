#include "runners/loads/argument_values.hpp"

#include "runners/loads/printed_number.hpp"

namespace netsettle::runners {
namespace {

/// Where a short argument ("-eq", "-q50") ends: the letter that takes a value, and what is attached to it.
struct ShortArgument {
  char letter = 0;  // 0: only flags
  std::string_view attached;
  bool takes_next = false;
};

ShortArgument short_argument(std::string_view word, const OptionLetters& letters) {
  for (std::size_t i = 1; i < word.size(); ++i) {
    const bool required = letters.with_value.find(word[i]) != std::string_view::npos;
    if (!required && letters.with_optional_value.find(word[i]) == std::string_view::npos) continue;
    const std::string_view attached = word.substr(i + 1);
    return {word[i], attached, required && attached.empty()};
  }
  return {};
}

}  // namespace

std::optional<std::string> text_argument(const std::vector<std::string>& argv, OptionName option, const OptionLetters& letters) {
  std::optional<std::string> value;
  for (std::size_t i = 1; i < argv.size(); ++i) {
    const std::string_view word = argv[i];
    if (word == "--") break;
    if (word.starts_with("--")) {
      const std::string_view name = word.substr(2);
      if (option.long_name.empty() || !name.starts_with(option.long_name)) continue;
      const std::string_view rest = name.substr(option.long_name.size());
      if (rest.starts_with('=')) value = rest.substr(1);
      if (rest.empty() && i + 1 < argv.size()) value = argv[++i];
    } else if (word.size() > 1 && word.front() == '-') {
      const ShortArgument found = short_argument(word, letters);
      if (found.takes_next && ++i >= argv.size()) break;
      if (found.letter == option.letter) value = found.takes_next ? argv[i] : std::string(found.attached);
    }
  }
  return value;
}

std::optional<double> number_argument(const std::vector<std::string>& argv, OptionName option, const OptionLetters& letters) {
  const auto text = text_argument(argv, option, letters);
  return text ? printed_number(*text) : std::nullopt;
}

std::vector<std::string> words_of(std::string_view command_line) {
  std::vector<std::string> words;
  while (!command_line.empty()) {
    const std::size_t blank = std::min(command_line.find(' '), command_line.size());
    if (blank > 0) words.emplace_back(command_line.substr(0, blank));
    command_line.remove_prefix(std::min(blank + 1, command_line.size()));
  }
  return words;
}

}  // namespace netsettle::runners
