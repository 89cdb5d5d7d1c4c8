#pragma once
// The small language of range, when, require, with, subject_to and abort_if: numbers, 'text', names, + - * /, comparisons,
// and or not, in [a, b], min max round, as_found and as_found(parameter). Nothing else; no side effects.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "datasets/model/error.hpp"

namespace netsettle {

/// What an expression may evaluate to. `Inactive` is a parameter whose `when` is false: it makes the boolean term in
/// which it stands true.
struct Inactive {
  auto operator<=>(const Inactive&) const = default;
};
using ExpressionValue = std::variant<Inactive, bool, double, std::string>;

/// Looks a name up. `as_found` is asked as "as_found", `as_found(rmem)` as "as_found(rmem)". nullopt: unknown.
using NameLookup = std::function<std::optional<ExpressionValue>(std::string_view name)>;

/// What an expression or a name is, as far as it is known before any value is.
enum class ExpressionKind { boolean, number, text };
using KindLookup = std::function<std::optional<ExpressionKind>(std::string_view name)>;

class Expression {
 public:
  /// Failure: invalid_input; `subject` is the 0-based offset of the mistake in `text` as decimal digits.
  static Expected<Expression> parse(std::string_view text);
  /// A constant number.
  static Expression number(double value);

  /// Failure: invalid_input for an unknown name, a type mismatch, a division by zero.
  Expected<ExpressionValue> evaluate(const NameLookup& lookup) const;
  Expected<double> evaluate_number(const NameLookup& lookup) const;
  /// Inactive counts as true.
  Expected<bool> evaluate_bool(const NameLookup& lookup) const;

  /// What a value of it will be, found without values. Failure: invalid_input for an unknown name and for kinds that do not fit
  /// ("a number is compared with a text").
  Expected<ExpressionKind> kind(const KindLookup& lookup) const;

  /// Every name that occurs, `as_found(x)` as "as_found(x)"; sorted, each once.
  std::vector<std::string> names() const;
  const std::string& text() const { return text_; }

  struct Node;  // the syntax tree, defined in expression.cpp

 private:
  std::string text_;
  std::shared_ptr<const Node> root_;
};

}  // namespace netsettle
