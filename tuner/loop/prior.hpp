#pragma once
// Another study's trials as prior information: they inform the search, and are never part of budget, table or confirmation.

#include <filesystem>
#include <string>

#include "datasets/store/store.hpp"

namespace netsettle::tuner {

struct PriorTrials {
  int taken = 0;
  int left_out = 0;  // of configurations that the new space does not have
};

/// Makes a new record that begins with the finished search and confirmation trials of the record `from`, each tagged with its name; all of
/// it or nothing. The values that `from` found on its machine become values of the parameters. Failures: mismatch where `from` has other
/// parameters or another objective; what Store::create says.
Expected<PriorTrials> create_with_prior(const std::filesystem::path& database, const datasets::StudyRecord& record,
                                        const SearchSpace& space, const std::filesystem::path& from);

/// "Prior information: 38 trials of old.db (2 left out …)." for people.
std::string to_text(const PriorTrials& prior, const std::filesystem::path& from);

/// Prior information is taken when a study begins: whether a record that exists was begun with `from`. Failure: conflict.
Expected<void> check_prior(const std::filesystem::path& database, const std::filesystem::path& from);

}  // namespace netsettle::tuner
