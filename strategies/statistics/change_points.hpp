#pragma once
// Where a series changes its level or its spread, and the pieces between. Series inside one trial, or one value a block.

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace netsettle::strategies {

/// What may differ from piece to piece.
enum class ChangeModel {
  mean_and_variance,  // normal with its own mean and variance in each piece
  mean                // normal with its own mean in each piece and one variance, unknown, for all
};

struct ChangePointOptions {
  ChangeModel model = ChangeModel::mean_and_variance;
  std::optional<double> penalty;  // for each change point, in units of twice the log likelihood; absent: 15 ln n
  std::size_t least_length = 5;   // points in a piece; at least 2 are taken
  double variance_floor = 1e-4;   // share of the whole series' variance below which no piece's variance is believed
  std::size_t most_changes = 10;  // of the mean model only
};

/// Indices at which a new piece begins, rising; empty where nothing changes, all points are equal or there are fewer than two pieces'
/// worth.
///
/// mean_and_variance: the exact minimum of sum over pieces of n_s (ln 2 pi + ln s² + 1) + penalty × changes, the objective of PELT
/// (Killick, Fearnhead, Eckley 2012; penalty 15 ln n: Barrett et al., OOPSLA 2017), by optimal partitioning without pruning, O(n²). mean: n
/// ln(RSS / n) + penalty × changes, with RSS the sum of squares within pieces; the best pieces for each number of changes by dynamic
/// programming, O(changes n²).
/// Neither depends on the unit or the zero of the values. Values must be finite.
std::vector<std::size_t> change_points(std::span<const double> values, const ChangePointOptions& options = {});

struct Segment {
  std::size_t begin = 0, end = 0;  // points begin … end - 1
  double mean = 0;
  double variance = 0;  // of the sample (n - 1); 0 for one point
};

/// The pieces between these change points (rising, within 1..n - 1); one piece where there are none, none for an empty series.
std::vector<Segment> segments_between(std::span<const double> values, std::span<const std::size_t> changes);

}  // namespace netsettle::strategies
