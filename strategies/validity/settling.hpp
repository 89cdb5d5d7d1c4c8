#pragma once
// Whether the rate had settled in the measuring window, and which losses belong to the opening burst and not to the window.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "datasets/model/trial.hpp"
#include "strategies/statistics/steady_state.hpp"
#include "strategies/statistics/truncation.hpp"

namespace netsettle::strategies {

/// The last change of the rate's level within the window.
struct RateChange {
  double time_s = 0;              // end of the last interval before it, on the series' clock
  double after_s = 0;             // the same since the begin of the window's first interval
  std::optional<double> percent;  // the level after it against the level before; absent where that was 0
};

struct Settling {
  SteadyClass kind = SteadyClass::flat;
  std::optional<RateChange> last_change;  // absent: settled
  std::optional<Truncation> truncation;   // MSER-5's opinion, for the record; absent below 100 points

  bool settled() const { return !last_change; }
};

/// From the intervals of the window, in the order of time, all about equally long (window_intervals). Settled is a series without a change
/// of level by more than 3 % that stands out of the noise: change points of the mean of the logarithms (pieces of at least 5 points,
/// penalty 6.5 ln n, more from 20 points on where what is left is correlated by more than 0.3), judged by the steady-state rule. Absent
/// below 10 points. The penalty is below the 15 ln n of whole-series diagnosis, with which variance and mean must change by 7.5 standard
/// deviations to be seen in 15 points. Of steady series with autocorrelation 0.3 at most 1 % are called unsettled. MSER-5 alone calls 4 to
/// 9 % of them "late" and therefore does not decide.
std::optional<Settling> settling_of(std::span<const Interval> window);

/// A sentence about an unsettled window: where the rate changed last, by how much, and what can be done. Empty where it was settled.
std::string settling_text(const Settling& settling);

struct LossTimes {
  std::int64_t burst_lost = 0;                // sent before the measuring window begins
  std::int64_t window_lost = 0;               // sent from then on, until the load ended
  std::optional<double> window_lost_percent;  // of what was sent from then on (answered + lost); absent where the series says nothing of it
};

struct LossWindow {
  double warmup_s = 0;
  double timeout_s = 1;  // how long a query is out before the load gives it up
};

/// When the lost queries were sent, from the times at which the load reports them: a time-out reported at T was sent at T - timeout_s.
/// Burst and warm-up have those reported until the load's start + warmup_s + timeout_s; an interval across that moment is divided by time.
/// Absent where the times are not known: fewer than two intervals, no count of lost queries, time-outs that do not add up to it (± 1 %), or
/// the series ends before that moment and time-outs were reported after it ended.
std::optional<LossTimes> loss_times(const LoadReport& load, const LossWindow& window);

/// The share of a closed loop's places (`outstanding` queries over `seconds`) that lost queries held until they timed out: lost × timeout /
/// (outstanding × seconds). Not limited to 1: queries at the end are waited for. Absent where nothing could be held.
std::optional<double> held_share(std::int64_t lost, double timeout_s, std::int64_t outstanding, double seconds);

}  // namespace netsettle::strategies
