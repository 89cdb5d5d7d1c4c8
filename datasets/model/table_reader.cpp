#include "datasets/model/table_reader.hpp"

#include <algorithm>
#include <charconv>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "datasets/model/nearest.hpp"

namespace netsettle {
namespace {

template <typename Words>
std::string quoted_list(const Words& words) {
  std::string list;
  for (const auto& word : words) list += fmt::format("{}\"{}\"", list.empty() ? "" : ", ", word);
  return list;
}

/// "name: text" with what a person wrote cut to a length that fits a message.
std::string shortened(std::string_view text) {
  constexpr std::size_t kLength = 60;
  return text.size() <= kLength ? std::string(text) : fmt::format("{}...", text.substr(0, kLength));
}

}  // namespace

void Diagnostics::add(const TomlPosition& position, std::string message) {
  const std::string prefix = position.override_text.empty() ? std::string() : position.override_text + ": ";
  list_.push_back({.file = file_, .line = position.line, .column = position.column, .message = prefix + std::move(message)});
}

std::vector<Diagnostic> Diagnostics::sorted() && {
  std::ranges::stable_sort(list_, {}, [](const Diagnostic& diagnostic) { return std::pair(diagnostic.line, diagnostic.column); });
  return std::move(list_);
}

TableReader::TableReader(TomlTable& table, std::string name, TomlPosition position, Diagnostics& diagnostics)
    : table_(table), name_(std::move(name)), position_(std::move(position)), diagnostics_(diagnostics) {}

TomlValue* TableReader::take(std::string_view key) {
  known_.emplace(key);
  TomlEntry* const entry = find_entry(table_, key);
  return entry == nullptr ? nullptr : &entry->value;
}

TomlValue* TableReader::require(std::string_view key, std::string_view example) {
  TomlValue* const value = take(key);
  if (value == nullptr) diagnostics_.add(position_, fmt::format("[{}] needs the key '{}' (like {})", name_, key, example));
  return value;
}

void TableReader::text(std::string_view key, std::string& destination) {
  const TomlValue* const value = take(key);
  if (value == nullptr) return;
  if (const auto* text = text_of(*value, key, fmt::format("{} = \"...\"", key), diagnostics_)) destination = *text;
}

void TableReader::integer(std::string_view key, Bounds bounds, int& destination) {
  const TomlValue* const value = take(key);
  if (value == nullptr) return;
  if (const auto number = integer_of(*value, key, bounds, diagnostics_)) destination = static_cast<int>(*number);
}

void TableReader::boolean(std::string_view key, bool& destination) {
  const TomlValue* const value = take(key);
  if (value == nullptr) return;
  if (const bool* flag = std::get_if<bool>(&value->data))
    destination = *flag;
  else
    wrong_type(*value, key, "true or false", fmt::format("{} = true", key), diagnostics_);
}

void TableReader::duration(std::string_view key, std::int64_t minimum_us, Microseconds& destination) {
  const TomlValue* const value = take(key);
  if (value == nullptr) return;
  const auto* text = text_of(*value, key, fmt::format("{} = \"2s\"", key), diagnostics_);
  if (text == nullptr) return;
  const auto parsed = parse_duration_us(*text);
  constexpr std::int64_t kWeekUs = 7 * 24 * 3600 * std::int64_t{1'000'000};
  if (!parsed)
    diagnostics_.add(value->position, fmt::format("'{}' is not a duration: {} (like {} = \"2s\")", key, parsed.error().text, key));
  else if (*parsed < minimum_us || *parsed > kWeekUs)
    diagnostics_.add(value->position, fmt::format("'{}' must be at least {} and at most a week", key, format_duration_us(minimum_us)));
  else
    destination = Microseconds(*parsed);
}

void TableReader::texts(std::string_view key, std::vector<std::string>& destination) {
  const TomlValue* const value = take(key);
  if (value != nullptr) destination = texts_of(*value, key, diagnostics_);
}

std::span<const TomlValue> TableReader::list(std::string_view key, std::string_view expected, std::string_view example) {
  const TomlValue* const value = take(key);
  if (value == nullptr) return {};
  if (const auto* items = std::get_if<TomlArray>(&value->data)) return *items;
  wrong_type(*value, key, expected, example, diagnostics_);
  return {};
}

/// The index in `known`, or `known.size()` where there is nothing to choose.
std::size_t TableReader::choose(std::string_view key, const std::vector<std::string>& known, const std::vector<std::string>& later) {
  const TomlValue* const value = take(key);
  if (value == nullptr) return known.size();
  const auto* text = text_of(*value, key, fmt::format("{} = \"{}\"", key, known.front()), diagnostics_);
  if (text == nullptr) return known.size();
  const auto found = std::ranges::find(known, *text);
  if (found != known.end()) return static_cast<std::size_t>(found - known.begin());
  const std::string supported = fmt::format("{} {}", known.size() == 1 ? "supported is" : "supported are", quoted_list(known));
  if (std::ranges::find(later, *text) != later.end())
    diagnostics_.add(value->position, fmt::format("{} = \"{}\" is not supported yet; {}", key, *text, supported));
  else
    diagnostics_.add(value->position,
                     fmt::format("'{}' cannot be \"{}\"{}; {}", key, shortened(*text), did_you_mean(*text, known), supported));
  return known.size();
}

void TableReader::only(std::string_view key, std::string_view only_value, const std::vector<std::string>& later) {
  choose(key, {std::string(only_value)}, later);
}

void TableReader::not_yet(std::string_view key, std::string_view instead) {
  known_.emplace(key);
  if (const TomlEntry* entry = find_entry(table_, key))
    diagnostics_.add(entry->position, fmt::format("'{}' in [{}] is not supported yet; {}", key, name_, instead));
}

std::optional<TableReader> TableReader::table(std::string_view key) {
  known_.emplace(key);
  TomlEntry* const entry = find_entry(table_, key);
  if (entry == nullptr) return std::nullopt;
  const std::string full_name = name_.empty() ? std::string(key) : fmt::format("{}.{}", name_, key);
  if (auto* inner = std::get_if<TomlTable>(&entry->value.data)) return TableReader(*inner, full_name, entry->value.position, diagnostics_);
  wrong_type(entry->value, key, "a table", fmt::format("[{}]", full_name), diagnostics_);
  return std::nullopt;
}

void TableReader::finish() {
  const std::vector<std::string> known(known_.begin(), known_.end());
  for (const TomlEntry& entry : table_) {
    if (known_.contains(entry.key)) continue;
    const std::string where = name_.empty() ? std::string("at the top of the file") : fmt::format("in [{}]", name_);
    diagnostics_.add(entry.position, fmt::format("unknown key '{}' {}{}", shortened(entry.key), where, did_you_mean(entry.key, known)));
  }
}

const std::string* text_of(const TomlValue& value, std::string_view what, std::string_view example, Diagnostics& diagnostics) {
  const auto* text = std::get_if<std::string>(&value.data);
  if (text == nullptr) wrong_type(value, what, "a text in quotes", example, diagnostics);
  return text;
}

std::optional<std::int64_t> integer_of(const TomlValue& value, std::string_view what, Bounds bounds, Diagnostics& diagnostics) {
  const auto* number = std::get_if<std::int64_t>(&value.data);
  if (number == nullptr) {
    wrong_type(value, what, "a whole number", fmt::format("{} = {}", what, std::max<std::int64_t>(bounds.low, 1)), diagnostics);
    return std::nullopt;
  }
  if (*number < bounds.low || *number > bounds.high) {
    diagnostics.add(value.position, fmt::format("'{}' must be between {} and {}, not {}", what, bounds.low, bounds.high, *number));
    return std::nullopt;
  }
  return *number;
}

std::vector<std::string> texts_of(const TomlValue& value, std::string_view what, Diagnostics& diagnostics) {
  const std::string example = fmt::format("{} = [\"...\", \"...\"]", what);
  std::vector<std::string> texts;
  const auto* items = std::get_if<TomlArray>(&value.data);
  if (items == nullptr) {
    wrong_type(value, what, "a list of texts", example, diagnostics);
    return texts;
  }
  for (const TomlValue& item : *items)
    if (const auto* text = text_of(item, fmt::format("an item of '{}'", what), example, diagnostics)) texts.push_back(*text);
  return texts;
}

std::optional<Expression> expression_of(const TomlValue& value, const std::string& text, Diagnostics& diagnostics) {
  auto expression = Expression::parse(text);
  if (expression) return *std::move(expression);
  std::size_t offset = 0;
  const std::string& digits = expression.error().subject;
  std::from_chars(digits.data(), digits.data() + digits.size(), offset);
  diagnostics.add(inside(value, offset), fmt::format("in the expression \"{}\": {}", shortened(text), expression.error().text));
  return std::nullopt;
}

TomlPosition inside(const TomlValue& value, std::size_t offset) {
  TomlPosition position = value.position;
  if (value.is_plain_text) position.column += 1 + static_cast<int>(offset);
  return position;
}

void wrong_type(const TomlValue& value, std::string_view what, std::string_view expected, std::string_view example,
                Diagnostics& diagnostics) {
  const std::string subject = what.starts_with("an item") ? std::string(what) : fmt::format("'{}'", what);
  diagnostics.add(value.position, fmt::format("{} must be {}, not {} (like {})", subject, expected, kind_of(value), example));
}

}  // namespace netsettle
