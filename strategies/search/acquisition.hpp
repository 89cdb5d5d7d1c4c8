#pragma once
// Where the surrogate would measure next: a rule drawn for this step, maximised over candidates.

#include <set>

#include "datasets/model/study_view.hpp"
#include "strategies/designs/random.hpp"
#include "strategies/surrogate/surrogate.hpp"

namespace netsettle::strategies {

enum class Rule {
  expected_improvement,  // of the best mean measured so far (Jones, Schonlau, Welch 1998), times P(feasible)²
  joint_thompson,        // the maximum of one function drawn from the posterior
  marginal_thompson,     // of independent draws
  best_mean
};
std::string_view to_text(Rule rule);

struct Measured {
  std::vector<Configuration> configurations;  // that were measured and work
  std::vector<double> means;                  // posterior means of the process
};

/// The configurations in the order of their posterior means, best first.
Measured measured_by_mean(const StudyView& study, const Surrogate& surrogate, const SurrogateData& data);

/// The best candidate by the rule that is not among `taken` (canonical texts); nullopt where every candidate is.
std::optional<Configuration> propose(const SearchSpace& space, const Surrogate& surrogate, const Measured& measured, Rule rule,
                                     const std::set<std::string>& taken, Random& random);

/// What the space may still hold, by the model: draws of the best of the space over the best mean measured, of ln(objective), never below
/// 0.
struct Potential {
  double gain = 0;            // the mean of them, relative
  std::vector<double> draws;  // relative

  /// The share of draws below this.
  double within(double difference) const;
};
Potential potential(const SearchSpace& space, const Surrogate& surrogate, const Measured& measured, Random& random);

}  // namespace netsettle::strategies
