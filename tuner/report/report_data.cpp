#include "tuner/report/report_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <tuple>

#include "datasets/model/cpu_set.hpp"
#include "datasets/model/metric.hpp"

namespace netsettle::tuner {

namespace {

using strategies::ConfigurationSummary;

std::optional<CpuSet> cpu_fact(const nlohmann::json& facts, const char* name) {
  if (!facts.is_object() || !facts.contains(name) || !facts[name].is_string()) return std::nullopt;
  auto cpus = parse_cpu_list(facts[name].get<std::string>());
  if (!cpus || cpus->empty()) return std::nullopt;
  return *std::move(cpus);
}

/// What `calibrate` said of the load, where that limits what the study can say.
std::string load_caveat(const datasets::StudyRecord& record) {
  const auto facts = nlohmann::json::parse(record.host_facts_json, nullptr, false);
  const auto word = [&](const char* key) {
    return facts.is_object() && facts.contains(key) && facts[key].is_string() ? facts[key].get<std::string>() : std::string();
  };
  return word("calibration_fit").empty() || word("calibration_fit") == "enough" ? "" : "Calibration of the load: " + word("calibration");
}

std::string imported_caveat(const StudyView& study) {
  const auto imported = std::ranges::count_if(study.trials, [](const Trial& trial) { return trial.imported_from.has_value(); });
  if (imported == 0) return "";
  if (imported < std::ssize(study.trials)) return fmt::format("{} trials come from another record; only the search uses them.", imported);
  return "Made of files: what was changed is what their names say. Which settings were in force, and what server and kernel counted, is "
         "not "
         "known.";
}

std::string sharing_caveat(const datasets::StudyRecord& record) {
  const auto facts = nlohmann::json::parse(record.host_facts_json, nullptr, false);
  const auto server = cpu_fact(facts, "server_cpus"), load = cpu_fact(facts, "load_cpus");
  if (!server || !load) return "Load and server ran on one machine and may have taken CPU time from each other.";
  CpuSet shared;
  std::ranges::set_intersection(*server, *load, std::inserter(shared, shared.end()));
  if (shared.empty()) return "";
  return fmt::format("Load and server shared CPU {}: the numbers say how both do together, not what the server alone can do.",
                     to_cpu_list(shared));
}

}  // namespace

ReportData collect(const StudyView& study, const datasets::StudyRecord& record) {
  return {.study = study,
          .record = record,
          .summaries = strategies::summarise(study),
          .verdict = strategies::verdict_of(study),
          .pilot = strategies::pilot_of(study)};
}

const ConfigurationSummary* find_summary(const ReportData& data, std::int64_t configuration_id) {
  const auto found = std::ranges::find(data.summaries, configuration_id, &ConfigurationSummary::id);
  return found == data.summaries.end() ? nullptr : &*found;
}

const StudyConfiguration* find_configuration(const StudyView& study, std::int64_t configuration_id) {
  const auto found = std::ranges::find(study.configurations, configuration_id, &StudyConfiguration::id);
  return found == study.configurations.end() ? nullptr : &*found;
}

std::vector<ConfigurationSummary> ranked(const ReportData& data) {
  const Metric* metric = find_metric(data.study.experiment.objective.maximize);
  const double sign = metric && metric->better == Better::lower ? -1 : 1;
  auto rows = data.summaries;
  const auto rank = [sign](const ConfigurationSummary& row) {
    return std::tuple(row.id != kBaselineId, row.n == 0, row.n == 0 ? 0 : -sign * row.mean, row.id);
  };
  std::ranges::sort(rows, {}, rank);
  return rows;
}

std::vector<const Trial*> study_trials(const StudyView& study, std::int64_t configuration_id) {
  std::vector<const Trial*> own;
  for (const Trial& trial : study.trials) {
    const bool planned = trial.purpose != Purpose::profile && trial.purpose != Purpose::manual && !trial.imported_from;
    if (planned && trial.configuration_id == configuration_id) own.push_back(&trial);
  }
  return own;
}

std::string no_verdict_sentence(const ReportData& data) {
  if (data.record.workload_hash == kImportedWorkload) return "There is no verdict: old results are no test that was fixed beforehand.";
  return "There is no verdict yet: the study is not finished.";
}

std::vector<std::string> caveats(const ReportData& data) {
  std::vector<std::string> texts;
  const RigKind rig = data.study.experiment.rig.kind;
  if (rig == RigKind::namespaces || rig == RigKind::loopback) {
    texts.push_back(fmt::format("Laboratory only: measured on one machine ({}), not on a network.", to_text(rig)));
    if (std::string text = sharing_caveat(data.record); !text.empty()) texts.push_back(std::move(text));
  }
  if (std::string text = imported_caveat(data.study); !text.empty()) texts.push_back(std::move(text));
  if (std::string text = load_caveat(data.record); !text.empty()) texts.push_back(std::move(text));
  for (const auto& [parameter, reason] : data.record.dropped)
    texts.push_back(fmt::format("Parameter {} was left out: {}.", parameter, reason));
  return texts;
}

}  // namespace netsettle::tuner
