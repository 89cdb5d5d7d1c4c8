#include "tuner/cli/record.hpp"

#include <fmt/format.h>

#include "runners/settings/guard.hpp"

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

}  // namespace netsettle::tuner
