#include "tuner/cli/record.hpp"

#include <fmt/format.h>

#include <charconv>
#include <limits>

#include "runners/settings/guard.hpp"
#include "strategies/racing/next_step.hpp"
#include "tuner/report/report_data.hpp"

namespace netsettle::tuner {

Expected<std::filesystem::path> find_database(const CommandLine& line) {
  if (line.has("db")) return std::filesystem::path(line.text("db"));
  std::vector<std::filesystem::path> found;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(".", error))
    if (entry.path().string().ends_with(".netsettle.db")) found.push_back(entry.path().lexically_normal());
  if (found.size() == 1) return found.front();
  if (found.empty()) {
    if (const auto holder = runners::lock_holder(runners::default_guard_paths())) return std::filesystem::path(holder->database);
    return fail(ErrorCode::not_found, "record", "there is no *.netsettle.db here; name one with --db");
  }
  return fail(ErrorCode::invalid_input, "record", fmt::format("there are {} *.netsettle.db here; name one with --db", found.size()));
}

Expected<Record> open_record(const CommandLine& line) {
  NETSETTLE_ASSIGN(const auto path, find_database(line));
  return open_record_file(path);
}

Expected<Record> open_record_file(const std::filesystem::path& path) {
  NETSETTLE_ASSIGN(auto store, datasets::Store::open_reader(path));
  NETSETTLE_ASSIGN(auto study, store.study());
  NETSETTLE_ASSIGN(auto view, load_view(store));
  return Record{path, std::move(store), std::move(study), std::move(view)};
}

std::optional<std::int64_t> whole_number(const std::string& text, std::int64_t least, std::int64_t most) {
  std::int64_t number = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool fits = status == std::errc() && end == text.data() + text.size() && number >= least && number <= most;
  return fits ? std::optional(number) : std::nullopt;
}

Expected<std::int64_t> configuration_of(const Record& record, const std::string& word) {
  if (word == "baseline") return kBaselineId;
  if (word == "winner") {
    const auto verdict = strategies::verdict_of(record.view);
    if (verdict && verdict->kind == strategies::VerdictKind::winner) return verdict->configuration_id;
    return fail(ErrorCode::invalid_input, word,
                fmt::format("the study has no winner ({}); name a configuration by its number",
                            verdict ? verdict->statement : "it has no verdict yet"));
  }
  const auto id = whole_number(word, 1, std::numeric_limits<std::int64_t>::max());
  if (!id) return fail(ErrorCode::invalid_input, word, "is neither 'baseline', 'winner' nor the number of a configuration");
  if (find_configuration(record.view, *id) == nullptr)
    return fail(ErrorCode::invalid_input, word,
                fmt::format("the record has no configuration {}; netsettle show configurations lists them", *id));
  return *id;
}

}  // namespace netsettle::tuner
