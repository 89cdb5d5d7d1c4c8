#pragma once
// Ratios of arithmetic means: what a capacity planner asks for, where logarithms would answer for the typical trial instead (two modes).

#include <optional>
#include <span>

namespace netsettle::strategies {

/// Two means and what is known of their errors.
struct MeanPair {
  double numerator = 0, denominator = 0;
  double numerator_variance = 0, denominator_variance = 0;  // of the means: squared standard errors
  double covariance = 0;                                    // of the means; 0 for independent ones
  double freedom = 1;                                       // of the t distribution
};

struct RatioInterval {
  double ratio = 1;
  double low = 1, high = 1;
};

/// Fieller (1954): the ratios R for which numerator - R × denominator is not told from 0 at one-sided `alpha`; with
/// g = t² denominator_variance / denominator². Absent where g >= 1: the denominator is not told from 0, and no ratio is ruled out on one
/// side at least.
std::optional<RatioInterval> fieller(const MeanPair& means, double alpha = 0.025);

/// mean(numerator) / mean(denominator) of values of the same blocks, the first with the first and so on, n - 1 degrees of freedom. Absent
/// where the lengths differ, below two blocks or where fieller() is.
std::optional<RatioInterval> ratio_in_blocks(std::span<const double> numerator, std::span<const double> denominator, double alpha = 0.025);

/// The same of trials that have no blocks in common; each side has a variance of its own, and the degrees of freedom are Satterthwaite's at
/// the estimated ratio (Tamhane, Logan 2004). Absent below two values on a side or where fieller() is.
std::optional<RatioInterval> ratio_unpaired(std::span<const double> numerator, std::span<const double> denominator, double alpha = 0.025);

}  // namespace netsettle::strategies
