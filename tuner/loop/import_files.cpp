#include "tuner/loop/import_files.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include "runners/loads/argument_values.hpp"
#include "runners/loads/dnsperf_result.hpp"
#include "runners/loads/kxdpgun_result.hpp"
#include "runners/loads/output_kind.hpp"
#include "runners/loads/resperf_result.hpp"

namespace netsettle::tuner {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kLargest = std::uintmax_t{256} << 20;

bool is_error_stream(const fs::path& path) { return path.extension() == ".err" || path.extension() == ".stderr"; }

Expected<std::string> read_text(const fs::path& path) {
  std::error_code error;
  const auto size = fs::file_size(path, error);
  if (error) return std::unexpected(errno_error(error.value(), path.string(), "cannot be read"));
  if (size > kLargest) return fail(ErrorCode::invalid_input, path.string(), "has more than 256 MiB");
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (!file || (size > 0 && !(text << file.rdbuf()))) return std::unexpected(errno_error(errno, path.string(), "cannot be read"));
  return std::move(text).str();
}

Expected<std::int64_t> written_us(const fs::path& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) return std::unexpected(errno_error(errno, path.string(), "cannot be read"));
  return std::int64_t{status.st_mtim.tv_sec} * 1'000'000 + status.st_mtim.tv_nsec / 1000;
}

// ---- one output -------------------------------------------------------------------------------------------------------------------------

/// What the command line that dnsperf prints says of the run.
void take_arguments(const std::string& command_line, TrialEvidence& evidence) {
  const auto argv = runners::words_of(command_line);
  const auto number = [&](char letter) { return runners::number_argument(argv, {letter}, runners::kDnsperfOptions); };
  evidence.load_timeout_s = number('t').value_or(5);  // dnsperf's own defaults
  evidence.load_window = static_cast<std::int64_t>(number('q').value_or(100));
  evidence.load_rate = number('Q');
  evidence.artifacts.push_back({"load.argv", command_line + "\n"});
}

TrialEvidence evidence_of(std::string_view kind, std::string_view output, std::string_view errors) {
  TrialEvidence evidence;
  evidence.one_machine = false;  // unknown: no loss can be placed
  evidence.load_timeout_s = 5;
  if (kind == "dnsperf") {
    const auto result = runners::read_dnsperf(output, errors);
    evidence.load = runners::load_report(result);
    if (result.status.command_line) take_arguments(*result.status.command_line, evidence);
  } else if (kind == "resperf") {
    evidence.load = runners::load_report(runners::read_resperf(output, errors, std::nullopt));
  } else {
    evidence.load = runners::load_report(runners::read_kxdpgun(output, errors));
  }
  evidence.measure_s = evidence.load->runtime_s.value_or(0);
  evidence.artifacts.push_back({"load.stdout", std::string(output)});
  if (!errors.empty()) evidence.artifacts.push_back({"load.stderr", std::string(errors)});
  return evidence;
}

/// As a trial is judged, as far as there is evidence; the rate is the whole run's, as the file has it.
strategies::Judgement judged(const TrialEvidence& evidence, const std::string& kind, const std::vector<std::string>& accept) {
  Experiment experiment;
  experiment.load.kind = evidence.load->intervals.empty() ? "file" : kind;  // without a series there is nothing to say about one
  if (!accept.empty()) experiment.load.accept = accept;
  auto judgement = strategies::judge(experiment, evidence);
  if (evidence.load->qps && judgement.measurements.contains("qps")) judgement.measurements["qps"] = *evidence.load->qps;
  return judgement;
}

ImportedRun run_of(std::string_view kind, std::string_view output, std::string_view errors, const FileOptions& options) {
  ImportedRun run;
  run.kind = kind;
  run.evidence = evidence_of(kind, output, errors);
  run.judgement = judged(run.evidence, run.kind, options.accept);
  return run;
}

// ---- one file ---------------------------------------------------------------------------------------------------------------------------

/// When the outputs of a file were written, the last one at the file's own time.
void set_times(std::vector<ImportedRun>& runs, std::int64_t written) {
  for (auto run = runs.rbegin(); run != runs.rend(); ++run) {
    run->ended_us = written;
    run->started_us = written - static_cast<std::int64_t>(run->evidence.load->runtime_s.value_or(0) * 1e6);
    written = run->started_us;
  }
}

