#pragma once
// Care of a whole record, past the study in it. Each function opens the files by itself and leaves them closed.

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "datasets/model/pseudonyms.hpp"
#include "datasets/store/store.hpp"

namespace netsettle::datasets {

/// Copies a record as it is at this moment into the new file `copy`, also while another process writes it; the copy is complete or not
/// there, and durable. Returns its size in bytes. Failures: not_found, mismatch (no record), conflict where `copy` exists, disk_full.
Expected<std::int64_t> backup_record(const std::filesystem::path& record, const std::filesystem::path& copy);

struct Examination {
  std::int64_t schema = 0;
  std::int64_t file_bytes = 0;
  std::int64_t raw_output_bytes = 0;                       // as stored
  std::vector<std::pair<std::string, std::int64_t>> rows;  // "trials", "configurations", … with their counts
  std::vector<std::string> findings;                       // sentences; empty: the record is whole
};

/// Reads everything: the database's own check, references between rows, size and SHA-256 of every raw output and bundle, the hash of every
/// configuration. Changes nothing. Failures: not_found, mismatch where it is no record (a damaged one is findings, not a failure).
Expected<Examination> examine_record(const std::filesystem::path& record);

struct MergedRecords {
  ImportedTrials first, second;
};

/// Makes the new record `out` with the study of `first` and the trials of both, with their raw output (Store::import_trials). The caller
/// has made sure that experiment, space, workload and machine are the same. `out` is complete or not there. Failures: not_found, mismatch,
/// invalid_input where both are one file, conflict where `out` exists, disk_full.
Expected<MergedRecords> merge_records(const std::filesystem::path& first, const std::filesystem::path& second,
                                      const std::filesystem::path& out);

/// Copies a record into the new file `copy`, complete or not there, with every text of it (raw output and bundles too) as `pseudonyms` has
/// it. Failures: as backup_record; io where raw output is damaged.
Expected<void> write_publishable_copy(const std::filesystem::path& record, const std::filesystem::path& copy, Pseudonyms& pseudonyms);

struct PruneOptions {
  std::int64_t keep = 0;  // raw output of so many latest trials stays
  enum class Do { count, remove } act = Do::count;
};

struct Pruned {
  std::int64_t trials = 0, texts = 0;  // that lose something; raw texts
  std::int64_t bytes = 0;              // of them, as stored
  std::int64_t file_before = 0, file_after = 0;
};

/// Takes the raw output of all but the latest trials out and makes the file smaller; what each trial measured, its settings, its series
/// and its account stay. Failures: busy where a study writes the record, disk_full where the smaller copy has no room beside the record
/// (what was to go is out of the record then; the file is not smaller).
Expected<Pruned> prune_record(const std::filesystem::path& record, const PruneOptions& options);

}  // namespace netsettle::datasets
