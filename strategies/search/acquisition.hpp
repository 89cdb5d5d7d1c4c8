#pragma once
// Where the surrogate would measure next: the best candidate by a rule.

#include <set>

#include "datasets/model/study_view.hpp"
#include "strategies/designs/random.hpp"
#include "strategies/surrogate/surrogate.hpp"

namespace netsettle::strategies {

enum class Rule {
  thompson,  // one function drawn from the posterior (Thompson 1933), where P(feasible) is above a level drawn with it
  best_mean  // the posterior mean
};
std::string_view to_text(Rule rule);

/// Those that were measured and work, the best posterior mean first.
std::vector<Configuration> measured_by_mean(const StudyView& study, const Surrogate& surrogate, const SurrogateData& data);

/// The best candidate by the rule that is not among `taken` (canonical texts); nullopt where every candidate is.
std::optional<Configuration> propose(const SearchSpace& space, const Surrogate& surrogate, const std::vector<Configuration>& measured,
                                     Rule rule, const std::set<std::string>& taken, Random& random);

/// What the space may still hold, by the model: draws of the best of the space over the best mean measured, of ln(objective), never below
/// 0.
struct Potential {
  double gain = 0;            // the mean of them, relative
  std::vector<double> draws;  // relative

  /// The share of draws below this.
  double within(double difference) const;
};
Potential potential(const SearchSpace& space, const Surrogate& surrogate, const std::vector<Configuration>& measured, Random& random);

}  // namespace netsettle::strategies
