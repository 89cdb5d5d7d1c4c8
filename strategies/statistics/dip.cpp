#include "strategies/statistics/dip.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "strategies/designs/random.hpp"

namespace netsettle::strategies {
namespace {

constexpr int kSamples = 2000;
constexpr std::uint64_t kSeed = 0x646970;  // "dip"
constexpr std::size_t kLeastValues = 4;

using Indices = std::vector<std::size_t>;

/// The empirical distribution between two of its values, its greatest convex minorant and its least concave majorant there. Distances are
/// in units of 1 / n, doubled in the end: AS 217 counts so that ties need no care.
class Hulls {
 public:
  explicit Hulls(std::span<const double> sorted) : x_(sorted), left_(sorted.size()), right_(sorted.size()) {
    const std::size_t n = x_.size();
    for (std::size_t j = 0; j < n; ++j) {
      left_[j] = j > 0 ? j - 1 : 0;
      while (left_[j] > 0 && !convex(left_[left_[j]], left_[j], j)) left_[j] = left_[left_[j]];
    }
    for (std::size_t k = n; k-- > 0;) {
      right_[k] = k + 1 < n ? k + 1 : n - 1;
      while (right_[k] + 1 < n && !concave(k, right_[k], right_[right_[k]])) right_[k] = right_[right_[k]];
    }
  }

  /// Points of the minorant from `high` down to `low`.
  Indices minorant(std::size_t low, std::size_t high) const {
    Indices points{high};
    while (points.back() > low) points.push_back(left_[points.back()]);
    return points;
  }

  /// Points of the majorant from `low` up to `high`.
  Indices majorant(std::size_t low, std::size_t high) const {
    Indices points{low};
    while (points.back() < high) points.push_back(right_[points.back()]);
    return points;
  }

  double at(std::size_t i) const { return x_[i]; }

  /// The straight line from point `a` to point `b`, at point `at`: its height above point `a` in counts.
  double chord(std::size_t a, std::size_t b, std::size_t at) const {
    return (x_[at] - x_[a]) * static_cast<double>(b - a) / (x_[b] - x_[a]);
  }

 private:
  bool convex(std::size_t before, std::size_t middle, std::size_t after) const {
    return (x_[after] - x_[middle]) * static_cast<double>(middle - before) <
           (x_[middle] - x_[before]) * static_cast<double>(after - middle);
  }
  bool concave(std::size_t before, std::size_t middle, std::size_t after) const {
    return (x_[middle] - x_[before]) * static_cast<double>(after - middle) <
           (x_[after] - x_[middle]) * static_cast<double>(middle - before);
  }

  std::span<const double> x_;
  Indices left_, right_;  // the neighbours on the minorant and the majorant, seen from each point
};

/// The largest distance between minorant and majorant, and where it is: positions in their lists.
struct Gap {
  double distance = 0;
  std::size_t in_minorant = 0, in_majorant = 0;
};

Gap largest_gap(const Hulls& hulls, const Indices& minorant, const Indices& majorant) {
  Gap gap{.distance = 0, .in_minorant = minorant.size() - 1, .in_majorant = majorant.size() - 1};
  if (minorant.size() == 2 && majorant.size() == 2) return {.distance = 1, .in_minorant = gap.in_minorant, .in_majorant = gap.in_majorant};
  std::size_t i = minorant.size() - 2, v = 1;  // the next point of either, going up
  while (true) {
    const std::size_t lower = minorant[i], upper = majorant[v];
    if (lower > upper) {
      const std::size_t before = minorant[i + 1];
      const double distance = static_cast<double>(upper - before) + 1 - hulls.chord(before, lower, upper);
      if (distance >= gap.distance) gap = {.distance = distance, .in_minorant = i + 1, .in_majorant = v};
      v = std::min(v + 1, majorant.size() - 1);
    } else {
      const std::size_t before = majorant[v - 1];
      const double distance = hulls.chord(before, upper, lower) - (static_cast<double>(lower) - static_cast<double>(before) - 1);
      if (distance >= gap.distance) gap = {.distance = distance, .in_minorant = i, .in_majorant = v};
      i -= std::min<std::size_t>(i, 1);
    }
    if (minorant[i] == majorant[v]) break;
  }
  return gap;
}

/// How far the empirical distribution is above the minorant between two of its points, at least 1.
double dip_below(const Hulls& hulls, std::size_t begin, std::size_t end) {
  double largest = 1;
  if (end - begin <= 1 || hulls.at(begin) == hulls.at(end)) return largest;
  for (std::size_t i = begin; i <= end; ++i) largest = std::max(largest, static_cast<double>(i - begin) + 1 - hulls.chord(begin, end, i));
  return largest;
}

/// How far it is below the majorant, at least 1.
double dip_above(const Hulls& hulls, std::size_t begin, std::size_t end) {
  double largest = 1;
  if (end - begin <= 1 || hulls.at(begin) == hulls.at(end)) return largest;
  for (std::size_t i = begin; i <= end; ++i)
    largest = std::max(largest, hulls.chord(begin, end, i) - (static_cast<double>(i) - static_cast<double>(begin) - 1));
  return largest;
}

/// Outside of the modal interval: the convex part below it and the concave part above.
double dip_outside(const Hulls& hulls, const Indices& minorant, const Indices& majorant, const Gap& gap) {
  double largest = 0;
  for (std::size_t i = gap.in_minorant; i + 1 < minorant.size(); ++i)
    largest = std::max(largest, dip_below(hulls, minorant[i + 1], minorant[i]));
  for (std::size_t i = gap.in_majorant; i + 1 < majorant.size(); ++i)
    largest = std::max(largest, dip_above(hulls, majorant[i], majorant[i + 1]));
  return largest;
}

}  // namespace

double dip_of(std::span<const double> sorted) {
  const std::size_t n = sorted.size();
  if (n < 2 || sorted.front() == sorted.back()) return n == 0 ? 0 : 0.5 / static_cast<double>(n);
  const Hulls hulls(sorted);
  std::size_t low = 0, high = n - 1;
  double dip = 1;
  while (true) {
    const Indices minorant = hulls.minorant(low, high), majorant = hulls.majorant(low, high);
    const Gap gap = largest_gap(hulls, minorant, majorant);
    if (gap.distance < dip) break;
    dip = std::max(dip, dip_outside(hulls, minorant, majorant, gap));
    if (low == minorant[gap.in_minorant] && high == majorant[gap.in_majorant]) break;
    low = minorant[gap.in_minorant];
    high = majorant[gap.in_majorant];
  }
  return dip / (2 * static_cast<double>(n));
}

std::optional<DipTest> dip_test(std::span<const double> values) {
  if (!std::ranges::all_of(values, [](double value) { return std::isfinite(value); })) return std::nullopt;
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  if (sorted.size() < kLeastValues || sorted.front() == sorted.back()) return std::nullopt;
  DipTest test{.dip = dip_of(sorted), .p = 1};
  Random random(derive_seed(kSeed, sorted.size()));
  int at_least = 0;
  for (int sample = 0; sample < kSamples; ++sample) {
    std::ranges::generate(sorted, [&] { return random.uniform(); });
    std::ranges::sort(sorted);
    at_least += dip_of(sorted) >= test.dip ? 1 : 0;
  }
  test.p = (at_least + 1.0) / (kSamples + 1.0);
  return test;
}

}  // namespace netsettle::strategies
