#pragma once
// Records to test with: a temporary folder, a study with everything filled, trials with every kind of evidence.

#include <filesystem>
#include <string>

#include "datasets/store/connection.hpp"
#include "datasets/store/store.hpp"

namespace netsettle::datasets::testing {

/// A folder of its own that is removed with everything in it.
class TemporaryFolder {
 public:
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();
  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path record() const { return path_ / "study.netsettle.db"; }

 private:
  std::filesystem::path path_;
};

StudyRecord sample_study();
/// processes = 2, rmem as found, and one value of every other kind.
Configuration sample_configuration();
TrialEvidence sample_evidence();
/// Measured, with qps and two reasons, and `evidence` if there is any.
TrialResult sample_result(double qps, const TrialEvidence* evidence = nullptr);
TrialResult failed_result(std::string reason);
TrialResult invalid_result(std::string reason);

/// A new record with the baseline as configuration 1; the test fails where it cannot be made.
Store new_record(const std::filesystem::path& path, std::int64_t reserve_bytes = 1 << 16);
/// Plans one trial; returns its id.
std::int64_t plan(Store& store, std::int64_t configuration_id, int block, int position, int attempt = 1);
/// Plans and records.
std::int64_t record(Store& store, std::int64_t configuration_id, int block, int position, const TrialResult& result);

/// A whole small study: a session, baseline and two configurations in three blocks, decisions, a bundle. Configuration 1 measured 1000,
/// 1010, 990; configuration 2 measured 1100, 1120, 1080 (one above the loss limit), configuration 3 failed once and was invalid once.
void fill(Store& store);

/// Any database, by SQL, past the Store.
Connection raw(const std::filesystem::path& path, Access access = Access::write);
std::string first_text(const Connection& connection, const std::string& sql);

}  // namespace netsettle::datasets::testing
