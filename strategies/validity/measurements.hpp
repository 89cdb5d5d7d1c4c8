#pragma once
// The numbers of a trial by their metric names (datasets/model/metric.hpp). What could not be computed is absent.

#include "datasets/model/trial.hpp"
#include "strategies/validity/judge.hpp"

namespace netsettle::strategies {

/// Everything but qps, which needs the measuring window (judge.cpp). Counts are of the whole life of the load.
Measurements measure(const TrialEvidence& evidence);

struct WorkerShare {
  int workers = 0;
  std::int64_t least = 0;  // queries of the worker that got fewest
  double fair = 0;         // mean
  double imbalance = 0;    // most / mean
};

/// nullopt without a report of the server or where it received nothing.
std::optional<WorkerShare> worker_share(const TrialEvidence& evidence);

/// Sums over all workers.
std::optional<std::int64_t> server_received(const TrialEvidence& evidence);
std::optional<std::int64_t> server_answered(const TrialEvidence& evidence);

/// |unexplained| / sent in percent; absent where a loss could have happened at a place that was not counted.
std::optional<double> unexplained_percent(const TrialEvidence& evidence);

}  // namespace netsettle::strategies
