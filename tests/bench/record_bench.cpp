// What recording one trial costs, as a ratio to the least that a durable record can cost: one appended write and fsync of the same raw
// output.

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "datasets/store/store.hpp"

namespace {

using namespace netsettle;
using Clock = std::chrono::steady_clock;

constexpr int kTrials = 200;

double milliseconds_since(Clock::time_point start) { return std::chrono::duration<double, std::milli>(Clock::now() - start).count(); }

double median(std::vector<double> values) {
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
  return values[values.size() / 2];
}

/// What a trial of 30 s leaves: counters before and after, the load's output with its series.
TrialEvidence evidence() {
  TrialEvidence evidence;
  LoadReport load;
  std::string output;
  for (int i = 0; i < 160; ++i) {
    load.intervals.push_back({1796027685.0 + 0.2 * i, 90000.0 + i});
    output += fmt::format("{:.6f}: {:.6f}\n", load.intervals.back().time_s, load.intervals.back().qps);
  }
  evidence.load = load;
  evidence.artifacts = {{"load.stdout", output}};
  for (const char* kind : {"softnet", "snmp.server", "snmp.client", "stat", "meminfo"})
    for (const char* when : {"before", "after"}) evidence.artifacts.push_back({fmt::format("{}.{}", kind, when), std::string(1500, 'x')});
  return evidence;
}

std::size_t bytes_of(const TrialEvidence& evidence) {
  std::size_t bytes = 0;
  for (const auto& artifact : evidence.artifacts) bytes += artifact.content.size();
  return bytes;
}

std::vector<double> record_all(const std::filesystem::path& folder, const TrialEvidence& seen) {
  datasets::StudyRecord study;
  study.name = "bench";
  auto store = datasets::Store::create(folder / "bench.netsettle.db", study);
  if (!store || !store->begin_session({}) || !store->add_configuration({}, "baseline")) return {};
  std::vector<double> times;
  for (int i = 0; i < kTrials; ++i) {
    const auto ids = store->plan_trials({{.configuration_id = 1, .block = i + 1}});
    if (!ids) return {};
    datasets::TrialResult result;
    result.measurements = {{"qps", 90000.0}, {"lost_percent", 0.0}};
    result.evidence = &seen;
    const auto start = Clock::now();
    if (!store->record_trial(ids->front(), result)) return {};
    times.push_back(milliseconds_since(start));
  }
  return times;
}

std::vector<double> append_all(const std::filesystem::path& folder, std::size_t bytes) {
  const int file = open((folder / "bare").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  const std::string block(bytes, 'x');
  std::vector<double> times;
  for (int i = 0; i < kTrials; ++i) {
    const auto start = Clock::now();
    if (write(file, block.data(), block.size()) != static_cast<ssize_t>(block.size()) || fsync(file) != 0) return {};
    times.push_back(milliseconds_since(start));
  }
  close(file);
  return times;
}

}  // namespace

int main() {
  std::string pattern = std::filesystem::temp_directory_path() / "netsettle-bench-XXXXXX";
  if (!mkdtemp(pattern.data())) return 1;
  const TrialEvidence seen = evidence();
  const auto bare = append_all(pattern, bytes_of(seen));
  const auto recorded = record_all(pattern, seen);
  const auto size = recorded.empty() ? 0 : std::filesystem::file_size(std::filesystem::path(pattern) / "bench.netsettle.db");
  std::filesystem::remove_all(pattern);
  if (bare.empty() || recorded.empty()) {
    fmt::print(stderr, "record_bench: the record could not be written\n");
    return 1;
  }
  fmt::print("recording a trial: median {:.2f} ms; a bare write and fsync of its {} bytes: {:.2f} ms; ratio {:.1f}\n", median(recorded),
             bytes_of(seen), median(bare), median(recorded) / median(bare));
  fmt::print("record of {} trials: {:.1f} MiB, {:.2f} of the raw output\n", kTrials, static_cast<double>(size) / (1 << 20),
             static_cast<double>(size) / static_cast<double>(kTrials * bytes_of(seen)));
  return 0;
}
