#include "datasets/model/placeholders.hpp"

#include <algorithm>

namespace netsettle {
namespace {

bool is_word_character(char c) { return (c >= 'a' && c <= 'z') || c == '_'; }

}  // namespace

Expected<std::string> with_placeholders(std::string_view text, const PlaceholderValue& value_of) {
  std::string filled;
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::size_t end = i + 1;
    while (text[i] == '{' && end < text.size() && is_word_character(text[end])) ++end;
    if (text[i] != '{' || end == i + 1 || end == text.size() || text[end] != '}') {
      filled += text[i];
      continue;
    }
    NETSETTLE_ASSIGN(const std::string value, value_of(text.substr(i + 1, end - i - 1)));
    filled += value;
    i = end;
  }
  return filled;
}

Expected<std::vector<std::string>> with_placeholders(const std::vector<std::string>& arguments, const PlaceholderValue& value_of) {
  std::vector<std::string> filled;
  for (const std::string& argument : arguments) {
    NETSETTLE_ASSIGN(std::string text, with_placeholders(argument, value_of));
    filled.push_back(std::move(text));
  }
  return filled;
}

bool has_placeholder(const std::vector<std::string>& arguments, std::string_view name) {
  const std::string placeholder = "{" + std::string(name) + "}";
  return std::ranges::any_of(arguments, [&](const std::string& argument) { return argument.find(placeholder) != std::string::npos; });
}

}  // namespace netsettle
