#include "strategies/importance/failures.hpp"

#include <algorithm>
#include <optional>

namespace netsettle::strategies {
namespace {

constexpr int kFewest = 2;

bool counts(const Trial& trial) { return trial.purpose != Purpose::manual && trial.purpose != Purpose::profile && !trial.imported_from; }

/// The values that one parameter had, where a configuration failed and where none did.
struct Seen {
  std::map<Value, int> failing;
  std::map<Value, int> working;
};

std::optional<double> number_in(const Domain& domain, const Value& value) {
  const Value& meant = std::holds_alternative<AsFound>(value) && domain.as_found ? *domain.as_found : value;
  if (const auto* whole = std::get_if<std::int64_t>(&meant)) return static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(&meant)) return *real;
  return std::nullopt;
}

int sum(const std::map<Value, int>& counts) {
  int all = 0;
  for (const auto& [value, count] : counts) all += count;
  return all;
}

/// The values that are numbers, upwards.
std::vector<std::pair<double, Value>> numbers_among(const Domain& domain, const std::map<Value, int>& values) {
  std::vector<std::pair<double, Value>> numbers;
  for (const auto& [value, count] : values)
    if (const auto number = number_in(domain, value)) numbers.emplace_back(*number, value);
  std::ranges::sort(numbers);
  return numbers;
}

/// All failures beyond one end, everything that works on the other side.
std::optional<FailurePattern> threshold_of(const Domain& domain, const Seen& seen) {
  if (!is_numeric(domain.type) || sum(seen.failing) < kFewest) return std::nullopt;
  const auto failing = numbers_among(domain, seen.failing), working = numbers_among(domain, seen.working);
  // As found without a known number works or fails whatever the bound is.
  if (failing.size() < seen.failing.size() || working.empty()) return std::nullopt;
  FailurePattern pattern{.parameter = domain.name, .value = {}, .configurations = sum(seen.failing)};
  if (failing.front().first > working.back().first) {
    pattern.kind = FailurePattern::Kind::at_least;
    pattern.value = failing.front().second;
    return pattern;
  }
  if (failing.back().first < working.front().first) {
    pattern.kind = FailurePattern::Kind::at_most;
    pattern.value = failing.back().second;
    return pattern;
  }
  return std::nullopt;
}

void add_patterns(const Domain& domain, const Seen& seen, std::vector<FailurePattern>& patterns) {
  if (auto threshold = threshold_of(domain, seen)) {
    patterns.push_back(*std::move(threshold));
    return;
  }
  for (const auto& [value, count] : seen.failing)
    if (count >= kFewest && !seen.working.contains(value))
      patterns.push_back({.parameter = domain.name, .value = value, .configurations = count});
}

}  // namespace

FailureSummary failure_summary(const StudyView& study) {
  FailureSummary summary;
  std::map<std::int64_t, bool> failed;
  for (const Trial& trial : study.trials) {
    if (!counts(trial) || !trial.outcome || trial.outcome == Outcome::invalid) continue;
    bool& has_failed = failed[trial.configuration_id];
    if (trial.outcome != Outcome::failed) continue;
    has_failed = true;
    ++summary.trials;
    for (const Reason& reason : trial.reasons) ++summary.reasons[reason.code];
  }
  summary.tried = static_cast<int>(failed.size());
  std::map<std::string, Seen> seen;
  for (const StudyConfiguration& configuration : study.configurations) {
    const auto found = failed.find(configuration.id);
    if (found == failed.end()) continue;
    if (found->second) summary.configurations.push_back(configuration.id);
    for (const auto& [name, value] : configuration.configuration.values) ++(found->second ? seen[name].failing : seen[name].working)[value];
  }
  if (summary.trials > 0)
    for (const Domain& domain : study.space.domains()) add_patterns(domain, seen[domain.name], summary.patterns);
  return summary;
}

}  // namespace netsettle::strategies
