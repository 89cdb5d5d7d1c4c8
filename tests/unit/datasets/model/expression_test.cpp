#include "datasets/model/expression.hpp"

#include <map>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

using namespace netsettle;

namespace {

const std::map<std::string, ExpressionValue, std::less<>> kNames = {
    {"cpus", 8.0},       {"rmem", 65536.0},   {"io_model", std::string("epoll")}, {"gro", true},
    {"off", Inactive{}}, {"as_found", 300.0}, {"as_found(rmem)", 212992.0},       {"net.core.x_1", 7.0},
    {"zero", 0.0}};

std::optional<ExpressionValue> lookup(std::string_view name) {
  const auto found = kNames.find(name);
  return found == kNames.end() ? std::nullopt : std::optional(found->second);
}

Expected<ExpressionValue> evaluate(const std::string& text) {
  const auto expression = Expression::parse(text);
  if (!expression) return std::unexpected(expression.error());
  return expression->evaluate(lookup);
}

std::string error_of(const std::string& text) {
  const auto result = evaluate(text);
  return result ? std::string("no error") : to_text(result.error());
}

}  // namespace

TEST_CASE("Arithmetic follows the usual precedence") {
  const std::vector<std::pair<std::string, double>> rows = {
      {"1", 1},
      {"1.5e3", 1500},
      {".5", 0.5},
      {"1 + 2 * 3", 7},
      {"(1 + 2) * 3", 9},
      {"10 - 4 - 3", 3},
      {"64 / 4 / 2", 8},
      {"-2 * -3", 6},
      {"--2", 2},
      {"-cpus + 1", -7},
      {"2 - -2", 4},
      {"min(3, 1, 2)", 1},
      {"max(cpus, 4)", 8},
      {"round(2.5)", 3},
      {"round(cpus / 3)", 3},
      {"max(as_found, as_found * rmem / as_found(rmem))", 300},
      {"as_found( rmem )", 212992},
      {"net.core.x_1 * 2", 14},
      {" \t1\n", 1},
  };
  for (const auto& [text, expected] : rows) {
    INFO(text);
    const auto result = evaluate(text);
    REQUIRE(result);
    CHECK(std::get<double>(*result) == Approx(expected));
  }
}

TEST_CASE("Comparisons and logic give true or false") {
  const std::vector<std::pair<std::string, bool>> rows = {
      {"cpus <= 8", true},
      {"cpus < 8", false},
      {"cpus > 7 and cpus >= 8", true},
      {"cpus == 8", true},
      {"cpus != 8", false},
      {"io_model == 'epoll'", true},
      {"io_model == \"epoll\"", true},
      {"io_model != 'recvmmsg'", true},
      {"io_model in ['poll', 'epoll']", true},
      {"io_model not in ['poll', 'epoll']", false},
      {"cpus in [1, 2, 4 + 4]", true},
      {"not gro", false},
      {"not not gro", true},
      {"gro == (1 < 2)", true},
      {"not cpus == 8 or gro", true},
      {"1 > 2 and 1 > 2 or gro", true},
      {"1 > 2 and (1 > 2 or gro)", false},
      {"zero != 0 and 10 / zero > 1", false},
      {"zero == 0 or 10 / zero > 1", true},
  };
  for (const auto& [text, expected] : rows) {
    INFO(text);
    const auto result = evaluate(text);
    REQUIRE(result);
    CHECK(std::get<bool>(*result) == expected);
  }
}

TEST_CASE("A term about an inactive parameter counts as true") {
  const std::vector<std::pair<std::string, bool>> rows = {
      {"off > 3", true},
      {"off", true},
      {"not off > 3", true},
      {"off + 1 <= 2 * off", true},
      {"max(off, 1) == 0", true},
      {"off in [1, 2]", true},
      {"off > 3 and cpus == 8", true},
      {"off > 3 and cpus == 9", false},
      {"cpus == 9 or off > 3", true},
      {"io_model == 'poll' or io_model == 'select'", false},
  };
  for (const auto& [text, expected] : rows) {
    INFO(text);
    CHECK(Expression::parse(text)->evaluate_bool(lookup).value() == expected);
  }
}

TEST_CASE("A mistake in an expression is found at its offset") {
  struct Row {
    std::string text;
    std::string offset;
    std::string part_of_message;
  };
  const std::vector<Row> rows = {
      {"", "0", "the expression ends where a number"},
      {"   ", "3", "the expression ends"},
      {"1 +", "3", "the expression ends"},
      {"1 2", "2", "'2' stands where the end of the expression is expected"},
      {"(1 + 2", "6", "')' is expected"},
      {"1 + )", "4", "')' stands"},
      {"a = 1", "2", "'=='"},
      {"1 < 2 < 3", "6", "chained"},
      {"64KiB", "0", "has no unit"},
      {"1.2.3", "0", "has no unit"},
      {"1e999", "0", "too large"},
      {"'text", "0", "has no end"},
      {"a % 2", "2", "means nothing"},
      {"a; b", "1", "means nothing"},
      {"a\xc3\xa4", "1", "means nothing"},
      {"$(reboot)", "0", "means nothing"},
      {"sqrt(2)", "0", "no function 'sqrt'"},
      {"min(1)", "0", "two or more"},
      {"min()", "4", "')' stands"},
      {"round(1, 2)", "0", "takes one"},
      {"min", "3", "'(' is expected"},
      {"as_found(1)", "9", "name of a parameter"},
      {"as_found(and)", "9", "name of a parameter"},
      {"as_found(a", "10", "')' is expected"},
      {"a in 3", "5", "'[' is expected"},
      {"a in []", "6", "']' stands"},
      {"a in [1", "7", "']' is expected"},
      {"a not 3", "2", "'not' stands"},
      {"and", "0", "'and' stands"},
      {"true", "0", "'true' stands"},
      {"a.", "1", "means nothing"},
  };
  for (const auto& row : rows) {
    INFO(row.text);
    const auto expression = Expression::parse(row.text);
    REQUIRE_FALSE(expression);
    CHECK(expression.error().code == ErrorCode::invalid_input);
    CHECK(expression.error().subject == row.offset);
    CHECK_THAT(expression.error().text, Catch::Contains(row.part_of_message));
  }
}

