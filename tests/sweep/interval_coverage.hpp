#pragma once
// How often the intervals that netsettle prints hold the truth, where the truth is known.

#include <cstdint>
#include <string_view>
#include <vector>

namespace netsettle::tests {

/// Blocks of a configuration that is 5 % better and the baseline.
struct PairWorld {
  std::string_view name;
  double noise = 0.03;
  double slow_ours = 0, slow_baseline = 0;  // probability of a trial that is 20 % slower
  double block_spread = 0;
  double drift = 0;  // from trial to trial, a random walk's step
};
std::vector<PairWorld> pair_worlds();

enum class IntervalMethod { paired_t, fieller, bca, hodges_lehmann, median };
inline constexpr IntervalMethod kIntervalMethods[] = {IntervalMethod::paired_t, IntervalMethod::fieller, IntervalMethod::bca,
                                                      IntervalMethod::hodges_lehmann, IntervalMethod::median};
std::string_view to_text(IntervalMethod method);

struct Coverage {
  int intervals = 0, held = 0;  // none where the method has no interval for so few blocks or this world
};

/// `studies` studies of so many blocks, 95 % intervals. The truth of paired_t is the mean of the log ratio; of fieller and bca the ratio of
/// the arithmetic means; of the other two the middle of the log ratio, which is known only where both sides have the same modes.
Coverage covered(IntervalMethod method, const PairWorld& world, int blocks, int studies, std::uint64_t first_seed);

}  // namespace netsettle::tests
