#pragma once
// Builds the text over which experiments and search spaces are hashed. Its form is stored (as a hash) in every record: change it and old
// records are no longer recognised. Private to this folder.

#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "datasets/model/experiment.hpp"

namespace netsettle {

/// One "key=value" per line. Texts are written with their length before them, so that no text can imitate a line.
class CanonicalLines {
 public:
  void add(std::string_view key, std::string_view text) { lines_ += fmt::format("{}={}:{}\n", key, text.size(), text); }
  template <typename Number>
    requires std::is_arithmetic_v<Number>
  void add(std::string_view key, Number number) {
    lines_ += fmt::format("{}={}\n", key, number);
  }
  void add(std::string_view key, Microseconds duration) { add(key, duration.count()); }
  void add(std::string_view key, const std::vector<std::string>& texts) {
    add(key, texts.size());
    for (const std::string& text : texts) add(key, std::string_view(text));
  }
  void add(std::string_view key, const std::vector<Value>& values) {
    add(key, values.size());
    for (const Value& value : values) add(key, fmt::format("{}/{}", value.index(), to_text(value)));
  }
  void add(std::string_view key, const std::vector<Expression>& expressions) {
    add(key, expressions.size());
    for (const Expression& expression : expressions) add(key, std::string_view(expression.text()));
  }
  void add(std::string_view key, const std::optional<Expression>& expression) {
    if (expression) add(key, std::string_view(expression->text()));
  }

  const std::string& text() const { return lines_; }

 private:
  std::string lines_;
};

}  // namespace netsettle
