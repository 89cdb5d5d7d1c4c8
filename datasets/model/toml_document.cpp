#include "datasets/model/toml_document.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <toml++/toml.h>

namespace netsettle {
namespace {

TomlPosition position_of(const toml::source_position& position) {
  return {.line = static_cast<int>(position.line), .column = static_cast<int>(position.column), .override_text = {}};
}

TomlValue convert(const toml::node& node);

TomlTable convert_table(const toml::table& table) {
  TomlTable entries;
  for (const auto& [key, node] : table)
    entries.push_back({.key = std::string(key.str()), .position = position_of(key.source().begin), .value = convert(node)});
  // The library keeps its tables sorted by name; people read files from top to bottom.
  std::ranges::stable_sort(entries, {}, [](const TomlEntry& entry) { return std::pair(entry.position.line, entry.position.column); });
  return entries;
}

TomlArray convert_array(const toml::array& array) {
  TomlArray items;
  for (const auto& node : array) items.push_back(convert(node));
  return items;
}

/// Quotes and characters cover exactly the source: then an offset in the text is an offset in the line.
bool is_plain_text(const toml::source_region& source, const std::string& text) {
  const bool one_line = source.begin.line == source.end.line && source.end.column > source.begin.column;
  return one_line && source.end.column - source.begin.column == text.size() + 2;
}

TomlValue convert(const toml::node& node) {
  TomlValue value;
  value.position = position_of(node.source().begin);
  if (const auto* table = node.as_table()) {
    value.data = convert_table(*table);
  } else if (const auto* array = node.as_array()) {
    value.data = convert_array(*array);
  } else if (const auto* text = node.as_string()) {
    value.data = text->get();
    value.is_plain_text = is_plain_text(node.source(), text->get());
  } else if (const auto* integer = node.as_integer()) {
    value.data = integer->get();
  } else if (const auto* real = node.as_floating_point()) {
    value.data = real->get();
  } else if (const auto* flag = node.as_boolean()) {
    value.data = flag->get();
  } else {
    value.data = TomlDate{};
  }
  return value;
}

void place(TomlValue& value, const TomlPosition& position);

void place(TomlTable& table, const TomlPosition& position) {
  for (TomlEntry& entry : table) {
    entry.position = position;
    place(entry.value, position);
  }
}

/// Gives a value and all below it one position.
void place(TomlValue& value, const TomlPosition& position) {
  value.position = position;
  value.is_plain_text = false;
  if (auto* table = std::get_if<TomlTable>(&value.data)) place(*table, position);
  if (auto* array = std::get_if<TomlArray>(&value.data))
    for (TomlValue& item : *array) place(item, position);
}

bool is_bare_key(std::string_view key) {
  return !key.empty() && std::ranges::all_of(key, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

TomlEntry& entry_for(TomlTable& table, std::string_view key, const TomlPosition& position) {
  if (TomlEntry* found = find_entry(table, key)) return *found;
  table.push_back({.key = std::string(key), .position = position, .value = {.data = TomlTable{}, .position = position}});
  return table.back();
}

}  // namespace

std::string_view kind_of(const TomlValue& value) {
  struct Visitor {
    std::string_view operator()(bool) const { return "true or false"; }
    std::string_view operator()(std::int64_t) const { return "a whole number"; }
    std::string_view operator()(double) const { return "a number with a fraction"; }
    std::string_view operator()(const std::string&) const { return "a text"; }
    std::string_view operator()(const TomlDate&) const { return "a date or time"; }
    std::string_view operator()(const TomlArray&) const { return "a list"; }
    std::string_view operator()(const TomlTable&) const { return "a table"; }
  };
  return std::visit(Visitor{}, value.data);
}

TomlEntry* find_entry(TomlTable& table, std::string_view key) {
  const auto found = std::ranges::find(table, key, &TomlEntry::key);
  return found == table.end() ? nullptr : &*found;
}

std::expected<TomlTable, TomlSyntaxError> parse_toml(std::string_view text) {
  // The library as Debian builds it reports mistakes as exceptions; they end here.
  try {
    return convert_table(toml::parse(text));
  } catch (const toml::parse_error& error) {
    return std::unexpected(TomlSyntaxError{position_of(error.source().begin), std::string(error.description())});
  }
}

TomlValue parse_toml_value_or_text(std::string_view text) {
  const TomlValue as_text{.data = std::string(text), .position = {}};
  // A '#' outside quotes would start a comment and vanish; more lines could hold more keys.
  const bool quoted = text.starts_with('"') || text.starts_with('\'');
  if (text.find_first_of(quoted ? "\r\n" : "\r\n#") != std::string_view::npos) return as_text;
  auto document = parse_toml(fmt::format("value = {}", text));
  if (!document || document->size() != 1) return as_text;
  TomlValue value = std::move(document->front().value);
  return std::holds_alternative<TomlDate>(value.data) ? as_text : value;
}

Expected<void> set_path(TomlTable& table, std::string_view path, TomlValue value, const TomlPosition& position) {
  TomlTable* inner = &table;
  for (std::string_view rest = path;;) {
    const auto dot = rest.find('.');
    const std::string_view key = rest.substr(0, dot);
    if (!is_bare_key(key)) return fail(ErrorCode::invalid_input, std::string(path), "the key must be like trial.measure");
    TomlEntry& entry = entry_for(*inner, key, position);
    if (dot == std::string_view::npos) {
      place(value, position);
      entry.value = std::move(value);
      return {};
    }
    inner = std::get_if<TomlTable>(&entry.value.data);
    if (inner == nullptr) return fail(ErrorCode::invalid_input, std::string(path), fmt::format("'{}' is not a table", key));
    rest.remove_prefix(dot + 1);
  }
}

}  // namespace netsettle
