#include "runners/settings/journal_entry.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace netsettle::runners {
namespace {

using Json = nlohmann::json;

// Stored words, in the order of the enumerators: append-only.
constexpr std::array<std::string_view, 6> kKinds = {"file", "namespace", "link", "process", "irqbalance_bans", "frozen_process"};
constexpr std::array<std::string_view, 3> kStates = {"open", "conflict", "closed"};
constexpr std::array<std::string_view, 6> kComparators = {"exact", "number", "number_rounded_up", "cpu_mask", "vector", "cpu_list"};

template <typename Enum, std::size_t N>
std::optional<Enum> from_word(const std::array<std::string_view, N>& words, std::string_view word) {
  const auto found = std::ranges::find(words, word);
  if (found == words.end()) return std::nullopt;
  return static_cast<Enum>(found - words.begin());
}

/// JSON holds code points, not bytes: each byte becomes the code point of the same number, so that any file's bytes come back exactly.
std::string to_code_points(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      text += c;
    } else {
      text += static_cast<char>(0xc0 | byte >> 6);
      text += static_cast<char>(0x80 | (byte & 0x3f));
    }
  }
  return text;
}

std::string to_bytes(std::string_view text) {
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte < 0x80 || i + 1 == text.size())
      bytes += text[i];
    else
      bytes += static_cast<char>((byte & 0x03) << 6 | (static_cast<unsigned char>(text[++i]) & 0x3f));
  }
  return bytes;
}

std::string line(const Json& json) { return json.dump(-1, ' ', true) + "\n"; }

// ---- reading; the members of a well-formed line are all there, nlohmann throws where not (caught in replay_line) ----------------

std::string bytes_at(const Json& json, const char* key) { return to_bytes(json.at(key).get<std::string>()); }

std::optional<std::string> optional_bytes_at(const Json& json, const char* key) {
  if (!json.contains(key)) return std::nullopt;
  return bytes_at(json, key);
}

void read_values(const Json& json, JournalEntry& entry) {
  entry.original = bytes_at(json, "original");
  entry.in_force = optional_bytes_at(json, "in_force");
  entry.in_flight = optional_bytes_at(json, "in_flight");
  entry.resetting = json.contains("resetting");
}

void read_process(const Json& json, JournalEntry& entry) {
  entry.pid = json.at("pid").get<std::int64_t>();
  entry.pid_start = json.at("start").get<std::int64_t>();
}

void read_file_members(const Json& json, JournalEntry& entry) {
  entry.setting = json.at("setting").get<std::string>();
  entry.path = bytes_at(json, "path");
  entry.netns = bytes_at(json, "netns");
  if (json.contains("handler")) entry.name = bytes_at(json, "handler");
  if (json.contains("netns_inode")) entry.netns_inode = json.at("netns_inode").get<std::uint64_t>();
  entry.comparator = from_word<Comparator>(kComparators, json.at("comparator").get<std::string>()).value();
  read_values(json, entry);
}

bool has_process(EntryKind kind) {
  return kind == EntryKind::process || kind == EntryKind::irqbalance_bans || kind == EntryKind::frozen_process;
}

bool has_name(EntryKind kind) {
  return kind == EntryKind::network_namespace || kind == EntryKind::link || kind == EntryKind::frozen_process;
}

JournalEntry read_entry(const Json& json, EntryKind kind) {
  JournalEntry entry;
  entry.kind = kind;
  entry.id = json.at("id").get<int>();
  entry.state = from_word<EntryState>(kStates, json.at("state").get<std::string>()).value();
  entry.boot = json.at("boot").get<std::string>();
  if (kind == EntryKind::file) {
    read_file_members(json, entry);
    return entry;
  }
  if (has_process(kind)) read_process(json, entry);
  if (kind == EntryKind::irqbalance_bans) read_values(json, entry);
  if (has_name(kind)) entry.name = bytes_at(json, "name");
  return entry;
}

