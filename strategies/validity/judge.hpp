#pragma once
// From a trial's evidence to its verdict and its measurements: a pure function, so that import and replay can judge too (trial.md).

#include "datasets/model/experiment.hpp"
#include "datasets/model/trial.hpp"

namespace netsettle::strategies {

struct Judgement {
  Verdict verdict;
  Measurements measurements;
};

/// The objective comes from the measuring window of the series, the ledger from the whole life of the load.
Judgement judge(const Experiment& experiment, const TrialEvidence& evidence);

/// Where the queries went: name of the place → queries; "unexplained" is what is left. Absent places could not be counted.
struct LedgerRow {
  std::string place;
  std::int64_t queries = 0;
};
std::vector<LedgerRow> loss_ledger(const TrialEvidence& evidence);

/// Why "packet receive errors" rose, and why softnet_stat may show no drop meanwhile; nothing where they did not rise.
std::optional<std::string> explain_receive_errors(const TrialEvidence& evidence);

}  // namespace netsettle::strategies
