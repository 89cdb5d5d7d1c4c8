#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "datasets/model/expression.hpp"
#include "datasets/model/expression_node.hpp"

// Evaluation of the tree. Truth has three values (Kleene): true, false and Inactive, which stands for "this term is about a parameter that
// plays no part here". `not Inactive` stays Inactive, `false and Inactive` is false, `true or Inactive` is true; what is left at
// the root as Inactive counts as true.
namespace netsettle {
namespace {

using Node = Expression::Node;

std::string_view kind_of(const ExpressionValue& value) {
  if (std::holds_alternative<bool>(value)) return "true or false";
  if (std::holds_alternative<double>(value)) return "a number";
  if (std::holds_alternative<std::string>(value)) return "a text";
  return "inactive";
}

bool is_inactive(const ExpressionValue& value) { return std::holds_alternative<Inactive>(value); }

class Evaluator {
 public:
  Evaluator(const std::string& text, const NameLookup& lookup) : text_(text), lookup_(lookup) {}

  Expected<ExpressionValue> value(const Node& node) const {
    switch (node.operation) {
      case Operation::number:
        return node.number;
      case Operation::text:
        return node.text;
      case Operation::name:
        return named(node);
      case Operation::in:
        return contained(node);
      case Operation::logical_and:
        return logical(node, false);
      case Operation::logical_or:
        return logical(node, true);
      case Operation::logical_not:
        return negated(node);
      case Operation::less:
      case Operation::less_equal:
      case Operation::greater:
      case Operation::greater_equal:
      case Operation::equal:
      case Operation::not_equal:
        return compared(node);
      default:
        return arithmetic(node);
    }
  }

  std::unexpected<Error> error(std::string text) const { return fail(ErrorCode::invalid_input, text_, std::move(text)); }

 private:
  Expected<ExpressionValue> named(const Node& node) const {
    auto found = lookup_(node.text);
    if (!found) return error(fmt::format("unknown name '{}'", node.text));
    return *std::move(found);
  }

  /// A truth value; nullopt: Inactive.
  Expected<std::optional<bool>> truth(const Node& node) const {
    NETSETTLE_ASSIGN(const ExpressionValue result, value(node));
    if (is_inactive(result)) return std::optional<bool>();
    if (const bool* flag = std::get_if<bool>(&result)) return std::optional(*flag);
    return error(fmt::format("{} stands where true or false is needed", kind_of(result)));
  }

  /// and, or: the left side alone decides where it equals `deciding`, so that `x != 0 and 10 / x > 1` is safe.
  Expected<ExpressionValue> logical(const Node& node, bool deciding) const {
    NETSETTLE_ASSIGN(const auto left, truth(node.operands[0]));
    if (left == deciding) return deciding;
    NETSETTLE_ASSIGN(const auto right, truth(node.operands[1]));
    if (right == deciding) return deciding;
    if (!left || !right) return Inactive{};
    return !deciding;
  }

  Expected<ExpressionValue> negated(const Node& node) const {
    NETSETTLE_ASSIGN(const auto operand, truth(node.operands[0]));
    if (!operand) return Inactive{};
    return !*operand;
  }

  Expected<bool> equal(const ExpressionValue& left, const ExpressionValue& right) const {
    if (left.index() != right.index()) return error(fmt::format("{} is compared with {}", kind_of(left), kind_of(right)));
    return left == right;
  }

  Expected<ExpressionValue> contained(const Node& node) const {
    NETSETTLE_ASSIGN(const ExpressionValue wanted, value(node.operands[0]));
    bool found = false;
    for (std::size_t i = 1; i < node.operands.size(); ++i) {
      NETSETTLE_ASSIGN(const ExpressionValue item, value(node.operands[i]));
      if (is_inactive(wanted) || is_inactive(item)) return Inactive{};
      NETSETTLE_ASSIGN(const bool same, equal(wanted, item));
      found = found || same;
    }
    return found;
  }

  Expected<ExpressionValue> compared(const Node& node) const {
    NETSETTLE_ASSIGN(const ExpressionValue left, value(node.operands[0]));
    NETSETTLE_ASSIGN(const ExpressionValue right, value(node.operands[1]));
    if (is_inactive(left) || is_inactive(right)) return Inactive{};
    NETSETTLE_ASSIGN(const bool same, equal(left, right));
    if (node.operation == Operation::equal) return same;
    if (node.operation == Operation::not_equal) return !same;
    const double* const a = std::get_if<double>(&left);
    const double* const b = std::get_if<double>(&right);
    if (!a || !b) return error(fmt::format("only numbers have an order, this is {}", kind_of(left)));
    switch (node.operation) {
      case Operation::less:
        return *a < *b;
      case Operation::less_equal:
        return *a <= *b;
      case Operation::greater:
        return *a > *b;
      default:
        return *a >= *b;
    }
  }

  Expected<ExpressionValue> arithmetic(const Node& node) const {
    std::vector<double> numbers;
    for (const Node& operand : node.operands) {
      NETSETTLE_ASSIGN(const ExpressionValue result, value(operand));
      if (is_inactive(result)) return Inactive{};
      const double* const number = std::get_if<double>(&result);
      if (!number) return error(fmt::format("{} stands where a number is needed", kind_of(result)));
      numbers.push_back(*number);
    }
    if (node.operation == Operation::divide && numbers[1] == 0) return error("division by zero");
    const double result = computed(node.operation, numbers);
    if (!std::isfinite(result)) return error("the result is not a finite number");
    return result;
  }

  static double computed(Operation operation, const std::vector<double>& numbers) {
    switch (operation) {
      case Operation::negate:
        return -numbers[0];
      case Operation::add:
        return numbers[0] + numbers[1];
      case Operation::subtract:
        return numbers[0] - numbers[1];
      case Operation::multiply:
        return numbers[0] * numbers[1];
      case Operation::divide:
        return numbers[0] / numbers[1];
      case Operation::minimum:
        return *std::ranges::min_element(numbers);
      case Operation::maximum:
        return *std::ranges::max_element(numbers);
      default:
        return std::round(numbers[0]);
    }
  }

  const std::string& text_;
  const NameLookup& lookup_;
};

}  // namespace

Expected<ExpressionValue> Expression::evaluate(const NameLookup& lookup) const {
  const Evaluator evaluator(text_, lookup);
  if (!root_) return evaluator.error("an empty expression");
  return evaluator.value(*root_);
}

Expected<double> Expression::evaluate_number(const NameLookup& lookup) const {
  NETSETTLE_ASSIGN(const ExpressionValue result, evaluate(lookup));
  if (const double* number = std::get_if<double>(&result)) return *number;
  return Evaluator(text_, lookup).error(fmt::format("the result is {} where a number is needed", kind_of(result)));
}

Expected<bool> Expression::evaluate_bool(const NameLookup& lookup) const {
  NETSETTLE_ASSIGN(const ExpressionValue result, evaluate(lookup));
  if (is_inactive(result)) return true;
  if (const bool* flag = std::get_if<bool>(&result)) return *flag;
  return Evaluator(text_, lookup).error(fmt::format("the result is {} where true or false is needed", kind_of(result)));
}

}  // namespace netsettle
