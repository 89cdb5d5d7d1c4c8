#pragma once
// Which of a winner's changes could be left out: what the model of the search expects to be lost without them. It proposes; what holds is
// tested on fresh blocks (simplification.hpp).

#include <optional>
#include <string>
#include <vector>

#include "datasets/model/study_view.hpp"
#include "strategies/surrogate/memory.hpp"

namespace netsettle::strategies {

/// The configuration with these parameters left as found, canonical: what depended on them goes with them. nullopt where it breaks a
/// constraint or changes nothing.
std::optional<Configuration> without(const SearchSpace& space, const Configuration& configuration, const std::vector<std::string>& dropped);

/// The parameters that a configuration changes, in the order of the space.
std::vector<std::string> changed_parameters(const SearchSpace& space, const Configuration& configuration);

struct SmallerChange {
  std::vector<std::string> dropped;  // of the winner's changes, those already dropped included
  double predicted_loss = 0;         // of ln(objective) against the winner, by the model; below 0 where it expects a gain
};

/// After `held` (what was dropped already and held; empty at first): first all those jointly that the model expects to cost less than
/// half of `delta` together, the cheapest first; later the next one alone, as long as the model expects all of them to cost less than
/// delta. The smallest change still changes something. nullopt where there is none, or no model.
std::optional<SmallerChange> smaller_change(const StudyView& study, const Configuration& winner, const std::vector<std::string>& held,
                                            double delta, SurrogateMemory* memory);

}  // namespace netsettle::strategies
