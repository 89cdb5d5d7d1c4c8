#pragma once
// Splits the text of an expression into tokens: private to the expression files of this folder.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/model/error.hpp"

namespace netsettle {

enum class TokenKind { number, text, name, symbol, end };

struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text;   // as written; without the quotes for a text
  double number = 0;       // of a number
  std::size_t offset = 0;  // 0-based, in the expression
};

/// The tokens of `text`, a `TokenKind::end` last; they borrow from `text`. Names may contain dots between their parts. Failure:
/// invalid_input with the offset as subject.
Expected<std::vector<Token>> tokenize(std::string_view text);

/// True for what a parameter may be called: a letter or underscore, then letters, digits and underscores.
bool is_identifier(std::string_view text);

/// The words of the language, which cannot name a parameter.
bool is_expression_keyword(std::string_view word);

/// An invalid_input error at a 0-based offset of an expression.
std::unexpected<Error> expression_error(std::size_t offset, std::string text);

}  // namespace netsettle