void change_entry(const Json& json, std::string_view what, JournalEntry& entry) {
  if (what == "write_begun") {
    entry.in_flight = bytes_at(json, "text");
  } else if (what == "write_ended") {
    entry.in_force = bytes_at(json, "text");
    entry.in_flight.reset();
    entry.resetting = false;
  } else if (what == "reset_begun") {
    entry.resetting = true;
  } else if (what == "write_refused") {
    entry.in_flight.reset();
  } else {
    entry.state = from_word<EntryState>(kStates, what).value();
  }
}

void replay_json(const Json& json, std::vector<JournalEntry>& entries) {
  const auto what = json.at("what").get<std::string>();
  if (const auto kind = from_word<EntryKind>(kKinds, what)) {
    entries.push_back(read_entry(json, *kind));
    return;
  }
  const int id = json.at("id").get<int>();
  const auto entry = std::ranges::find(entries, id, &JournalEntry::id);
  change_entry(json, what, entry == entries.end() ? throw std::out_of_range("id") : *entry);
}

bool replay_line(std::string_view text, std::vector<JournalEntry>& entries) {
  try {
    replay_json(Json::parse(text), entries);
    return true;
  } catch (const std::exception&) {  // nlohmann's, and bad_optional_access for an unknown word: the line is not one of ours
    return false;
  }
}

}  // namespace

std::string describe(const JournalEntry& entry) {
  switch (entry.kind) {
    case EntryKind::file:
      return entry.netns.empty() ? entry.path : fmt::format("{} (namespace {})", entry.path, entry.netns);
    case EntryKind::network_namespace:
      return "namespace " + entry.name;
    case EntryKind::link:
      return "link " + entry.name;
    case EntryKind::process:
      return fmt::format("process {}", entry.pid);
    case EntryKind::irqbalance_bans:
      return fmt::format("ban list of irqbalance (process {})", entry.pid);
    case EntryKind::frozen_process:
      return fmt::format("{} (process {}, stopped)", entry.name, entry.pid);
  }
  return entry.name;
}

std::string entry_line(const JournalEntry& entry) {
  Json json = {{"what", kKinds[static_cast<std::size_t>(entry.kind)]},
               {"id", entry.id},
               {"state", kStates[static_cast<std::size_t>(entry.state)]},
               {"boot", entry.boot}};
  if (entry.kind == EntryKind::file) {
    json["setting"] = entry.setting;
    json["path"] = to_code_points(entry.path);
    json["netns"] = to_code_points(entry.netns);
    if (entry.netns_inode) json["netns_inode"] = *entry.netns_inode;
    json["comparator"] = kComparators[static_cast<std::size_t>(entry.comparator)];
    if (!entry.name.empty()) json["handler"] = to_code_points(entry.name);
  }
  if (has_process(entry.kind)) {
    json["pid"] = entry.pid;
    json["start"] = entry.pid_start;
  }
  if (entry.kind == EntryKind::file || entry.kind == EntryKind::irqbalance_bans) {
    json["original"] = to_code_points(entry.original);
    if (entry.in_force) json["in_force"] = to_code_points(*entry.in_force);
    if (entry.in_flight) json["in_flight"] = to_code_points(*entry.in_flight);
    if (entry.resetting) json["resetting"] = true;
  }
  if (has_name(entry.kind)) json["name"] = to_code_points(entry.name);
  return line(json);
}

std::string write_begun_line(int id, std::string_view text) {
  return line({{"what", "write_begun"}, {"id", id}, {"text", to_code_points(text)}});
}

std::string write_ended_line(int id, std::string_view in_force) {
  return line({{"what", "write_ended"}, {"id", id}, {"text", to_code_points(in_force)}});
}

std::string reset_begun_line(int id) { return line({{"what", "reset_begun"}, {"id", id}}); }

std::string write_refused_line(int id) { return line({{"what", "write_refused"}, {"id", id}}); }

std::string state_line(int id, EntryState state) { return line({{"what", kStates[static_cast<std::size_t>(state)]}, {"id", id}}); }

Replay replay(std::string_view text) {
  Replay result;
  int number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = text.find('\n', begin);
    if (end == std::string_view::npos) break;  // torn
    ++number;
    if (!replay_line(text.substr(begin, end - begin), result.entries)) result.unreadable_lines.push_back(number);
    begin = result.sound_bytes = end + 1;
  }
  return result;
}

}  // namespace netsettle::runners