Expected<std::vector<ImportedRun>> runs_in(const ResultFile& file, const std::string& errors, const FileOptions& options) {
  NETSETTLE_ASSIGN(const std::string text, read_text(file.path));
  if (text.starts_with("\x1f\x8b") || text.starts_with("\x28\xb5\x2f\xfd") ||
      text.starts_with("\xfd"
                       "7zXZ"))
    return fail(ErrorCode::invalid_input, file.name, "it is compressed; unpack it first");
  if (text.empty()) return fail(ErrorCode::invalid_input, file.name, "it is empty");
  const auto labels = options.label ? options.label->match(file.name) : std::optional(labels_in(file.name));
  std::vector<ImportedRun> runs;
  for (const std::string_view output : runners::single_outputs(text))
    if (const auto kind = runners::kind_of_output(output)) runs.push_back(run_of(*kind, output, errors, options));
  if (runs.empty()) return fail(ErrorCode::invalid_input, file.name, "it is no output of dnsperf, resperf or kxdpgun");
  if (!labels) return fail(ErrorCode::invalid_input, file.name, "its name does not match --label");
  NETSETTLE_ASSIGN(const std::int64_t written, written_us(file.path));
  set_times(runs, written);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    runs[i].name = i == 0 ? file.name : fmt::format("{}#{}", file.name, i + 1);
    runs[i].file = fs::absolute(file.path).lexically_normal().string();
    runs[i].labels = *labels;
  }
  return runs;
}

/// Standard error files by the file that they belong to.
std::map<fs::path, fs::path> error_streams(const std::vector<ResultFile>& files) {
  std::map<fs::path, fs::path> streams;
  for (const ResultFile& file : files)
    if (is_error_stream(file.path)) streams[fs::path(file.path).replace_extension()] = file.path;
  return streams;
}

Expected<void> find_below(const fs::path& folder, std::vector<ResultFile>& files) {
  std::error_code error;
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    if (entry->is_regular_file(error)) files.push_back({entry->path(), entry->path().lexically_relative(folder).string()});
  if (error) return std::unexpected(errno_error(error.value(), folder.string(), "the folder cannot be read"));
  return {};
}

}  // namespace

Expected<std::vector<ResultFile>> find_files(const std::vector<fs::path>& sources) {
  std::vector<ResultFile> files;
  for (const fs::path& source : sources) {
    std::error_code error;
    const auto status = fs::status(source, error);
    if (!fs::exists(status)) return fail(ErrorCode::not_found, source.string(), "does not exist");
    if (fs::is_directory(status)) {
      NETSETTLE_TRY(find_below(source, files));
    } else {
      files.push_back({source, source.lexically_normal().string()});
    }
  }
  std::ranges::sort(files, {}, &ResultFile::name);
  return files;
}

FoundRuns read_runs(const std::vector<ResultFile>& files, const FileOptions& options) {
  FoundRuns found;
  const auto streams = error_streams(files);
  std::set<fs::path> used;
  for (const ResultFile& file : files) {
    if (is_error_stream(file.path)) continue;
    auto stream = streams.find(file.path);
    if (stream == streams.end()) stream = streams.find(fs::path(file.path).replace_extension());
    std::string errors;
    if (stream != streams.end())
      if (auto text = read_text(stream->second)) {
        errors = *std::move(text);
        used.insert(stream->second);
      }
    auto runs = runs_in(file, errors, options);
    if (runs)
      std::ranges::move(*runs, std::back_inserter(found.runs));
    else
      found.left_out.push_back(
          {file.name, to_text(Error{.code = runs.error().code, .text = runs.error().text, .errno_value = runs.error().errno_value})});
  }
  for (const ResultFile& file : files)
    if (is_error_stream(file.path) && !used.contains(file.path))
      found.left_out.push_back({file.name, "it is standard error of no file here, or cannot be read"});
  std::ranges::stable_sort(found.runs, {}, [](const ImportedRun& run) { return std::pair(run.ended_us, run.name); });
  return found;
}

}  // namespace netsettle::tuner
