#include "strategies/statistics/drift.hpp"

#include <algorithm>
#include <array>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "strategies/statistics/autocorrelation.hpp"
#include "strategies/statistics/summary.hpp"

namespace netsettle::strategies {
namespace {

using Values = std::span<const double>;

constexpr std::size_t kLeastPoints = 3;

struct Line {
  double slope = 0;
  double residual_squares = 0;
  double time_squares = 0;
  std::vector<double> residuals;
};

std::optional<Line> fitted_line(Values times, Values values) {
  const auto time = summarise_values(times), value = summarise_values(values);
  if (!time || times.size() != values.size()) return std::nullopt;
  Line line;
  double products = 0;
  for (std::size_t i = 0; i < times.size(); ++i) {
    line.time_squares += (times[i] - time->mean) * (times[i] - time->mean);
    products += (times[i] - time->mean) * (values[i] - value->mean);
  }
  if (!(line.time_squares > 0)) return std::nullopt;
  line.slope = products / line.time_squares;
  for (std::size_t i = 0; i < times.size(); ++i) {
    line.residuals.push_back(values[i] - value->mean - line.slope * (times[i] - time->mean));
    line.residual_squares += line.residuals.back() * line.residuals.back();
  }
  return line;
}

/// Two-sided.
double p_of_t(double difference, double standard_error, double freedom) {
  if (!(standard_error > 0)) return difference != 0 ? 0 : 1;
  return 2 * boost::math::cdf(boost::math::complement(boost::math::students_t(freedom), std::abs(difference) / standard_error));
}

double square_of(const std::optional<double>& value) { return value ? *value * *value : 0; }

double sum_of_squares(const Summary& summary) { return square_of(summary.standard_deviation) * (summary.n - 1); }

struct Sides {
  Values before, after;
};

/// The points beside `at` within begin … end - 1.
Sides sides_of(Values values, std::size_t begin, std::size_t at, std::size_t end, const StepOptions& options) {
  const std::size_t first = std::max(begin, at - std::min(at, options.neighbourhood));
  const std::size_t last = std::min(end, at + options.neighbourhood);
  return {.before = values.subspan(first, at - first), .after = values.subspan(at, last - at)};
}

Step compared(const Sides& sides, std::size_t at) {
  const Summary before = *summarise_values(sides.before), after = *summarise_values(sides.after);
  const double freedom = before.n + after.n - 2;
  const double variance = (sum_of_squares(before) + sum_of_squares(after)) / freedom;
  const double standard_error = std::sqrt(variance * (1.0 / before.n + 1.0 / after.n));
  return {.at = at, .before = before.mean, .after = after.mean, .p = p_of_t(after.mean - before.mean, standard_error, freedom)};
}

double sum_of_distances(Values values, double from) {
  double sum = 0;
  for (const double value : values) sum += std::abs(value - from);
  return sum;
}

/// Where the energy distance of the two sides is largest; both sides have at least `least` points.
std::size_t best_split(Values piece, std::size_t least) {
  double before = 0, between = 0, after = 0;  // sums over pairs
  for (std::size_t i = 0; i < piece.size(); ++i) after += sum_of_distances(piece.subspan(i), piece[i]);
  double largest = -1;
  std::size_t best = least;
  for (std::size_t split = 1; split + least <= piece.size(); ++split) {
    const double moved = piece[split - 1];  // from the points after to those before
    const double to_before = sum_of_distances(piece.first(split - 1), moved), to_after = sum_of_distances(piece.subspan(split), moved);
    before += to_before;
    after -= to_after;
    between += to_after - to_before;
    if (split < least) continue;
    const auto m = static_cast<double>(split), n = static_cast<double>(piece.size() - split);
    const double energy = 2 * between / (m * n) - 2 * before / (m * (m - 1)) - 2 * after / (n * (n - 1));
    if (m * n / (m + n) * energy <= largest) continue;
    largest = m * n / (m + n) * energy;
    best = split;
  }
  return best;
}

void divide(Values values, std::size_t begin, std::size_t end, const StepOptions& options, std::size_t least,
            std::vector<std::size_t>& found) {
  if (end - begin < 2 * least) return;
  const std::size_t at = begin + best_split(values.subspan(begin, end - begin), least);
  if (compared(sides_of(values, begin, at, end, options), at).p > options.p) return;
  divide(values, begin, at, options, least, found);
  found.push_back(at);
  divide(values, at, end, options, least, found);
}

/// Whether one line through all points leaves no more than a level on each side does.
bool is_slope(const Sides& sides) {
  const Values all(sides.before.data(), sides.before.size() + sides.after.size());
  std::vector<double> times(all.size());
  for (std::size_t i = 0; i < times.size(); ++i) times[i] = static_cast<double>(i);
  const auto line = fitted_line(times, all);
  return line && line->residual_squares <= sum_of_squares(*summarise_values(sides.before)) + sum_of_squares(*summarise_values(sides.after));
}

double noise_of(Values values, std::span<const std::size_t> changes, const StepOptions& options) {
  if (options.noise) return *options.noise;
  std::vector<Summary> pieces;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= changes.size(); ++i) {
    const std::size_t end = i < changes.size() ? changes[i] : values.size();
    pieces.push_back(*summarise_values(values.subspan(begin, end - begin)));
    begin = end;
  }
  return pooled_standard_deviation(pieces).value_or(0);
}

/// The pieces beside each change, and what they say of it; p is 1 for those that are to be taken back.
std::vector<Step> judged(Values values, std::span<const std::size_t> changes, const StepOptions& options) {
  const double least = options.least_multiple * noise_of(values, changes, options);
  std::vector<Step> steps;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const std::size_t begin = i > 0 ? changes[i - 1] : 0, end = i + 1 < changes.size() ? changes[i + 1] : values.size();
    const Sides sides = sides_of(values, begin, changes[i], end, options);
    Step step = compared(sides, changes[i]);
    if (std::abs(step.after - step.before) < least || is_slope(sides)) step.p = 1;
    steps.push_back(step);
  }
  return steps;
}

}  // namespace

std::optional<double> neighbour_correlation(Values values) {
  if (values.size() < kLeastPoints) return std::nullopt;
  const std::vector<double> rho = autocorrelation(values, 1);
  return rho.size() < 2 ? std::nullopt : std::optional(rho[1]);
}

std::optional<Trend> linear_trend(Values times, Values values, double alpha) {
  if (times.size() < kLeastPoints) return std::nullopt;
  const auto line = fitted_line(times, values);
  if (!line) return std::nullopt;
  const double freedom = static_cast<double>(times.size()) - 2;
  const double variance = line->residual_squares / freedom;
  const double standard_error = std::sqrt(variance / line->time_squares);
  const double half = standard_error * boost::math::quantile(boost::math::complement(boost::math::students_t(freedom), alpha));
  return Trend{.slope = line->slope,
               .low = line->slope - half,
               .high = line->slope + half,
               .p = p_of_t(line->slope, standard_error, freedom),
               .residual_spread = std::sqrt(variance),
               .residual_autocorrelation = neighbour_correlation(line->residuals)};
}

std::vector<Step> find_steps(Values values, const StepOptions& options) {
  std::vector<std::size_t> changes;
  divide(values, 0, values.size(), options, std::max<std::size_t>(options.least_length, 2), changes);
  while (!changes.empty()) {
    std::vector<Step> steps = judged(values, changes, options);
    const auto weakest = std::ranges::max_element(steps, {}, &Step::p);
    if (weakest->p <= options.p) return steps;
    changes.erase(changes.begin() + (weakest - steps.begin()));
  }
  return {};
}

}  // namespace netsettle::strategies
