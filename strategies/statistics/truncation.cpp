#include "strategies/statistics/truncation.hpp"

#include <vector>

#include "strategies/statistics/summary.hpp"

namespace netsettle::strategies {
namespace {

constexpr std::size_t kBatch = 5;
constexpr std::size_t kLeastBatches = 20;

std::optional<double> mean_if_any(std::span<const double> values) {
  const auto summary = summarise_values(values);
  if (!summary) return std::nullopt;
  return summary->mean;
}

/// Of a span that is not empty.
double mean_of(std::span<const double> values) { return *mean_if_any(values); }

std::vector<double> batch_means(std::span<const double> values) {
  std::vector<double> means;
  for (std::size_t begin = 0; begin + kBatch <= values.size(); begin += kBatch) means.push_back(mean_of(values.subspan(begin, kBatch)));
  return means;
}

double squared_standard_error(std::span<const double> values) {
  const double mean = mean_of(values);
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  const auto n = static_cast<double>(values.size());
  return squares / (n * n);
}

std::size_t best_cut(std::span<const double> batches) {
  std::size_t best = 0;
  double least = squared_standard_error(batches);
  for (std::size_t cut = 1; cut <= batches.size() / 2; ++cut) {
    const double error = squared_standard_error(batches.subspan(cut));
    if (error < least) {
      least = error;
      best = cut;
    }
  }
  return best;
}

}  // namespace

std::optional<Truncation> mser5(std::span<const double> values) {
  const std::vector<double> batches = batch_means(values);
  if (batches.size() < kLeastBatches) return std::nullopt;
  const std::size_t cut = best_cut(batches);
  const std::span<const double> all(batches);
  return Truncation{.batches = batches.size(),
                    .dropped = cut,
                    .points = cut * kBatch,
                    .mean_before = mean_if_any(all.first(cut)),
                    .mean_after = mean_of(all.subspan(cut)),
                    .where = 3 * cut > batches.size() ? TruncationPoint::late : TruncationPoint::early};
}

}  // namespace netsettle::strategies
