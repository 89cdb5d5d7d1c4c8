#include "tuner/report/one_configuration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "strategies/designs/blocks.hpp"
#include "strategies/racing/sentence.hpp"
#include "strategies/statistics/autocorrelation.hpp"
#include "strategies/validity/series.hpp"
#include "tuner/report/json_parts.hpp"
#include "tuner/report/text.hpp"

namespace netsettle::tuner {
namespace {

using Json = nlohmann::ordered_json;
using strategies::signed_percent;

constexpr std::size_t kDipValues = 30;

/// Of search and confirmation of this study.
std::vector<strategies::Block> study_blocks(const StudyView& study) {
  auto blocks = strategies::blocks_of(study);
  std::erase_if(blocks, [](const strategies::Block& block) {
    const bool counts = block.purpose == Purpose::search || block.purpose == Purpose::confirm;
    return !counts || block.trials.front()->imported_from;
  });
  return blocks;
}

/// Means of tau, interval and overhead over the trials; the spreads of all of them.
std::optional<strategies::TrialLength> length_of(std::span<const TrialSeries> series) {
  std::vector<std::vector<double>> rates;
  double tau = 0, interval = 0, overhead = 0;
  for (const TrialSeries& trial : series) {
    const auto size = strategies::effective_sample_size(trial.rates);
    if (!size) continue;
    rates.push_back(trial.rates);
    tau += size->tau;
    interval += trial.interval_s;
    overhead += trial.overhead_s;
  }
  const auto n = static_cast<double>(rates.size());
  if (n < 2) return std::nullopt;
  const auto levels = strategies::spread_levels(rates, tau / n);
  if (!levels) return std::nullopt;
  return strategies::trial_length({.levels = *levels, .bin_s = interval / n, .overhead_s = overhead / n});
}

double seconds(Microseconds time) { return std::chrono::duration<double>(time).count(); }

std::string span_text(const strategies::LocationInterval& found) {
  return fmt::format("{} ({} to {})", quantity(found.estimate), quantity(found.low), quantity(found.high));
}

std::string where(const ConfigurationFigures& figures, const std::string& metric) {
  const auto& values = figures.values;
  std::string text = fmt::format("{} measured", strategies::counted(static_cast<int>(values.size()), "trial"));
  if (figures.failed > 0) text += fmt::format(", {} failed", figures.failed);
  if (figures.invalid > 0) text += fmt::format(", {} invalid", figures.invalid);
  text += "\n";
  if (values.size() == 1) text += fmt::format("{}: {}\n", metric, quantity(values.front()));
  if (figures.mean) text += fmt::format("{}, with 95 % intervals: mean {}", metric, span_text(*figures.mean));
  if (figures.typical) text += fmt::format(", typical {} (Hodges-Lehmann)", span_text(*figures.typical));
  if (figures.median) text += fmt::format(", median {}", span_text(*figures.median));
  if (figures.mean) text += "\n";
  return text;
}

std::string steadiness(const ConfigurationFigures& figures) {
  std::string text;
  if (const auto& found = figures.stability) {
    text += fmt::format("Spread: coefficient of variation {}", strategies::percent(found->variation));
    if (const auto& range = found->variation_range)
      text += fmt::format(" ({} to {})", strategies::percent(range->low), strategies::percent(range->high));
    text += fmt::format(", worst trial {} of the mean, {} below 75 % of the median (at most {}, 95 %)\n", strategies::percent(found->worst),
                        found->bad == 0 ? "none" : fmt::format("{}", found->bad), strategies::percent(found->bad_mode_bound));
  }
  if (const auto& dip = figures.dip)
    text += fmt::format("{} by Hartigan's dip (p = {:.3f})\n", dip->p < 0.05 ? "More than one mode" : "No second mode seen", dip->p);
  return text;
}

std::string beside_baseline(const ConfigurationFigures& figures, const std::string& metric) {
  if (!figures.versus_baseline) return "";
  const auto& pair = *figures.versus_baseline;
  std::string text = fmt::format("Against the baseline in {}, more is better: {} (95 % {} to {})",
                                 strategies::counted(figures.shared_blocks, "shared block"), signed_percent(pair.effect),
                                 signed_percent(pair.low), signed_percent(pair.high));
  const auto range = [](double ratio, double low, double high, std::string_view how) {
    return fmt::format("{} (95 % {} to {}, {})", signed_percent(ratio - 1), signed_percent(low - 1), signed_percent(high - 1), how);
  };
  if (const auto& ratio = figures.ratio)
    text += fmt::format("; arithmetic mean of {} ", metric) + range(ratio->ratio, ratio->low, ratio->high, "Fieller");
  if (const auto& drawn = figures.bootstrap_ratio) text += ", " + range(drawn->estimate, drawn->low, drawn->high, "bootstrap");
  return text + "\n";
}

std::string length_text(const ConfigurationFigures& figures) {
  using strategies::LengthReason;
  if (!figures.length) return "";
  const strategies::TrialLength& length = *figures.length;
  const std::string_view why = length.reason == LengthReason::trials_differ
                                   ? "trials differ more than what happens within them: rather more trials"
                               : length.reason == LengthReason::trials_agree ? "trials hardly differ: longer would be better still"
                                                                             : "the most precise mean for the time";
  return fmt::format("A trial that measures for {:.0f} s tells most in a given time ({}; Kalibera and Jones)\n", length.seconds, why);
}

template <typename Found, typename ToJson>
Json or_null(const std::optional<Found>& found, ToJson to_json) {
  return found ? Json(to_json(*found)) : Json(nullptr);
}

Json location_json(const std::optional<strategies::LocationInterval>& found) {
  return or_null(found, [](const auto& at) { return Json{{"estimate", at.estimate}, {"low", at.low}, {"high", at.high}}; });
}

}  // namespace

std::optional<TrialSeries> series_of(const Experiment& experiment, const Trial& trial, const std::vector<Interval>& intervals) {
  const double warmup_s = seconds(experiment.trial.warmup), measure_s = seconds(experiment.trial.measure);
  const auto inside = strategies::window_intervals(intervals, warmup_s, measure_s, 0);
  if (inside.size() < 2) return std::nullopt;
  TrialSeries series{.rates = {},
                     .interval_s = inside[1].time_s - inside[0].time_s,
                     .overhead_s = std::max(0.0, seconds(Microseconds(trial.ended_us - trial.started_us)) - measure_s)};
  for (const Interval& interval : inside) series.rates.push_back(interval.qps);
  return series;
}

ConfigurationFigures figures_of(const StudyView& study, std::int64_t id, std::span<const TrialSeries> series) {
  ConfigurationFigures figures{.id = id};
  std::vector<double> oriented;
  for (const Trial* trial : study_trials(study, id)) {
    figures.failed += trial->outcome == Outcome::failed ? 1 : 0;
    figures.invalid += trial->outcome == Outcome::invalid ? 1 : 0;
    const auto value = strategies::measured_objective(study.experiment, *trial);
    if (!value) continue;
    figures.values.push_back(*value);
    oriented.push_back(strategies::oriented(study.experiment, *value));
  }
  figures.mean = strategies::mean_interval(figures.values);
  figures.typical = strategies::hodges_lehmann(figures.values);
  figures.median = strategies::median_interval(figures.values);
  figures.stability = strategies::stability_of(oriented);
  if (figures.values.size() >= kDipValues) figures.dip = strategies::dip_test(figures.values);
  figures.length = length_of(series);
  if (id == kBaselineId) return figures;
  constexpr double kAlpha = 0.025;
  const std::vector<strategies::Block> blocks = study_blocks(study);
  const auto pairs = strategies::as_measured(study.experiment, strategies::pairs_in(study.experiment, blocks, id));
  figures.shared_blocks = static_cast<int>(pairs.values.size());
  figures.versus_baseline = strategies::compare_paired_log(strategies::log_differences(study.experiment, blocks, id), kAlpha);
  figures.ratio = strategies::ratio_in_blocks(pairs.values, pairs.versus);
  figures.bootstrap_ratio = strategies::bca_ratio(pairs.values, pairs.versus);
  return figures;
}

std::string configuration_text(const StudyView& study, const ConfigurationFigures& figures) {
  const StudyConfiguration* const configuration = find_configuration(study, figures.id);
  const std::string what = configuration == nullptr ? "" : changes(study, configuration->configuration);
  const std::string& metric = study.experiment.objective.maximize;
  return fmt::format("Configuration {}: {}\n", figures.id, what) + where(figures, metric) + steadiness(figures) +
         beside_baseline(figures, metric) + length_text(figures);
}

std::string configuration_json(const StudyView& study, const ConfigurationFigures& figures) {
  const StudyConfiguration* const configuration = find_configuration(study, figures.id);
  const auto relative = [](double ratio, double low, double high) {
    return Json{{"effect", ratio - 1}, {"low", low - 1}, {"high", high - 1}};
  };
  Json json = {{"id", figures.id},
               {"origin", configuration == nullptr ? Json(nullptr) : Json(configuration->origin)},
               {"values", configuration == nullptr ? Json(nullptr) : values_json(configuration->configuration)},
               {"objective", study.experiment.objective.maximize},
               {"n", figures.values.size()},
               {"failed", figures.failed},
               {"invalid", figures.invalid},
               {"mean", location_json(figures.mean)},
               {"typical", location_json(figures.typical)},
               {"median", location_json(figures.median)}};
  json["coefficient_of_variation"] = or_null(figures.stability, [](const auto& found) { return found.variation; });
  json["worst_share"] = or_null(figures.stability, [](const auto& found) { return found.worst; });
  json["bad_trials"] = or_null(figures.stability, [](const auto& found) { return found.bad; });
  json["bad_trials_bound"] = or_null(figures.stability, [](const auto& found) { return found.bad_mode_bound; });
  json["dip_p"] = or_null(figures.dip, [](const auto& found) { return found.p; });
  json["shared_blocks"] = figures.shared_blocks;
  json["versus_baseline"] = or_null(
      figures.versus_baseline, [](const auto& found) { return Json{{"effect", found.effect}, {"low", found.low}, {"high", found.high}}; });
  json["arithmetic_fieller"] = or_null(figures.ratio, [&](const auto& found) { return relative(found.ratio, found.low, found.high); });
  json["arithmetic_bootstrap"] =
      or_null(figures.bootstrap_ratio, [&](const auto& found) { return relative(found.estimate, found.low, found.high); });
  json["trial_length_s"] = or_null(figures.length, [](const auto& found) { return found.seconds; });
  json["trial_length_reason"] = or_null(figures.length, [](const auto& found) { return strategies::to_text(found.reason); });
  return json.dump(2) + "\n";
}

}  // namespace netsettle::tuner
