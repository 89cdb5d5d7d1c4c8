#pragma once
// The finalists were few, and none could win: what the search knows of the others is not lost.

#include <optional>

#include "strategies/racing/belief.hpp"

namespace netsettle::strategies {

struct Believed {
  std::int64_t id = kBaselineId;
  FinalBelief belief;
};

/// The most promising of those that are no finalists and are better than the baseline with probability kEnoughToHandOver. None that is
/// like an unstable finalist: as restless by the search's model, where the model knew that finalist as restless.
std::optional<Believed> believed_instead(const StudyView& study, const Standings& standings, const Confirmation& confirmation);

}  // namespace netsettle::strategies
