#pragma once
// How long a trial should measure, and how often each level of a measurement should be repeated (Kalibera, Jones, ISMM 2013).

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace netsettle::strategies {

/// Where the spread of trials of one configuration comes from.
struct SpreadLevels {
  double within = 0;   // T1²: variance of the bins of a trial around its mean
  double tau = 1;      // autocorrelation time of the bins, in bins: a mean of n bins varies by tau T1² / n
  double between = 0;  // T2²: variance of the true means of trials (placement, flow hashes, a restarted server); 0 where bins explain all
};

/// From the series of several trials of one configuration, bins of one length in the order of time. T2² = S2² - tau S1² / r, with S1² the
/// mean variance within a trial, S2² the variance of the trials' means and r the harmonic mean of the numbers of bins; with tau = 1 this is
/// the paper's corrected estimator. Absent below two trials or two bins in any.
std::optional<SpreadLevels> spread_levels(std::span<const std::vector<double>> trials, double tau = 1);

/// r* = ⌈√(cost_above / cost × spread / spread_above)⌉: how often to repeat at a level before repeating the one above. Costs of one more
/// repeat at each, > 0; spreads are the T² of both. Absent where there is no spread above: one repeat there is enough, and no number here
/// is the best.
std::optional<int> optimal_repeats(double cost, double cost_above, double spread, double spread_above);

struct TrialLengthInputs {
  SpreadLevels levels;
  double bin_s = 1;       // seconds of a bin
  double overhead_s = 0;  // of a trial besides measuring: settings, restart, warm-up
};

/// Why a length was chosen.
enum class LengthReason {
  optimum,        // it is the best one
  trials_differ,  // shorter would be better by the formula, but too short to be judged: spend the time on more trials
  trials_agree    // longer would be better, but is not worth the wait: trials hardly differ
};
std::string_view to_text(LengthReason reason);  // "optimum", "trials-differ", "trials-agree"

struct TrialLength {
  std::optional<double> optimum_s;  // L* before it is limited; absent where trials do not differ at all: the longer the better
  double seconds = 30;              // within 8 … 30
  LengthReason reason = LengthReason::optimum;
};

/// L* = √(overhead tau T1² bin / T2²), which minimises the variance of a mean for the time it costs,
/// (T2² + tau T1² bin / L) (overhead + L). Absent where an input is negative or not finite, or the bin is not positive.
std::optional<TrialLength> trial_length(const TrialLengthInputs& inputs);

}  // namespace netsettle::strategies
