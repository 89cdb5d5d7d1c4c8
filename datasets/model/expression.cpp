#include "datasets/model/expression.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "datasets/model/expression_lexer.hpp"
#include "datasets/model/expression_node.hpp"

// A recursive-descent parser, one function per level of precedence:
//   or → and → not → comparison → sum → product → unary → primary
namespace netsettle {
namespace {

using Node = Expression::Node;

// Limits that no honest expression meets and that keep recursion (parsing, evaluating, destroying) shallow.
constexpr std::size_t kMaxLength = 4096;
constexpr int kMaxNesting = 64;
constexpr std::size_t kMaxHeight = 256;

Node leaf(Operation operation, std::string_view text) {
  Node node;
  node.operation = operation;
  node.text = text;
  return node;
}

Node branch(Operation operation, std::vector<Node> operands) {
  Node node;
  node.operation = operation;
  node.operands = std::move(operands);
  for (const Node& operand : node.operands) node.height = std::max(node.height, operand.height + 1);
  return node;
}

Node branch(Operation operation, Node left, Node right) {
  std::vector<Node> operands;
  operands.push_back(std::move(left));
  operands.push_back(std::move(right));
  return branch(operation, std::move(operands));
}

Node branch(Operation operation, Node operand) {
  std::vector<Node> operands;
  operands.push_back(std::move(operand));
  return branch(operation, std::move(operands));
}

struct Operator {
  std::string_view symbol;
  Operation operation;
};

constexpr Operator kComparisons[] = {{"<", Operation::less},           {"<=", Operation::less_equal}, {">", Operation::greater},
                                     {">=", Operation::greater_equal}, {"==", Operation::equal},      {"!=", Operation::not_equal}};
constexpr Operator kSums[] = {{"+", Operation::add}, {"-", Operation::subtract}};
constexpr Operator kProducts[] = {{"*", Operation::multiply}, {"/", Operation::divide}};
constexpr Operator kOrs[] = {{"or", Operation::logical_or}};
constexpr Operator kAnds[] = {{"and", Operation::logical_and}};

class Parser {
 public:
  explicit Parser(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

  Expected<Node> run() {
    NETSETTLE_ASSIGN(Node root, parse_or());
    if (peek().kind != TokenKind::end) return unexpected_token("the end of the expression");
    return root;
  }

 private:
  using Level = Expected<Node> (Parser::*)();

  const Token& peek() const { return tokens_[at_]; }

  bool accept(std::string_view word) {
    const bool found = (peek().kind == TokenKind::symbol || peek().kind == TokenKind::name) && peek().text == word;
    if (found) ++at_;
    return found;
  }

  std::optional<Operation> accept_one(std::span<const Operator> operators) {
    for (const Operator& candidate : operators)
      if (accept(candidate.symbol)) return candidate.operation;
    return std::nullopt;
  }

  std::unexpected<Error> unexpected_token(std::string_view expected) const {
    const std::string found = peek().kind == TokenKind::end ? std::string("the expression ends") : fmt::format("'{}' stands", peek().text);
    return expression_error(peek().offset, fmt::format("{} where {} is expected", found, expected));
  }

  Expected<void> expect(std::string_view symbol) {
    if (!accept(symbol)) return unexpected_token(fmt::format("'{}'", symbol));
    return {};
  }

  /// a OP b OP c, grouped to the left.
  Expected<Node> left_associative(Level operand, std::span<const Operator> operators) {
    NETSETTLE_ASSIGN(Node left, (this->*operand)());
    for (;;) {
      const std::size_t offset = peek().offset;
      const auto operation = accept_one(operators);
      if (!operation) return left;
      NETSETTLE_ASSIGN(Node right, (this->*operand)());
      left = branch(*operation, std::move(left), std::move(right));
      if (left.height > kMaxHeight) return expression_error(offset, "the expression has too many parts");
    }
  }

  Expected<Node> parse_or() { return left_associative(&Parser::parse_and, kOrs); }
  Expected<Node> parse_and() { return left_associative(&Parser::parse_not, kAnds); }
  Expected<Node> parse_sum() { return left_associative(&Parser::parse_product, kSums); }
  Expected<Node> parse_product() { return left_associative(&Parser::parse_unary, kProducts); }

  /// Runs one level deeper; hostile nesting ends as an error, not as a stack overflow.
  Expected<Node> nested(Level level) {
    if (nesting_ == kMaxNesting) return expression_error(peek().offset, "the expression is nested too deeply");
    ++nesting_;
    auto node = (this->*level)();
    --nesting_;
    return node;
  }

  Expected<Node> parse_not() {
    if (!accept("not")) return parse_comparison();
    NETSETTLE_ASSIGN(Node operand, nested(&Parser::parse_not));
    return branch(Operation::logical_not, std::move(operand));
  }

  Expected<Node> parse_comparison() {
    NETSETTLE_ASSIGN(Node left, parse_sum());
    if (accept("in")) return parse_in(std::move(left));
    if (peek().text == "not" && peek().kind == TokenKind::name && tokens_[at_ + 1].text == "in") {
      at_ += 2;
      NETSETTLE_ASSIGN(Node found, parse_in(std::move(left)));
      return branch(Operation::logical_not, std::move(found));
    }
    const auto operation = accept_one(kComparisons);
    if (!operation) return left;
    NETSETTLE_ASSIGN(Node right, parse_sum());
    const std::size_t offset = peek().offset;
    if (accept_one(kComparisons)) return expression_error(offset, "comparisons cannot be chained: write a < b and b < c");
    return branch(*operation, std::move(left), std::move(right));
  }

  Expected<Node> parse_in(Node wanted) {
    NETSETTLE_TRY(expect("["));
    std::vector<Node> operands;
    operands.push_back(std::move(wanted));
    NETSETTLE_TRY(parse_list(operands, "]"));
    return branch(Operation::in, std::move(operands));
  }

  /// One or more sums separated by commas, up to and including `close`.
  Expected<void> parse_list(std::vector<Node>& items, std::string_view close) {
    do {
      NETSETTLE_ASSIGN(Node item, nested(&Parser::parse_sum));
      items.push_back(std::move(item));
    } while (accept(","));
    return expect(close);
  }

  Expected<Node> parse_unary() {
    if (!accept("-")) return parse_primary();
    NETSETTLE_ASSIGN(Node operand, nested(&Parser::parse_unary));
    return branch(Operation::negate, std::move(operand));
  }

  Expected<Node> parse_primary() {
    const Token token = peek();
    if (accept("(")) {
      NETSETTLE_ASSIGN(Node inner, nested(&Parser::parse_or));
      NETSETTLE_TRY(expect(")"));
      return inner;
    }
    if (token.kind == TokenKind::number) {
      ++at_;
      Node node;
      node.number = token.number;
      return node;
    }
    if (token.kind == TokenKind::text) {
      ++at_;
      return leaf(Operation::text, token.text);
    }
    if (token.kind == TokenKind::name) return parse_name(token);
    return unexpected_token("a number, a 'text' or a name");
  }

  Expected<Node> parse_name(const Token& token) {
    ++at_;
    if (token.text == "as_found") return parse_as_found();
    if (token.text == "min") return parse_call(token, Operation::minimum);
    if (token.text == "max") return parse_call(token, Operation::maximum);
    if (token.text == "round") return parse_call(token, Operation::round);
    if (is_expression_keyword(token.text)) {
      --at_;
      return unexpected_token("a number, a 'text' or a name");
    }
    if (peek().kind == TokenKind::symbol && peek().text == "(")
      return expression_error(token.offset, fmt::format("there is no function '{}': only min, max, round and as_found", token.text));
    return leaf(Operation::name, token.text);
  }

  Expected<Node> parse_as_found() {
    if (!accept("(")) return leaf(Operation::name, "as_found");
    const Token parameter = peek();
    if (parameter.kind != TokenKind::name || is_expression_keyword(parameter.text)) return unexpected_token("the name of a parameter");
    ++at_;
    NETSETTLE_TRY(expect(")"));
    return leaf(Operation::name, fmt::format("as_found({})", parameter.text));
  }

  Expected<Node> parse_call(const Token& function, Operation operation) {
    NETSETTLE_TRY(expect("("));
    std::vector<Node> arguments;
    NETSETTLE_TRY(parse_list(arguments, ")"));
    const bool fits = operation == Operation::round ? arguments.size() == 1 : arguments.size() >= 2;
    if (!fits)
      return expression_error(function.offset, operation == Operation::round ? std::string("round takes one number")
                                                                             : fmt::format("{} takes two or more numbers", function.text));
    return branch(operation, std::move(arguments));
  }

  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  int nesting_ = 0;
};

void collect_names(const Node& node, std::set<std::string>& names) {
  if (node.operation == Operation::name) names.insert(node.text);
  for (const Node& operand : node.operands) collect_names(operand, names);
}

}  // namespace

Expected<Expression> Expression::parse(std::string_view text) {
  if (text.size() > kMaxLength) return expression_error(kMaxLength, fmt::format("the expression is longer than {} characters", kMaxLength));
  NETSETTLE_ASSIGN(std::vector<Token> tokens, tokenize(text));
  NETSETTLE_ASSIGN(Node root, Parser(std::move(tokens)).run());
  Expression expression;
  expression.text_ = text;
  expression.root_ = std::make_shared<const Node>(std::move(root));
  return expression;
}

Expression Expression::number(double value) {
  Node node;
  node.number = value;
  Expression expression;
  expression.text_ = fmt::format("{}", value);
  expression.root_ = std::make_shared<const Node>(std::move(node));
  return expression;
}

std::vector<std::string> Expression::names() const {
  std::set<std::string> names;
  if (root_) collect_names(*root_, names);
  return {names.begin(), names.end()};
}

}  // namespace netsettle
