#pragma once
// Metrics, measurements and series. The metric table is filled as names occur, with unit and direction from the documented list
// (datasets/model/metric.hpp). Each function runs inside the caller's transaction. Numbers that are not finite could not be computed:
// they are absent in the record.

#include <string_view>
#include <vector>

#include "datasets/model/trial.hpp"
#include "datasets/store/connection.hpp"

namespace netsettle::datasets {

Expected<void> insert_measurements(const Connection& connection, std::int64_t trial_id, const Measurements& measurements);

/// Times are kept as whole milliseconds, in the order given.
Expected<void> insert_samples(const Connection& connection, std::int64_t trial_id, std::string_view metric,
                              const std::vector<Interval>& intervals);
Expected<std::vector<Interval>> read_samples(const Connection& connection, std::int64_t trial_id, std::string_view metric);

}  // namespace netsettle::datasets
