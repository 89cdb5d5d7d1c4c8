#pragma once
// Whether values come from a distribution with more than one mode: no shape of the modes is assumed, but some 30 values are needed.

#include <optional>
#include <span>

namespace netsettle::strategies {

struct DipTest {
  double dip = 0;  // largest distance of the empirical distribution from the nearest unimodal one
  double p = 1;    // share of uniform samples of this size with at least this dip
};

/// The dip statistic of Hartigan and Hartigan (1985), by the algorithm AS 217 (P. Hartigan 1985) with the later corrections (Maechler, R
/// package diptest). p is by 2,000 uniform samples from a fixed seed, so it is a multiple of 1 / 2001 and never 0; the uniform
/// distribution is the least favourable unimodal one that is asymptotically tight. O(2000 n log n).
/// Absent below 4 values, where all are equal or one is not finite. No power below 20 to 30 values; for single configurations two_modes()
/// sees more.
std::optional<DipTest> dip_test(std::span<const double> values);

/// The statistic alone, of rising finite values.
double dip_of(std::span<const double> sorted);

}  // namespace netsettle::strategies
