#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>

#include "runners/hosts/clock.hpp"
#include "strategies/designs/random.hpp"
#include "strategies/racing/next_step.hpp"
#include "strategies/validity/calibration.hpp"
#include "tuner/cli/rig_command.hpp"
#include "tuner/loop/calibration_file.hpp"
#include "tuner/report/text.hpp"

namespace netsettle::tuner {
namespace {

namespace options = boost::program_options;

constexpr int kMostOutstanding = 65536;  // of one dnsperf thread
constexpr double kLeastGain = 0.02;

struct Candidate {
  strategies::LoadLevel level;
  std::map<std::string, std::string> settings;
};

Candidate candidate(int outstanding, int instances, const LoadSection& file) {
  Candidate made;
  made.level.window = static_cast<double>(outstanding) * instances;
  made.level.instances = instances;
  made.level.is_file = outstanding == file.outstanding && instances == file.instances;
  made.level.name =
      fmt::format("outstanding = {}{}", outstanding, instances > 1 || file.instances > 1 ? fmt::format(", instances = {}", instances) : "");
  made.settings = {{"load.outstanding", std::to_string(outstanding)}, {"load.instances", std::to_string(instances)}};
  return made;
}

/// Lighter and heavier windows, and two clients in place of one.
std::vector<Candidate> candidates(const LoadSection& load) {
  const int least = std::max(load.threads, 1), most = kMostOutstanding * load.threads;
  std::vector<Candidate> all;
  const auto add = [&](int outstanding, int instances) {
    auto made = candidate(std::clamp(outstanding, least, most), instances, load);
    const bool known = std::ranges::any_of(all, [&](const Candidate& other) { return other.settings == made.settings; });
    if (!known) all.push_back(std::move(made));
  };
  for (const int divisor : {16, 8, 4, 2, 1}) add(load.outstanding / divisor, load.instances);
  for (const int factor : {2, 4}) add(load.outstanding * factor, load.instances);
  add(std::max(1, load.outstanding / 2), load.instances * 2);
  add(load.outstanding, load.instances * 2);
  return all;
}

std::vector<std::size_t> shuffled(std::size_t size, std::uint64_t seed) {
  std::vector<std::size_t> order(size);
  std::iota(order.begin(), order.end(), std::size_t{0});
  strategies::Random random(seed);
  strategies::shuffle(order, random);
  return order;
}

bool has_reason(const Verdict& verdict, std::string_view code) {
  return std::ranges::find(verdict.reasons, code, &Reason::code) != verdict.reasons.end();
}

std::optional<std::string> unsuitable(const LoadSection& load) {
  if (load.kind != "dnsperf")
    return "load.kind = \"" + load.kind + "\": a closed loop is calibrated by its window, and only dnsperf has one";
  if (load.rate) return "load.rate is set: an open loop has no window to calibrate";
  return std::nullopt;
}

void print_levels(const strategies::Calibration& calibration) {
  std::size_t width = 12;
  for (const auto& level : calibration.levels) width = std::max(width, level.name.size());
  fmt::print("\n  {:<{}} {:>7} {:>14}   against the file's load\n", "load", width, "trials", "queries/s");
  for (const auto& level : calibration.levels)
    fmt::print("  {:<{}} {:>7} {:>14}   {}\n", level.name, width, level.n, level.n > 0 ? quantity(level.mean) : "-",
               level.effect ? fmt::format("{} ({:+.1f} to {:+.1f})", percent(*level.effect), 100 * *level.low, 100 * *level.high) : "");
  fmt::print("\n{}\n", calibration.sentence);
}

int calibrate_load(const RigWork& work, int blocks, const std::filesystem::path& file, bool as_json) {
  if (const auto reason = unsuitable(work.experiment.load)) return print_error({ErrorCode::invalid_input, "calibrate", *reason});
  auto loads = candidates(work.experiment.load);
  const int trials = blocks * static_cast<int>(loads.size());
  const double seconds = trial_seconds(work.experiment);
  if (!as_json)
    fmt::print("{} loads in {} blocks: {} trials, about {}.\n", loads.size(), blocks, trials,
               format_duration_us(static_cast<std::int64_t>(trials * seconds * 1e6)));
  StepLine step(as_json);
  int done = 0;
  for (int block = 1; block <= blocks; ++block) {
    for (const std::size_t i : shuffled(loads.size(), strategies::block_seed(work.experiment.study.seed, block))) {
      if (work.stop != 0) return kEndedEarly;
      step.show(fmt::format("block {} of {}: {} ({} of {} trials, about {:.0f} s left)", block, blocks, loads[i].level.name, done + 1,
                            trials, (trials - done) * seconds));
      const auto trial = work.session.run(loads[i].settings, block, work.stop, [](TrialState) {});
      const auto rate = trial.judgement.measurements.find("qps");
      const bool measured = trial.judgement.verdict.outcome == Outcome::measured && rate != trial.judgement.measurements.end();
      loads[i].level.rates.push_back(measured ? std::optional(rate->second) : std::nullopt);
      loads[i].level.window_limited += has_reason(trial.judgement.verdict, "window-limited");
      ++done;
    }
  }
  step.clear();
  std::vector<strategies::LoadLevel> levels;
  for (auto& load : loads) levels.push_back(std::move(load.level));
  const auto calibration = strategies::calibrate(levels, kLeastGain);
  const std::string json = calibration_json(calibration, work.machine, runners::SystemClock().utc().count());
  if (const auto written = write_calibration(file, json); !written) return print_error(written.error());
  if (as_json) {
    fmt::print("{}", json);
    return kDone;
  }
  print_levels(calibration);
  fmt::print("Written to {}: a study with this workload on this machine takes note of it.\n", file.string());
  return kDone;
}

std::optional<int> blocks_of(const CommandLine& line) {
  constexpr int kUsual = 4, kMost = 100;
  if (!line.has("repeat")) return kUsual;
  const std::string text = line.text("repeat");
  int blocks = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), blocks);
  const bool fits = status == std::errc() && end == text.data() + text.size() && blocks >= 2 && blocks <= kMost;
  return fits ? std::optional(blocks) : std::nullopt;
}

}  // namespace

