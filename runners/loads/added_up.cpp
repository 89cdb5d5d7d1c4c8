// Several instances of a load generator as one report.

#include <algorithm>
#include <cmath>

#include "runners/loads/load.hpp"

namespace netsettle::runners {
namespace {

using Reports = std::vector<LoadReport>;

/// Absent where one of them lacks it, or where the sum has no room.
std::optional<std::int64_t> summed(const Reports& reports, std::optional<std::int64_t> LoadReport::* count) {
  std::int64_t total = 0;
  for (const LoadReport& report : reports)
    if (!(report.*count) || __builtin_add_overflow(total, *(report.*count), &total)) return std::nullopt;
  return total;
}

std::optional<double> summed(const Reports& reports, std::optional<double> LoadReport::* number) {
  double total = 0;
  for (const LoadReport& report : reports) {
    if (!(report.*number)) return std::nullopt;
    total += *(report.*number);
  }
  return total;
}

template <typename Better>
std::optional<double> best(const Reports& reports, std::optional<double> LoadReport::* number, Better better) {
  std::optional<double> found;
  for (const LoadReport& report : reports) {
    if (!(report.*number)) return std::nullopt;
    if (!found || better(*(report.*number), *found)) found = report.*number;
  }
  return found;
}

/// Those with answers: the others print latencies of 0.
Reports answered(const Reports& reports) {
  Reports some;
  std::ranges::copy_if(reports, std::back_inserter(some), [](const LoadReport& report) { return report.completed.value_or(1) > 0; });
  return some;
}

std::optional<double> mean_latency(const Reports& reports) {
  double sum = 0, answers = 0;
  for (const LoadReport& report : reports) {
    if (!report.latency_avg_s || !report.completed) return std::nullopt;
    sum += *report.latency_avg_s * static_cast<double>(*report.completed);
    answers += static_cast<double>(*report.completed);
  }
  return answers > 0 ? std::optional(sum / answers) : std::nullopt;
}

/// The deviation of all answers: within the instances and between their means. A single answer has none and needs none.
std::optional<double> pooled_deviation(const Reports& reports, std::optional<double> mean) {
  double squares = 0, answers = 0;
  for (const LoadReport& report : reports) {
    const auto count = static_cast<double>(report.completed.value_or(0));
    if (!mean || !report.latency_avg_s || (count > 1 && !report.latency_stddev_s)) return std::nullopt;
    const double deviation = report.latency_stddev_s.value_or(0), distance = *report.latency_avg_s - *mean;
    squares += (count - 1) * deviation * deviation + count * distance * distance;
    answers += count;
  }
  return answers > 1 ? std::optional(std::sqrt(squares / (answers - 1))) : std::nullopt;
}

void add_latencies(LoadReport& sum, const Reports& reports) {
  const Reports with_answers = answered(reports);
  sum.latency_avg_s = mean_latency(with_answers);
  sum.latency_min_s = best(with_answers, &LoadReport::latency_min_s, std::less());
  sum.latency_max_s = best(with_answers, &LoadReport::latency_max_s, std::greater());
  sum.latency_stddev_s = pooled_deviation(with_answers, sum.latency_avg_s);
}

/// A series as steps: each interval with its begin. That of the first is not printed; it is as long as the second.
struct Step {
  double begin_s = 0, end_s = 0, qps = 0;
};

std::vector<Step> steps_of(const LoadReport& report) {
  std::vector<Step> steps;
  for (std::size_t i = 1; i < report.intervals.size(); ++i) {
    const double begin_s = report.intervals[i - 1].time_s, end_s = report.intervals[i].time_s;
    if (end_s <= begin_s) return {};  // the clock was stepped: there is no common time
    if (i == 1 && !report.first_interval_bogus) steps.push_back({begin_s - (end_s - begin_s), begin_s, report.intervals.front().qps});
    steps.push_back({begin_s, end_s, report.intervals[i].qps});
  }
  return steps;
}

/// The mean rate between two times that lie within the steps.
double mean_rate(const std::vector<Step>& steps, double begin_s, double end_s) {
  double answers = 0;
  for (const Step& step : steps) {
    const double overlap_s = std::min(step.end_s, end_s) - std::max(step.begin_s, begin_s);
    if (overlap_s > 0) answers += overlap_s * step.qps;
  }
  return answers / (end_s - begin_s);
}

/// Reports of loss of all instances go to the interval in which they were printed; earlier ones to the first.
void add_timeouts(std::vector<Interval>& series, const Reports& reports) {
  for (const LoadReport& report : reports)
    for (const Interval& interval : report.intervals) {
      const auto within = std::ranges::find_if(series, [&](const Interval& sum) { return interval.time_s <= sum.time_s; });
      if (within != series.end()) within->timeouts_before += interval.timeouts_before;
    }
}

std::vector<Interval> summed_series(const Reports& reports) {
  std::vector<std::vector<Step>> all;
  double begin_s = -HUGE_VAL, end_s = HUGE_VAL;
  for (const LoadReport& report : reports) {
    all.push_back(steps_of(report));
    if (all.back().empty()) return {};
    begin_s = std::max(begin_s, all.back().front().begin_s);
    end_s = std::min(end_s, all.back().back().end_s);
  }
  std::vector<Interval> series;
  for (const Step& step : all.front()) {
    if (step.begin_s < begin_s || step.end_s > end_s) continue;
    double qps = 0;
    for (const auto& steps : all) qps += mean_rate(steps, step.begin_s, step.end_s);
    series.push_back({step.end_s, qps, 0});
  }
  add_timeouts(series, reports);
  return series;
}

void add_messages(LoadReport& sum, const Reports& reports) {
  constexpr std::size_t kMostErrors = 100;
  for (const LoadReport& report : reports) {
    sum.timeout_lines += report.timeout_lines;
    for (const auto& [kind, count] : report.warnings) sum.warnings[kind] += count;
    if (sum.own_limit.empty()) sum.own_limit = report.own_limit;
    for (const auto& error : report.errors)
      if (sum.errors.size() < kMostErrors) sum.errors.push_back(error);
    if (sum.version.empty()) sum.version = report.version;
  }
}

}  // namespace

LoadReport added_up(const std::vector<LoadReport>& reports) {
  if (reports.size() == 1) return reports.front();
  LoadReport sum;
  sum.complete = !reports.empty() && std::ranges::all_of(reports, &LoadReport::complete);
  if (reports.empty()) return sum;
  sum.sent = summed(reports, &LoadReport::sent);
  sum.completed = summed(reports, &LoadReport::completed);
  sum.lost = summed(reports, &LoadReport::lost);
  sum.interrupted = summed(reports, &LoadReport::interrupted);
  for (const LoadReport& report : reports)
    for (const auto& [name, count] : report.rcodes) sum.rcodes[name] += count;
  sum.runtime_s = best(reports, &LoadReport::runtime_s, std::greater());
  sum.qps = summed(reports, &LoadReport::qps);
  add_latencies(sum, reports);
  sum.intervals = summed_series(reports);
  sum.end_time_s = best(reports, &LoadReport::end_time_s, std::less());
  add_messages(sum, reports);
  return sum;
}

}  // namespace netsettle::runners
