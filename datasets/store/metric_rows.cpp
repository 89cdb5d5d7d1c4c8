#include "datasets/store/metric_rows.hpp"

#include <cmath>

namespace netsettle::datasets {

namespace {

// Stored values: append-only.
enum class MetricKind { documented = 1, other = 2 };

int stored(Better better) {
  switch (better) {
    case Better::higher:
      return 1;
    case Better::lower:
      return 2;
    case Better::neither:
      return 3;
  }
  return 3;
}

Expected<std::int64_t> find_or_insert_metric(const Connection& connection, std::string_view name) {
  NETSETTLE_ASSIGN(const auto existing, connection.find_integer("SELECT metric_id FROM metric WHERE name = ?1", name));
  if (existing) return *existing;
  const Metric* known = find_metric(name);
  return connection.insert("INSERT INTO metric (name, unit, kind, better) VALUES (?1, ?2, ?3, ?4)", name,
                           known == nullptr ? std::string_view{} : known->unit,
                           static_cast<int>(known == nullptr ? MetricKind::other : MetricKind::documented),
                           stored(known == nullptr ? Better::neither : known->better));
}

}  // namespace

Expected<void> insert_measurements(const Connection& connection, std::int64_t trial_id, const Measurements& measurements) {
  NETSETTLE_ASSIGN(Statement insert, connection.prepare("INSERT INTO measurement VALUES (?1, ?2, ?3)"));
  for (const auto& [name, value] : measurements) {
    if (!std::isfinite(value)) continue;
    NETSETTLE_ASSIGN(const std::int64_t metric_id, find_or_insert_metric(connection, name));
    insert.bind(trial_id, metric_id, value);
    NETSETTLE_TRY(insert.finish());
  }
  return {};
}

Expected<void> insert_samples(const Connection& connection, std::int64_t trial_id, std::string_view metric,
                              const std::vector<Interval>& intervals) {
  if (intervals.empty()) return {};
  NETSETTLE_ASSIGN(const std::int64_t metric_id, find_or_insert_metric(connection, metric));
  NETSETTLE_ASSIGN(Statement insert, connection.prepare("INSERT INTO sample VALUES (?1, ?2, ?3, ?4, ?5)"));
  int seq = 0;
  for (const Interval& interval : intervals) {
    if (!std::isfinite(interval.time_s) || !std::isfinite(interval.qps)) continue;
    insert.bind(trial_id, metric_id, seq++, std::int64_t{std::llround(interval.time_s * 1e3)}, interval.qps);
    NETSETTLE_TRY(insert.finish());
  }
  return {};
}

Expected<std::vector<Interval>> read_samples(const Connection& connection, std::int64_t trial_id, std::string_view metric) {
  NETSETTLE_ASSIGN(Statement query, connection.query("SELECT s.t_ms, s.value FROM sample s JOIN metric USING (metric_id) "
                                                     "WHERE s.trial_id = ?1 AND name = ?2 ORDER BY s.seq",
                                                     trial_id, metric));
  std::vector<Interval> intervals;
  NETSETTLE_TRY(query.for_each(
      [&](const Statement& row) { intervals.push_back({.time_s = static_cast<double>(row.integer(0)) / 1e3, .qps = row.real(1)}); }));
  return intervals;
}

}  // namespace netsettle::datasets
