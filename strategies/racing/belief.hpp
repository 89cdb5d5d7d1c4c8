#pragma once
// What is believed of a finalist by everything that was measured: the search's belief and the fresh blocks. It decides what is handed over
// where nothing is proven; it makes no claims.

#include <optional>

#include "datasets/model/study_view.hpp"
#include "strategies/racing/confirmation.hpp"
#include "strategies/search/standing.hpp"

namespace netsettle::strategies {

/// The noise of one ln(objective) within a block, by everything that repeats: the pilot's blocks, and in the fresh blocks what is left when
/// the means of blocks and configurations are taken off.
struct PooledNoise {
  double standard_deviation = 0;
  int freedom = 0;  // degrees of freedom
};
/// `confirmation` may be null. Absent where nothing repeats.
std::optional<PooledNoise> pooled_noise(const StudyView& study, const Confirmation* confirmation);

/// Of ln(configuration / baseline): a t distribution, moved and scaled.
struct FinalBelief {
  double mean = 0;
  double standard_deviation = 1;
  double freedom = 1;
};
/// P(the configuration is better than the baseline).
double probability_better(const FinalBelief& belief);

/// Above this, a configuration is handed over although nothing is proven.
inline constexpr double kEnoughToHandOver = 0.95;

/// The search's belief in `id`, updated by the fresh blocks that it shares with the baseline (conjugate normal). The search knew the noise
/// from a few pilot trials: where the pooled noise is larger, its belief is widened in proportion, and the degrees of freedom of the pooled
/// noise are those of the result. The fresh blocks count with the larger of their own spread and the pooled one: a lucky small spread
/// proves nothing. Absent where the search does not know the configuration.
std::optional<FinalBelief> final_belief(const StudyView& study, const Standings& standings, std::int64_t id,
                                        const Confirmation* confirmation);

}  // namespace netsettle::strategies
