#pragma once
// Where the warm-up of a series ends.

#include <cstddef>
#include <optional>
#include <span>

namespace netsettle::strategies {

enum class TruncationPoint {
  early,  // the rest of the series is a steady state, as far as this rule can tell
  late    // in the last third of what is allowed: the series has not settled
};

struct Truncation {
  std::size_t batches = 0;            // m
  std::size_t dropped = 0;            // d*, batches
  std::size_t points = 0;             // 5 d*, points to leave out
  std::optional<double> mean_before;  // of what is left out; absent where that is nothing
  double mean_after = 0;              // of what stays
  TruncationPoint where = TruncationPoint::early;
};

/// MSER-5 (White 1997, Spratt 1998; statistics.md 1.3). The points, in the order of time, are averaged in m batches of 5 (what is left at
/// the end does not count); d* in 0..m/2 minimises sum over j > d of (z_j - mean of those)² / (m - d)², the smallest d among equal ones;
/// "late" is d* > m/3. A rule for the point estimate: it gives no interval.
/// Absent below 20 batches, which are 100 points: with fewer the minimum is at the end of the allowed range by chance too often.
std::optional<Truncation> mser5(std::span<const double> values);

}  // namespace netsettle::strategies
