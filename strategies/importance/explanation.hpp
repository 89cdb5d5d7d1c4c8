#pragma once
// What bought the gain of a study, by its model: the way from the baseline to the best configuration, the share of each parameter, and its
// curve. For understanding; makes no claims.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "datasets/model/study_view.hpp"
#include "strategies/importance/ablation.hpp"
#include "strategies/importance/curves.hpp"
#include "strategies/importance/failures.hpp"
#include "strategies/statistics/comparison.hpp"

namespace netsettle::strategies {

/// Which configuration is explained.
enum class Explained { winner, handed_over, leader };

/// A step of the way, and what the record measured of it.
struct ExplainedStep {
  AblationStep step;
  std::optional<std::int64_t> before_id, after_id;  // where these configurations are in the record
  int blocks = 0;                                   // in which both were measured
  std::optional<PairedComparison> measured;         // 95 %; absent below two blocks
};

struct IndexRange {
  double value = 0;          // of the posterior mean
  double low = 0, high = 0;  // widened to hold 90 % of the posterior's draws
};

/// Sobol indices of one parameter.
struct ParameterShare {
  std::string parameter;
  IndexRange first, total;
  /// Among the better quarter of the space: the function is cut off below the quartile (Hutter, Hoos, Leyton-Brown 2014). Absent where
  /// nothing varies there.
  std::optional<IndexRange> first_among_good, total_among_good;
};

struct Explanation {
  Explained explained = Explained::leader;
  std::int64_t configuration_id = kBaselineId;
  int trials = 0;     // measured ones that the model is made of; 0: it does not say
  NormalBelief gain;  // ln(configuration / baseline)
  std::vector<ExplainedStep> path;
  std::vector<ParameterShare> shares;  // by total, largest first; empty where the model sees no differences
  std::vector<Curve> curves;           // through the configuration, in the order of the experiment
  std::vector<std::string> inactive;   // parameters that are not active in it
};

/// The configuration that an explanation is about: the winner, else what is handed over, else the leader of the search. nullopt where none
/// but the baseline was measured.
std::optional<std::pair<Explained, std::int64_t>> explained_configuration(const StudyView& study);

/// By a model.
Explanation explain(const StudyView& study, const EffectModel& model, Explained explained, std::int64_t configuration_id);

/// By the surrogate of the study's pilot and search trials; nullopt where there is nothing to explain, or too few trials for a model.
std::optional<Explanation> explain(const StudyView& study);

}  // namespace netsettle::strategies
