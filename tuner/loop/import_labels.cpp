#include "tuner/loop/import_labels.hpp"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

namespace netsettle::tuner {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

void drop_ending(std::string_view& name) {
  constexpr std::array<std::string_view, 6> kEndings = {".txt", ".log", ".out", ".dnsperf", ".json", ".stdout"};
  for (const std::string_view ending : kEndings)
    if (name.ends_with(ending)) return name.remove_suffix(ending.size());
}

/// ".1", "-2", "_3", ".run4", "-run5" at the end; a name that is nothing else keeps it.
void drop_run_number(std::string_view& name) {
  std::size_t end = name.size();
  while (end > 0 && is_digit(name[end - 1])) --end;
  if (end == name.size()) return;
  std::string_view rest = name.substr(0, end);
  if (rest.ends_with("run")) rest.remove_suffix(3);
  if (rest.size() > 1 && (rest.back() == '.' || rest.back() == '-' || rest.back() == '_')) name = rest.substr(0, rest.size() - 1);
}

/// The "key=value" parts of one component of a path.
void add_pairs(std::string_view component, Labels& labels) {
  while (!component.empty()) {
    const std::size_t end = std::min(component.find_first_of("_,+"), component.size());
    std::string_view part = component.substr(0, end);
    // A '_' may be inside a key: in "rmem_max=8M" the first part has no '=' and goes on.
    std::size_t cut = end;
    while (part.find('=') == std::string_view::npos && cut < component.size() && component[cut] == '_') {
      cut = std::min(component.find_first_of("_,+", cut + 1), component.size());
      part = component.substr(0, cut);
    }
    if (const std::size_t equals = part.find('='); equals != std::string_view::npos && equals > 0)
      labels[std::string(part.substr(0, equals))] = part.substr(equals + 1);
    component.remove_prefix(std::min(cut + 1, component.size()));
  }
}

}  // namespace

Labels labels_in(std::string_view path) {
  Labels labels;
  std::string folder;
  const std::size_t slash = path.rfind('/');
  std::string_view folders = slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
  std::string_view name = slash == std::string_view::npos ? path : path.substr(slash + 1);
  while (!folders.empty()) {
    const std::size_t end = std::min(folders.find('/'), folders.size());
    const std::string_view component = folders.substr(0, end);
    if (component.find('=') != std::string_view::npos)
      add_pairs(component, labels);
    else if (!component.empty() && component != ".")
      folder += (folder.empty() ? "" : "/") + std::string(component);
    folders.remove_prefix(std::min(end + 1, folders.size()));
  }
  if (!folder.empty()) labels["folder"] = folder;
  if (name.find('=') == std::string_view::npos) return labels;
  drop_ending(name);
  drop_run_number(name);
  add_pairs(name, labels);
  return labels;
}

Expected<LabelPattern> LabelPattern::parse(std::string_view text) {
  LabelPattern pattern;
  std::set<std::string> names;
  const auto wrong = [&](std::string_view why) { return fail(ErrorCode::invalid_input, "--label", fmt::format("'{}': {}", text, why)); };
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t open = rest.find('{');
    Piece piece{.literal = std::string(rest.substr(0, open)), .name = std::nullopt};
    if (piece.literal.find('}') != std::string::npos) return wrong("a '}' has no '{'");
    if (open != std::string_view::npos) {
      const std::size_t close = rest.find('}', open);
      if (close == std::string_view::npos) return wrong("a '{' has no '}'");
      if (!pattern.pieces_.empty() && piece.literal.empty()) return wrong("there must be something between two values");
      piece.has_value = true;
      if (close > open + 1) piece.name = std::string(rest.substr(open + 1, close - open - 1));
      if (piece.name && !names.insert(*piece.name).second) return wrong(fmt::format("{{{}}} is in it twice", *piece.name));
      rest.remove_prefix(close + 1);
    } else {
      rest = {};
    }
    pattern.pieces_.push_back(std::move(piece));
  }
  if (names.empty()) return wrong("it names no parameter, like {threads}");
  return pattern;
}

std::optional<Labels> LabelPattern::match_from(std::string_view path, std::size_t piece) const {
  if (piece == pieces_.size()) return path.empty() ? std::optional(Labels()) : std::nullopt;
  const Piece& now = pieces_[piece];
  if (!path.starts_with(now.literal)) return std::nullopt;
  path.remove_prefix(now.literal.size());
  if (!now.has_value) return match_from(path, piece + 1);
  const std::size_t longest = std::min(path.find('/'), path.size());
  for (std::size_t length = now.name ? 1 : 0; length <= longest; ++length) {
    auto labels = match_from(path.substr(length), piece + 1);
    if (!labels) continue;
    if (now.name) (*labels)[*now.name] = path.substr(0, length);
    return labels;
  }
  return std::nullopt;
}

std::optional<Labels> LabelPattern::match(std::string_view path) const {
  for (std::size_t begin = 0;;) {
    if (auto labels = match_from(path.substr(begin), 0)) return labels;
    const std::size_t slash = path.find('/', begin);
    if (slash == std::string_view::npos) return std::nullopt;
    begin = slash + 1;
  }
}

}  // namespace netsettle::tuner
