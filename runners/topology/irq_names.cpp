#include "runners/topology/irq_names.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

#include "runners/probes/text_lines.hpp"

namespace netsettle::runners {
namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
/// Of which names of interfaces are made. "-" is left out: it is what drivers put behind the name.
bool is_name_character(char c) { return is_digit(c) || is_letter(c) || c == '_' || c == '.'; }

std::size_t find_word(std::string_view text, std::string_view name) {
  if (name.empty()) return std::string_view::npos;
  for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    const bool begins = at == 0 || !is_name_character(text[at - 1]);
    if (begins && (end == text.size() || !is_name_character(text[end]))) return at;
  }
  return std::string_view::npos;
}

std::string without_word(std::string text, std::string_view name) {
  const std::size_t at = find_word(text, name);
  return at == std::string::npos ? text : text.replace(at, name.size(), " ");
}

/// "mlx5_comp3" → mlx, 5, comp, 3. In lower case; what stands between letters and digits is dropped.
std::vector<std::string> words_and_numbers(std::string_view text) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at < text.size();) {
    const auto same_kind = [&](char c) { return is_digit(text[at]) ? is_digit(c) : is_letter(c); };
    const auto end = static_cast<std::size_t>(std::ranges::find_if_not(text.substr(at), same_kind) - text.begin());
    if (end > at) {
      parts.emplace_back(text.substr(at, end - at));
      for (char& c : parts.back()) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    at = std::max(end, at + 1);
  }
  return parts;
}

bool serves_no_queue(std::string_view part) {
  constexpr std::array kInside = {"async", "mgm",  "misc", "fdir", "ctrl",    "control", "config", "event", "hwc",
                                  "cmd",   "page", "mbx",  "mbox", "mailbox", "link",    "notify", "irdma"};
  constexpr std::array kWhole = {"err", "error", "nq", "aeq", "ceq", "lsc", "mac", "wol", "lpi", "ptp", "slow", "sp", "fw", "other"};
  return std::ranges::any_of(kInside, [&](const char* word) { return part.find(word) != std::string_view::npos; }) ||
         std::ranges::find(kWhole, part) != kWhole.end();
}

std::optional<QueueDirection> direction_word(std::string_view part) {
  constexpr std::array kBoth = {"txrx", "rxtx", "fp", "q", "qp", "queue", "comp", "blk", "block", "ch", "channel"};
  if (std::ranges::find(kBoth, part) != kBoth.end()) return QueueDirection::combined;
  if (part == "rx" || part == "rxq" || part == "input") return QueueDirection::rx;
  if (part == "tx" || part == "txq" || part == "output") return QueueDirection::tx;
  return std::nullopt;
}

/// Of "rx" before "tx", or of "q" and "rx": the first is all there is to know, both directions are "combined".
QueueDirection joined(std::optional<QueueDirection> before, QueueDirection now) {
  if (!before || *before == now || *before == QueueDirection::combined) return now;
  return now == QueueDirection::combined ? *before : QueueDirection::combined;
}

ActionRole role_of_parts(const std::vector<std::string>& parts) {
  ActionRole role;
  std::optional<QueueDirection> direction;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto word = direction_word(parts[i]);
    if (!word) continue;
    direction = joined(direction, *word);
    const auto number = i + 1 < parts.size() ? whole_number<std::uint16_t>(parts[i + 1]) : std::nullopt;
    if (number) role.queue = *number;
  }
  if (direction) {
    role.kind = ActionRole::Kind::queue;
    role.direction = *direction;
  }
  return role;
}

/// "mlx4-1": driver and number alone.
std::optional<ActionRole> role_of_mlx4(const std::vector<std::string>& parts) {
  if (parts.size() != 3 || parts[0] != "mlx" || parts[1] != "4") return std::nullopt;
  const auto number = whole_number<std::uint16_t>(parts[2]);
  if (!number) return std::nullopt;
  return ActionRole{ActionRole::Kind::queue, *number, QueueDirection::combined};
}

}  // namespace

std::string_view to_text(QueueDirection direction) {
  switch (direction) {
    case QueueDirection::rx:
      return "rx";
    case QueueDirection::tx:
      return "tx";
    case QueueDirection::combined:
      return "combined";
  }
  return "";
}

bool has_word(std::string_view text, std::string_view name) { return find_word(text, name) != std::string_view::npos; }

std::optional<std::string> named_interface(std::string_view action, const std::set<std::string>& interfaces) {
  std::optional<std::string> longest;
  for (const std::string& name : interfaces)
    if (has_word(action, name) && (!longest || name.size() > longest->size())) longest = name;
  return longest;
}

ActionRole role_of_action(std::string_view action, std::string_view interface, std::string_view address) {
  const std::string_view own = action.substr(0, action.find('@'));  // behind it is the bus address
  const auto parts = words_and_numbers(without_word(without_word(std::string(own), address), interface));
  if (parts.empty()) return {.kind = ActionRole::Kind::bare};
  if (std::ranges::any_of(parts, serves_no_queue)) return {.kind = ActionRole::Kind::other};
  if (const auto role = role_of_mlx4(parts)) return *role;
  ActionRole role = role_of_parts(parts);
  if (role.kind == ActionRole::Kind::unknown)
    if (const auto number = whole_number<std::uint16_t>(parts.back())) role.queue = *number;
  return role;
}

}  // namespace netsettle::runners
