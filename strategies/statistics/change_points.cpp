#include "strategies/statistics/change_points.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "strategies/statistics/summary.hpp"

namespace netsettle::strategies {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

/// Sums of squares of any piece in constant time. The values are kept as differences from their mean, in units of their standard deviation:
/// large levels with little spread lose no digits, and the unit does not matter.
class Pieces {
 public:
  Pieces(std::span<const double> values, double mean, double deviation) : sums_(values.size() + 1), squares_(values.size() + 1) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double value = (values[i] - mean) / deviation;
      sums_[i + 1] = sums_[i] + value;
      squares_[i + 1] = squares_[i] + value * value;
    }
  }

  std::size_t size() const { return sums_.size() - 1; }

  /// Around the piece's own mean.
  double sum_of_squares(std::size_t begin, std::size_t end) const {
    const double sum = sums_[end] - sums_[begin];
    return std::max(0.0, squares_[end] - squares_[begin] - sum * sum / static_cast<double>(end - begin));
  }

 private:
  std::vector<double> sums_, squares_;
};

/// Twice the negative log likelihood of a normal piece at its own mean and variance.
double normal_cost(const Pieces& pieces, std::size_t begin, std::size_t end, double floor) {
  const auto n = static_cast<double>(end - begin);
  const double variance = std::max(floor, pieces.sum_of_squares(begin, end) / n);
  return n * (std::log(2 * std::numbers::pi) + std::log(variance) + 1);
}

/// The begins of the pieces, from the begin of the last piece before each point.
std::vector<std::size_t> walk_back(std::span<const std::size_t> last_begin) {
  std::vector<std::size_t> changes;
  for (std::size_t at = last_begin[last_begin.size() - 1]; at > 0; at = last_begin[at]) changes.push_back(at);
  std::ranges::reverse(changes);
  return changes;
}

std::vector<std::size_t> optimal_partition(const Pieces& pieces, double penalty, std::size_t least, double floor) {
  const std::size_t n = pieces.size();
  std::vector<double> best(n + 1, kNever);
  std::vector<std::size_t> last_begin(n + 1, 0);
  best[0] = -penalty;
  for (std::size_t end = least; end <= n; ++end)
    for (std::size_t begin = 0; begin + least <= end; ++begin) {
      if (best[begin] == kNever) continue;
      const double cost = best[begin] + penalty + normal_cost(pieces, begin, end, floor);
      if (cost < best[end]) {
        best[end] = cost;
        last_begin[end] = begin;
      }
    }
  return walk_back(last_begin);
}

/// Least sum of squares up to each point with a given number of changes, and the begins of the pieces that reach it.
struct Layer {
  std::vector<double> squares;
  std::vector<std::size_t> last_begin;
};

Layer first_layer(const Pieces& pieces, std::size_t least) {
  Layer layer{.squares = std::vector<double>(pieces.size() + 1, kNever), .last_begin = std::vector<std::size_t>(pieces.size() + 1, 0)};
  for (std::size_t end = least; end <= pieces.size(); ++end) layer.squares[end] = pieces.sum_of_squares(0, end);
  return layer;
}

Layer next_layer(const Pieces& pieces, const Layer& before, std::size_t least) {
  Layer layer{.squares = std::vector<double>(pieces.size() + 1, kNever), .last_begin = std::vector<std::size_t>(pieces.size() + 1, 0)};
  for (std::size_t end = 2 * least; end <= pieces.size(); ++end)
    for (std::size_t begin = least; begin + least <= end; ++begin) {
      const double squares = before.squares[begin] + pieces.sum_of_squares(begin, end);
      if (squares < layer.squares[end]) {
        layer.squares[end] = squares;
        layer.last_begin[end] = begin;
      }
    }
  return layer;
}

std::vector<std::size_t> walk_back(std::span<const Layer> layers) {
  std::vector<std::size_t> changes;
  std::size_t at = layers.back().squares.size() - 1;
  for (std::size_t layer = layers.size() - 1; layer > 0; --layer) {
    at = layers[layer].last_begin[at];
    changes.push_back(at);
  }
  std::ranges::reverse(changes);
  return changes;
}

std::vector<std::size_t> changes_of_mean(const Pieces& pieces, double penalty, const ChangePointOptions& options, std::size_t least) {
  const auto n = static_cast<double>(pieces.size());
  const std::size_t most = std::min(options.most_changes, pieces.size() / least - 1);
  std::vector<Layer> layers{first_layer(pieces, least)};
  double best = kNever;
  std::size_t best_changes = 0;
  for (std::size_t changes = 0; changes <= most; ++changes) {
    if (changes > 0) layers.push_back(next_layer(pieces, layers.back(), least));
    const double variance = std::max(options.variance_floor, layers.back().squares.back() / n);
    const double cost = n * std::log(variance) + penalty * static_cast<double>(changes);
    if (cost < best) {
      best = cost;
      best_changes = changes;
    }
  }
  return walk_back(std::span(layers).first(best_changes + 1));
}

}  // namespace

std::vector<std::size_t> change_points(std::span<const double> values, const ChangePointOptions& options) {
  const std::size_t least = std::max<std::size_t>(options.least_length, 2);
  if (values.size() < 2 * least) return {};
  const auto summary = summarise_values(values);
  if (!(*summary->standard_deviation > 0)) return {};
  const auto n = static_cast<double>(values.size());
  const double penalty = options.penalty.value_or(15 * std::log(n));
  const Pieces pieces(values, summary->mean, *summary->standard_deviation * std::sqrt((n - 1) / n));
  if (options.model == ChangeModel::mean) return changes_of_mean(pieces, penalty, options, least);
  return optimal_partition(pieces, penalty, least, options.variance_floor);
}

std::vector<Segment> segments_between(std::span<const double> values, std::span<const std::size_t> changes) {
  std::vector<Segment> segments;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= changes.size(); ++i) {
    const std::size_t end = i < changes.size() ? changes[i] : values.size();
    const auto summary = summarise_values(values.subspan(begin, end - begin));
    if (!summary) continue;
    const double deviation = summary->standard_deviation.value_or(0);
    segments.push_back({.begin = begin, .end = end, .mean = summary->mean, .variance = deviation * deviation});
    begin = end;
  }
  return segments;
}

}  // namespace netsettle::strategies
