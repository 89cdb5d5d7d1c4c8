#include "strategies/importance/sobol_indices.hpp"

#include <algorithm>
#include <cmath>

#include "strategies/designs/space_filling.hpp"
#include "strategies/statistics/summary.hpp"

namespace netsettle::strategies {
namespace {

constexpr std::size_t kFewestRows = 8;
constexpr double kLeastVariation = 1e-12;  // standard deviation; below it is rounding

}  // namespace

SaltelliDesign::SaltelliDesign(std::size_t inputs, std::size_t rows, std::uint64_t seed) : inputs_(inputs), rows_(rows) {
  ScrambledSobol sequence(2 * inputs, seed);
  std::vector<CubePoint> a, b;
  for (std::size_t row = 0; row < rows; ++row) {
    const CubePoint both = sequence.next();
    const auto middle = both.begin() + static_cast<std::ptrdiff_t>(inputs);
    a.emplace_back(both.begin(), middle);
    b.emplace_back(middle, both.end());
  }
  points_ = a;
  points_.insert(points_.end(), b.begin(), b.end());
  for (std::size_t input = 0; input < inputs; ++input)
    for (std::size_t row = 0; row < rows; ++row) {
      points_.push_back(a[row]);
      points_.back()[input] = b[row][input];
    }
}

std::optional<SobolIndices> SaltelliDesign::indices(std::span<const double> values) const {
  std::vector<double> defined;
  std::ranges::copy_if(values.first(2 * rows_), std::back_inserter(defined), [](double value) { return std::isfinite(value); });
  const auto summary = summarise_values(defined);
  if (!summary || !summary->standard_deviation || !(*summary->standard_deviation > kLeastVariation)) return std::nullopt;
  const double variance = *summary->standard_deviation * *summary->standard_deviation;
  SobolIndices result;
  for (std::size_t input = 0; input < inputs_; ++input) {
    double first = 0, total = 0;
    std::size_t used = 0;
    for (std::size_t row = 0; row < rows_; ++row) {
      const double a = values[row], b = values[rows_ + row], moved = values[(2 + input) * rows_ + row];
      if (!std::isfinite(a) || !std::isfinite(b) || !std::isfinite(moved)) continue;
      first += (b - summary->mean) * (moved - a);
      total += (moved - a) * (moved - a) / 2;
      ++used;
    }
    if (used < kFewestRows) return std::nullopt;
    result.first.push_back(std::clamp(first / static_cast<double>(used) / variance, 0.0, 1.0));
    result.total.push_back(std::clamp(total / static_cast<double>(used) / variance, 0.0, 1.0));
  }
  return result;
}

}  // namespace netsettle::strategies