int run_calibrate(const Arguments& arguments) {
  CommandLine line(
      "calibrate FILE [--set KEY=VALUE]... [--repeat BLOCKS] [--output FILE] [--json]",
      "Finds the load under which more load gives no more answers: lighter and heavier windows and a second client, in interleaved\n"
      "blocks. A generator pinned to one CPU is always at 100 %, so its CPU share alone decides nothing. Prints the headroom and\n"
      "writes it down. Exit 0: done, also when the load is too light (the sentence says so); 3: this machine cannot do it.",
      "netsettle calibrate datasets/experiments/quickstart.toml --set trial.measure=2s --repeat 6");
  line.positional("file", 1);
  line.add()("set", options::value<std::vector<std::string>>()->composing(), "override one key of the file")(
      "repeat", options::value<std::string>(), "blocks, each with every load once (default 4)")(
      "output", options::value<std::string>(), "where to write it; default ./NAME.netsettle.calibration.json")("json", "as JSON");
  if (const auto exit = line.parse(arguments)) return *exit;
  if (!line.has("file")) return print_error({ErrorCode::invalid_input, "calibrate", "an experiment file is needed"});
  const auto blocks = blocks_of(line);
  if (!blocks) return print_error({ErrorCode::invalid_input, "--repeat", "a number of blocks from 2 to 100 is needed"});
  return work_in_rig(line, {}, [&](const RigWork& work) {
    const auto file =
        line.has("output") ? std::filesystem::path(line.text("output")) : default_calibration_file(work.experiment.study.name);
    return calibrate_load(work, *blocks, file, line.has("json"));
  });
}

}  // namespace netsettle::tuner
