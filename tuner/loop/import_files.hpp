#pragma once
// Old result files: found, read, recognised and judged, before a record is made of them.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "strategies/validity/judge.hpp"
#include "tuner/loop/import_labels.hpp"

namespace netsettle::tuner {

struct ResultFile {
  std::filesystem::path path;
  std::string name;  // below the folder that was named
};

struct LeftOut {
  std::string name;
  std::string reason;
};

/// One output of a load generator; a file may have several.
struct ImportedRun {
  std::string name;  // of the file; "NAME#2" for the second output in it
  std::string file;  // absolute
  std::string kind;
  Labels labels;
  TrialEvidence evidence;
  strategies::Judgement judgement;
  std::int64_t started_us = 0, ended_us = 0;  // the file was last written when the run had ended
};

struct FileOptions {
  std::optional<LabelPattern> label;
  std::vector<std::string> accept;  // response codes that count as answers
};

struct FoundRuns {
  std::vector<ImportedRun> runs;  // by time, then name
  std::vector<LeftOut> left_out;  // every file that gave no run, and why
};

/// All files below the folders, and the files that are named by themselves, in the order of their names. Failure: not_found, or io for a
/// folder that cannot be read.
Expected<std::vector<ResultFile>> find_files(const std::vector<std::filesystem::path>& sources);

/// Reads and judges them. Errors of single files are in `left_out`. A file "X.err" or "X.stderr" beside another file "X" or "X.…" is that
/// one's standard error.
FoundRuns read_runs(const std::vector<ResultFile>& files, const FileOptions& options);

}  // namespace netsettle::tuner