TEST_CASE("What cannot be computed is an error with the expression as its subject") {
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"1 / zero", "1 / zero: division by zero"},
      {"nothing + 1", "nothing + 1: unknown name 'nothing'"},
      {"as_found(nothing)", "as_found(nothing): unknown name 'as_found(nothing)'"},
      {"io_model + 1", "io_model + 1: a text stands where a number is needed"},
      {"io_model == 1", "io_model == 1: a text is compared with a number"},
      {"cpus in [1, 'a']", "cpus in [1, 'a']: a number is compared with a text"},
      {"io_model < 'f'", "io_model < 'f': only numbers have an order, this is a text"},
      {"cpus and gro", "cpus and gro: a number stands where true or false is needed"},
      {"not cpus", "not cpus: a number stands where true or false is needed"},
      {"1e308 * 10", "1e308 * 10: the result is not a finite number"},
  };
  for (const auto& [text, message] : rows) CHECK(error_of(text) == message);
  CHECK(to_text(Expression::parse("gro")->evaluate_number(lookup).error()) == "gro: the result is true or false where a number is needed");
  CHECK(to_text(Expression::parse("cpus")->evaluate_bool(lookup).error()) == "cpus: the result is a number where true or false is needed");
  CHECK_FALSE(Expression().evaluate(lookup));
}

TEST_CASE("Hostile expressions end as errors") {
  const std::string deep(2000, '(');
  const std::string nots = [] {
    std::string text;
    for (int i = 0; i < 1000; ++i) text += "not ";
    return text + "gro";
  }();
  std::string minuses(2000, '-');
  minuses += "1";
  std::string sum = "1";
  for (int i = 0; i < 1000; ++i) sum += "+1";
  CHECK_THAT(error_of(deep), Catch::Contains("nested too deeply"));
  CHECK_THAT(error_of(nots), Catch::Contains("nested too deeply"));
  CHECK_THAT(error_of(minuses), Catch::Contains("nested too deeply"));
  CHECK_THAT(error_of(sum), Catch::Contains("too many parts"));
  CHECK_THAT(error_of(std::string(5000, ' ')), Catch::Contains("longer than 4096"));
  CHECK_THAT(error_of(std::string("1\0 + 1", 6)), Catch::Contains("means nothing"));
}

TEST_CASE("Every truncation of a long expression is refused or understood, never fatal") {
  const std::string whole = "not (a in ['x', \"y\"] and as_found(b) * 2 <= max(1, b / 3)) or -round(c.d) != .5e1";
  REQUIRE(Expression::parse(whole));
  int understood = 0;
  for (std::size_t size = 0; size < whole.size(); ++size) understood += Expression::parse(whole.substr(0, size)) ? 1 : 0;
  CHECK(understood > 0);
  CHECK(understood < static_cast<int>(whole.size()) / 2);
}

TEST_CASE("The names of an expression are sorted and each is there once") {
  const auto expression = Expression::parse("b + a * as_found(a) - as_found + max(b, c.d) > 0 and e == 'not_a_name'");
  REQUIRE(expression);
  CHECK(expression->names() == std::vector<std::string>{"a", "as_found", "as_found(a)", "b", "c.d", "e"});
}

TEST_CASE("The kind of an expression is known without values") {
  const KindLookup kinds = [](std::string_view name) -> std::optional<ExpressionKind> {
    if (name == "n") return ExpressionKind::number;
    if (name == "t") return ExpressionKind::text;
    if (name == "b") return ExpressionKind::boolean;
    return std::nullopt;
  };
  const auto kind = [&kinds](const std::string& text) { return Expression::parse(text)->kind(kinds); };
  CHECK(kind("n * 2 + max(n, 1)").value() == ExpressionKind::number);
  CHECK(kind("n > 2 and b or t == 'x'").value() == ExpressionKind::boolean);
  CHECK(kind("t in ['x']").value() == ExpressionKind::boolean);
  CHECK(kind("t").value() == ExpressionKind::text);
  CHECK(kind("t > 1").error().text == "a text stands where a number is needed");
  CHECK(kind("n == 't'").error().text == "a number is compared with a text");
  CHECK(kind("n and b").error().text == "a number stands where true or false is needed");
  CHECK(kind("x + 1").error().text == "unknown name 'x'");
}

TEST_CASE("A constant is its own text") {
  CHECK(Expression::number(65536).text() == "65536");
  CHECK(Expression::number(0.5).evaluate_number(lookup).value() == 0.5);
}
