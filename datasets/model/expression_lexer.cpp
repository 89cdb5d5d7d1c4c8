#include "datasets/model/expression_lexer.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace netsettle {
namespace {

// Plain ASCII on purpose: what a character is must not depend on the locale.
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_name_part(char c) { return is_name_start(c) || is_digit(c); }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  Expected<std::vector<Token>> run() {
    std::vector<Token> tokens;
    for (;;) {
      while (at_ < text_.size() && is_space(text_[at_])) ++at_;
      if (at_ == text_.size()) break;
      NETSETTLE_ASSIGN(const Token token, next());
      tokens.push_back(token);
    }
    tokens.push_back({.kind = TokenKind::end, .text = {}, .number = 0, .offset = text_.size()});
    return tokens;
  }

 private:
  Expected<Token> next() {
    const char c = text_[at_];
    if (is_digit(c) || (c == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]))) return number();
    if (is_name_start(c)) return name();
    if (c == '\'' || c == '"') return quoted();
    return symbol();
  }

  Expected<Token> number() {
    Token token{.kind = TokenKind::number, .text = {}, .number = 0, .offset = at_};
    const char* const begin = text_.data() + at_;
    const auto [end, status] = std::from_chars(begin, text_.data() + text_.size(), token.number);
    if (status != std::errc() || !std::isfinite(token.number)) return expression_error(at_, "the number is too large or too small");
    at_ += static_cast<std::size_t>(end - begin);
    if (at_ < text_.size() && (is_name_part(text_[at_]) || text_[at_] == '.'))
      return expression_error(token.offset, "a number in an expression has no unit (write 64 * 1024 for 64KiB)");
    token.text = text_.substr(token.offset, at_ - token.offset);
    return token;
  }

  Expected<Token> name() {
    const std::size_t start = at_;
    for (;;) {
      while (at_ < text_.size() && is_name_part(text_[at_])) ++at_;
      const bool dot_inside = at_ + 1 < text_.size() && text_[at_] == '.' && is_name_part(text_[at_ + 1]);
      if (!dot_inside) break;
      ++at_;
    }
    return Token{.kind = TokenKind::name, .text = text_.substr(start, at_ - start), .number = 0, .offset = start};
  }

  Expected<Token> quoted() {
    const std::size_t start = at_;
    const std::size_t end = text_.find(text_[at_], at_ + 1);
    if (end == std::string_view::npos) return expression_error(start, "the quoted text has no end");
    at_ = end + 1;
    return Token{.kind = TokenKind::text, .text = text_.substr(start + 1, end - start - 1), .number = 0, .offset = start};
  }

  Expected<Token> symbol() {
    static constexpr std::array<std::string_view, 4> kPairs = {"<=", ">=", "==", "!="};
    static constexpr std::string_view kSingles = "+-*/<>()[],";
    const std::size_t start = at_;
    std::size_t size = 0;
    if (std::ranges::find(kPairs, text_.substr(at_, 2)) != kPairs.end())
      size = 2;
    else if (kSingles.find(text_[at_]) != std::string_view::npos)
      size = 1;
    else if (text_[at_] == '=')
      return expression_error(start, "'=' is not an operator: a comparison for equality is '=='");
    else
      return expression_error(start, "a character that means nothing here");
    at_ += size;
    return Token{.kind = TokenKind::symbol, .text = text_.substr(start, size), .number = 0, .offset = start};
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

Expected<std::vector<Token>> tokenize(std::string_view text) { return Lexer(text).run(); }

bool is_identifier(std::string_view text) {
  return !text.empty() && is_name_start(text.front()) && std::ranges::all_of(text, is_name_part);
}

bool is_expression_keyword(std::string_view word) {
  static constexpr std::array<std::string_view, 10> kKeywords = {"and", "or",    "not",      "in",   "min",
                                                                 "max", "round", "as_found", "true", "false"};
  return std::ranges::find(kKeywords, word) != kKeywords.end();
}

std::unexpected<Error> expression_error(std::size_t offset, std::string text) {
  return fail(ErrorCode::invalid_input, fmt::format("{}", offset), std::move(text));
}

}  // namespace netsettle
