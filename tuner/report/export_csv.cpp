#include "tuner/report/export_csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "tuner/report/text.hpp"

namespace netsettle::tuner {
namespace {

constexpr std::string_view kFixedColumns =
    "trial_id,block,position,attempt,configuration_id,origin,purpose,state,outcome,suspect,reasons,imported_from,seed,started_utc,ended_"
    "utc,"
    "seconds";

std::string field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

/// The documented metrics that occur, in their order, then the others by name.
std::vector<std::string> metric_columns(const StudyView& study) {
  std::set<std::string, std::less<>> names;
  for (const Trial& trial : study.trials)
    for (const auto& [name, value] : trial.measurements) names.insert(name);
  std::vector<std::string> columns;
  for (const Metric& metric : metrics())
    if (const auto found = names.find(metric.name); found != names.end()) columns.push_back(std::move(names.extract(found).value()));
  columns.insert(columns.end(), names.begin(), names.end());
  return columns;
}

std::string reason_codes(const Trial& trial) {
  std::string codes;
  for (const Reason& reason : trial.reasons) codes += (codes.empty() ? "" : " ") + reason.code;
  return codes;
}

std::string seconds_of(const Trial& trial) {
  if (trial.started_us == 0 || trial.ended_us == 0) return "";
  return fmt::format("{}", static_cast<double>(trial.ended_us - trial.started_us) / 1e6);
}

std::string fixed_fields(const Trial& trial, const StudyConfiguration* configuration) {
  return fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}", trial.id, trial.block, trial.position, trial.attempt,
                     trial.configuration_id, field(configuration == nullptr ? "" : configuration->origin), to_text(trial.purpose),
                     to_text(trial.state), trial.outcome ? to_text(*trial.outcome) : "", trial.suspect ? "true" : "false",
                     field(reason_codes(trial)), field(trial.imported_from.value_or("")), trial.seed, iso_time(trial.started_us),
                     iso_time(trial.ended_us), seconds_of(trial));
}

std::string value_fields(const StudyView& study, const StudyConfiguration* configuration) {
  std::string fields;
  for (const Domain& domain : study.space.domains()) {
    fields += ',';
    if (configuration == nullptr) continue;
    const auto value = configuration->configuration.values.find(domain.name);
    if (value == configuration->configuration.values.end()) continue;
    const bool found = std::holds_alternative<AsFound>(value->second) && domain.as_found;
    fields += field(to_text(found ? *domain.as_found : value->second));
  }
  return fields;
}

std::string metric_fields(const Trial& trial, const std::vector<std::string>& columns) {
  std::string fields;
  for (const std::string& name : columns) {
    const auto value = trial.measurements.find(name);
    fields += value == trial.measurements.end() ? "," : fmt::format(",{}", value->second);
  }
  return fields;
}

}  // namespace

Expected<void> write_csv(const StudyView& study, const TextSink& out) {
  const auto columns = metric_columns(study);
  std::string head(kFixedColumns);
  for (const Domain& domain : study.space.domains()) head += "," + field("parameter." + domain.name);
  for (const std::string& name : columns) head += "," + field("metric." + name);
  NETSETTLE_TRY(out(head + "\r\n"));
  for (const Trial& trial : study.trials) {
    const auto configuration = std::ranges::lower_bound(study.configurations, trial.configuration_id, {}, &StudyConfiguration::id);
    const bool known = configuration != study.configurations.end() && configuration->id == trial.configuration_id;
    const StudyConfiguration* const own = known ? &*configuration : nullptr;
    NETSETTLE_TRY(out(fixed_fields(trial, own) + value_fields(study, own) + metric_fields(trial, columns) + "\r\n"));
  }
  return {};
}

}  // namespace netsettle::tuner
