#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "datasets/model/expression.hpp"
#include "datasets/model/expression_node.hpp"

namespace netsettle {
namespace {

using Node = Expression::Node;

std::string_view text_of(ExpressionKind kind) {
  switch (kind) {
    case ExpressionKind::boolean:
      return "true or false";
    case ExpressionKind::number:
      return "a number";
    case ExpressionKind::text:
      return "a text";
  }
  return "";
}

class KindChecker {
 public:
  KindChecker(const std::string& text, const KindLookup& lookup) : text_(text), lookup_(lookup) {}

  Expected<ExpressionKind> kind(const Node& node) const {
    switch (node.operation) {
      case Operation::number:
        return ExpressionKind::number;
      case Operation::text:
        return ExpressionKind::text;
      case Operation::name:
        return named(node);
      case Operation::equal:
      case Operation::not_equal:
      case Operation::in:
        return all_alike(node);
      case Operation::less:
      case Operation::less_equal:
      case Operation::greater:
      case Operation::greater_equal:
        return all(node, ExpressionKind::number, ExpressionKind::boolean);
      case Operation::logical_and:
      case Operation::logical_or:
      case Operation::logical_not:
        return all(node, ExpressionKind::boolean, ExpressionKind::boolean);
      default:
        return all(node, ExpressionKind::number, ExpressionKind::number);
    }
  }

 private:
  std::unexpected<Error> error(std::string text) const { return fail(ErrorCode::invalid_input, text_, std::move(text)); }

  Expected<ExpressionKind> named(const Node& node) const {
    if (const auto found = lookup_(node.text)) return *found;
    return error(fmt::format("unknown name '{}'", node.text));
  }

  /// Every operand is `wanted`; the result is `result`.
  Expected<ExpressionKind> all(const Node& node, ExpressionKind wanted, ExpressionKind result) const {
    for (const Node& operand : node.operands) {
      NETSETTLE_ASSIGN(const ExpressionKind found, kind(operand));
      if (found != wanted) return error(fmt::format("{} stands where {} is needed", text_of(found), text_of(wanted)));
    }
    return result;
  }

  /// The first operand is compared with all others.
  Expected<ExpressionKind> all_alike(const Node& node) const {
    NETSETTLE_ASSIGN(const ExpressionKind first, kind(node.operands.front()));
    for (std::size_t i = 1; i < node.operands.size(); ++i) {
      NETSETTLE_ASSIGN(const ExpressionKind other, kind(node.operands[i]));
      if (other != first) return error(fmt::format("{} is compared with {}", text_of(first), text_of(other)));
    }
    return ExpressionKind::boolean;
  }

  const std::string& text_;
  const KindLookup& lookup_;
};

}  // namespace

Expected<ExpressionKind> Expression::kind(const KindLookup& lookup) const {
  if (!root_) return fail(ErrorCode::invalid_input, text_, "an empty expression");
  return KindChecker(text_, lookup).kind(*root_);
}

}  // namespace netsettle
