#include "strategies/validity/calibration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "strategies/statistics/comparison.hpp"
#include "strategies/statistics/summary.hpp"

namespace netsettle::strategies {
namespace {

constexpr double kAlpha = 0.05;         // of calling a sufficient load too light
constexpr double kTooUncertain = 0.10;  // half width of an interval with which "enough" would mean nothing

std::vector<double> measured(const LoadLevel& level) {
  std::vector<double> rates;
  for (const auto& rate : level.rates)
    if (rate && *rate > 0) rates.push_back(*rate);
  return rates;
}

std::vector<double> log_differences(const LoadLevel& level, const LoadLevel& reference) {
  std::vector<double> differences;
  for (std::size_t block = 0; block < std::min(level.rates.size(), reference.rates.size()); ++block) {
    const auto &rate = level.rates[block], &other = reference.rates[block];
    if (rate && other && *rate > 0 && *other > 0) differences.push_back(std::log(*rate / *other));
  }
  return differences;
}

bool is_heavier(const LoadLevel& level, const LoadLevel& file) {
  return !level.is_file && (level.window > file.window || level.instances > file.instances);
}

class Calibrator {
 public:
  Calibrator(std::span<const LoadLevel> levels, double least_effect) : levels_(levels), least_effect_(least_effect) {}

  Calibration run() && {
    const auto file = std::ranges::find_if(levels_, [](const LoadLevel& level) { return level.is_file; });
    if (file == levels_.end() || measured(*file).empty()) {
      result_.sentence = "Cannot tell: the load of the file could not be measured.";
      return std::move(result_);
    }
    const auto heavier = std::ranges::count_if(levels_, [&](const LoadLevel& level) { return is_heavier(level, *file); });
    const double alpha = kAlpha / static_cast<double>(std::max<std::ptrdiff_t>(1, heavier));
    for (const LoadLevel& level : levels_) compare(level, *file, alpha);
    find_knee(*file);
    conclude(*file);
    return std::move(result_);
  }

 private:
  void compare(const LoadLevel& level, const LoadLevel& file, double alpha) {
    LevelResult row{.name = level.name};
    if (const auto summary = summarise_values(measured(level))) {
      row.n = summary->n;
      row.mean = summary->mean;
    }
    if (!level.is_file) {
      if (const auto comparison = compare_paired_log(log_differences(level, file), alpha)) {
        row.effect = comparison->effect;
        row.low = comparison->low;
        row.high = comparison->high;
        if (is_heavier(level, file)) note_heavier(level, row);
      }
    }
    result_.levels.push_back(std::move(row));
  }

  void note_heavier(const LoadLevel& level, const LevelResult& row) {
    ++compared_;
    result_.provable = std::max(result_.provable, (*row.high - *row.low) / 2);
    const bool gains = *row.low > 0 && *row.effect > least_effect_;
    if (gains && (!best_ || *row.effect > best_effect_)) {
      best_ = level.name;
      best_effect_ = *row.effect;
    }
  }

  void find_knee(const LoadLevel& file) {
    double knee = file.window;
    for (std::size_t i = 0; i < levels_.size(); ++i) {
      const LevelResult& row = result_.levels[i];
      const bool lighter = levels_[i].window < file.window && levels_[i].instances <= file.instances;
      if (lighter && row.high && *row.high > -least_effect_ && *row.effect > -least_effect_) knee = std::min(knee, levels_[i].window);
    }
    result_.knee_window = knee;
    if (knee > 0) result_.headroom = file.window / knee;
  }

  /// The heaviest load whose window was its own.
  std::optional<std::string> unhindered() const {
    const LoadLevel* best = nullptr;
    for (const LoadLevel& level : levels_)
      if (level.window_limited == 0 && !measured(level).empty() && (!best || level.window > best->window)) best = &level;
    return best ? std::optional(best->name) : std::nullopt;
  }

  void conclude(const LoadLevel& file) {
    if (2 * file.window_limited >= static_cast<int>(measured(file).size())) {
      result_.advice = unhindered();
      result_.sentence = fmt::format(
          "Cannot tell: with the load of the file ({}) lost queries held the window until they timed out, mostly those "
          "of the opening burst. Give the server a larger receive buffer, or use a smaller window{}.",
          file.name, result_.advice ? ": " + *result_.advice + " was not held" : "");
    } else if (best_) {
      result_.fit = LoadFit::too_light;
      result_.advice = best_;
      result_.sentence = fmt::format(
          "More load gives more answers: {} gives {:+.1f} % against {}. With the load of the file the client is the "
          "limit: write the heavier load into [load].",
          *best_, 100 * best_effect_, file.name);
    } else if (compared_ == 0 || result_.provable > kTooUncertain) {
      result_.sentence = compared_ == 0 ? "Cannot tell: no heavier load could be measured in two blocks or more; more --repeat helps."
                                        : fmt::format(
                                              "Cannot tell: these trials vary so much that only a gain of {} could be seen; more "
                                              "--repeat or a longer trial.measure helps.",
                                              result_.provable > 1 ? "more than 100 %" : fmt::format("{:.0f} %", 100 * result_.provable));
    } else {
      result_.fit = LoadFit::enough;
      result_.sentence = fmt::format(
          "The load is heavy enough: no heavier one gave more answers (a gain above {:.1f} % would have been seen). "
          "{:.0f} queries under way suffice, the file has {:.0f}: headroom {:.1f} times.",
          100 * result_.provable, result_.knee_window.value_or(0), file.window, result_.headroom.value_or(1));
    }
  }

  std::span<const LoadLevel> levels_;
  double least_effect_;
  Calibration result_;
  int compared_ = 0;
  std::optional<std::string> best_;
  double best_effect_ = 0;
};

}  // namespace

Calibration calibrate(std::span<const LoadLevel> levels, double least_effect) { return Calibrator(levels, least_effect).run(); }

}  // namespace netsettle::strategies
