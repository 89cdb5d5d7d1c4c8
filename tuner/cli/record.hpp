#pragma once
// Opening the record that a reading command is about.

#include <filesystem>
#include <optional>
#include <string>

#include "datasets/store/store.hpp"
#include "tuner/cli/command.hpp"
#include "tuner/loop/study.hpp"

namespace netsettle::tuner {

struct Record {
  std::filesystem::path path;
  datasets::Store store;
  datasets::StudyRecord study;
  StudyView view;
};

/// --db, or the record of the running study, or the only *.netsettle.db here. not_found names what to do.
Expected<std::filesystem::path> find_database(const CommandLine& line);
Expected<Record> open_record(const CommandLine& line);
Expected<Record> open_record_file(const std::filesystem::path& path);

/// A whole number from `least` to `most`; nullopt for everything else.
std::optional<std::int64_t> whole_number(const std::string& text, std::int64_t least, std::int64_t most);

/// What "baseline", "winner" or a number names in the record. Failure: invalid_input.
Expected<std::int64_t> configuration_of(const Record& record, const std::string& word);

}  // namespace netsettle::tuner
