#include "tuner/loop/import.hpp"

#include <algorithm>
#include <charconv>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "datasets/model/experiment_file.hpp"
#include "datasets/model/search_space.hpp"
#include "tuner/report/report_data.hpp"

namespace netsettle::tuner {
namespace {

constexpr std::string_view kUnset = "unset";
constexpr std::string_view kMetric = "value";  // what a study of rig.kind = "external" maximizes

std::string text_of(const Labels& labels) {
  std::string text;
  for (const auto& [name, value] : labels) text += fmt::format("{}{}={}", text.empty() ? "" : ",", name, value);
  return text;
}

Expected<void> check_kinds(const std::vector<ImportedRun>& runs) {
  std::map<std::string, int> kinds;
  for (const ImportedRun& run : runs) ++kinds[run.kind];
  if (kinds.size() < 2) return {};
  std::vector<std::string> parts;
  for (const auto& [kind, count] : kinds) parts.push_back(fmt::format("{} of {}", count, kind));
  return fail(
      ErrorCode::invalid_input, "db import",
      fmt::format("the rates of different load generators cannot be compared, and there are outputs of several: {}; choose with --kind",
                  fmt::join(parts, ", ")));
}

/// "net.core.rmem_max" → "net_core_rmem_max": what can name a parameter.
Labels with_parameter_names(const Labels& labels) {
  Labels renamed;
  for (const auto& [key, value] : labels) {
    std::string name = key;
    std::ranges::replace_if(name, [](char c) { return c == '.' || c == '-' || c == '/' || c == ' '; }, '_');
    renamed[name] = value;
  }
  return renamed;
}

Expected<std::vector<Labels>> complete_labels(const std::vector<ImportedRun>& runs) {
  std::vector<Labels> labels;
  std::set<std::string> names;
  for (const ImportedRun& run : runs) {
    labels.push_back(with_parameter_names(run.labels));
    for (const auto& [name, value] : labels.back()) names.insert(name);
  }
  if (names.empty())
    return fail(ErrorCode::invalid_input, "db import",
                "no name says what was changed: use folders, \"key=value\" in the names (threads=4.1.txt), or --label");
  for (Labels& one : labels)
    for (const std::string& name : names) one.try_emplace(name, kUnset);
  return labels;
}

/// The given values, the others as in the run that was measured first.
Expected<Labels> baseline_of(const std::vector<Labels>& labels, const std::optional<std::string>& wanted) {
  if (!wanted) return labels.front();
  const auto fits = [&](const Labels& one) {
    for (std::string_view rest = *wanted; !rest.empty();) {
      const std::string_view part = rest.substr(0, rest.find(','));
      rest.remove_prefix(std::min(part.size() + 1, rest.size()));
      const std::size_t equals = part.find('=');
      const auto found = one.find(std::string(part.substr(0, equals)));
      if (equals == std::string_view::npos || found == one.end() || found->second != part.substr(equals + 1)) return false;
    }
    return true;
  };
  const auto found = std::ranges::find_if(labels, fits);
  if (found != labels.end()) return *found;
  std::set<std::string> known;
  for (const Labels& one : labels) known.insert(text_of(one));
  return fail(ErrorCode::invalid_input, "--baseline", fmt::format("no run has {}; there are: {}", *wanted, fmt::join(known, "; ")));
}

/// Runs come by time. Where a configuration comes again, a new round began: within a block each occurs once, and a comparison within blocks
/// is one of runs that were close to each other.
std::vector<int> blocks_by_time(const std::vector<Labels>& labels) {
  std::vector<int> blocks;
  std::set<Labels> in_block;
  int block = 1;
  for (const Labels& one : labels) {
    if (in_block.contains(one)) {
      in_block.clear();
      ++block;
    }
    in_block.insert(one);
    blocks.push_back(block);
  }
  return blocks;
}

// ---- the experiment file ----------------------------------------------------------------------------------------------------------------

template <typename Number>
bool all_are(const std::set<std::string>& values) {
  return std::ranges::all_of(values, [](const std::string& text) {
    Number number{};
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
    return status == std::errc() && end == text.data() + text.size() && fmt::format("{}", number) == text;
  });
}

/// "2" before "10".
bool before(const std::string& a, const std::string& b) {
  double x = 0, y = 0;
  const bool numbers = std::from_chars(a.data(), a.data() + a.size(), x).ptr == a.data() + a.size() && !a.empty() &&
                       std::from_chars(b.data(), b.data() + b.size(), y).ptr == b.data() + b.size() && !b.empty();
  return numbers ? std::pair(x, a) < std::pair(y, b) : a < b;
}

std::string toml_text(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

std::string parameter_text(const std::string& name, const std::set<std::string>& values, const std::string& baseline) {
  const bool integer = all_are<std::int64_t>(values), real = !integer && all_are<double>(values);
  const bool number = integer || real;
  std::vector<std::string> list(values.begin(), values.end());
  std::ranges::sort(list, before);
  for (std::string& value : list) {
    if (!number) value = toml_text(value);
    if (real && value.find_first_of(".e") == std::string::npos) value += ".0";
  }
  std::string standard = number ? baseline : toml_text(baseline);
  if (real && standard.find_first_of(".e") == std::string::npos) standard += ".0";
  return fmt::format("\n[parameters.{}]\ntype = \"{}\"\nvalues = [{}]\ndefault = {}\n", toml_text(name),
                     integer ? "integer"
                     : real  ? "real"
                             : "categorical",
                     fmt::join(list, ", "), standard);
}

std::string experiment_text(const ImportRequest& request, const std::vector<Labels>& labels, const Labels& baseline) {
  std::map<std::string, std::set<std::string>> values;
  for (const Labels& one : labels)
    for (const auto& [name, value] : one) values[name].insert(value);
  std::string text = fmt::format(
      "# Made by netsettle db import from {}: the parameters are what the names of the files say. \"value\" is queries per second.\n"
      "schema = 1\n\n[study]\nname = {}\n\n[rig]\nkind = \"external\"\n",
      toml_text(request.origin), toml_text(request.name));
  for (const auto& [name, all] : values) text += parameter_text(name, all, baseline.at(name));
  return text + fmt::format("\n[budget]\ntrials = {}\n", std::max<std::size_t>(request.runs.size(), 24));
}

// ---- the record -------------------------------------------------------------------------------------------------------------------------

Expected<Experiment> parsed(const std::string& text, const std::string& origin) {
  auto experiment = parse_experiment(text, origin, {});
  if (experiment) return *std::move(experiment);
  return fail(ErrorCode::invalid_input, "db import",
              fmt::format("the names of the files cannot be parameters of a study: {}", experiment.error().front().message));
}

Expected<SearchSpace> space_of(const Experiment& experiment) {
  auto space = SearchSpace::resolve(experiment, {}, {});
  if (space) return *std::move(space);
  return std::unexpected(space.error().front());
}

Expected<Configuration> configuration_of(const SearchSpace& space, const Labels& labels) {
  Configuration configuration;
  for (const Domain& domain : space.domains()) {
    NETSETTLE_ASSIGN(configuration.values[domain.name], parse_value(domain.type, labels.at(domain.name)));
  }
  return space.canonical(configuration);
}

datasets::StudyRecord record_of(const ImportRequest& request, const ImportedStudy& study, const Experiment& experiment,
                                const SearchSpace& space) {
  datasets::StudyRecord record;
  record.name = request.name;
  record.spec_file = request.origin;
  record.spec_text = study.spec_text;
  record.spec_hash = experiment_hash(experiment);
  record.space_hash = space.hash();
  record.workload_hash = kImportedWorkload;
  record.seed = experiment.study.seed;
  record.created_us = request.now_us;
  record.host_fingerprint = "imported";
  record.host_facts_json = "{}";
  datasets::describe_space(experiment, space, record);
  return record;
}

datasets::TrialResult result_of(const ImportedRun& run) {
  datasets::TrialResult result{.state = run.judgement.verdict.outcome == Outcome::failed ? TrialState::failed : TrialState::done,
                               .verdict = run.judgement.verdict,
                               .measurements = run.judgement.measurements,
                               .evidence = &run.evidence,
                               .started_us = run.started_us,
                               .ended_us = run.ended_us};
  if (const auto rate = result.measurements.find("qps"); rate != result.measurements.end())
    result.measurements[std::string(kMetric)] = rate->second;
  return result;
}

Expected<void> fill(datasets::Store& store, const ImportRequest& request, const ImportedStudy& study, const SearchSpace& space) {
  NETSETTLE_TRY(store.begin_session(request.session));
  NETSETTLE_TRY(store.add_configuration(space.baseline(), "baseline"));
  int position = 0;
  for (std::size_t i = 0; i < request.runs.size(); ++i) {
    const ImportedRun& run = request.runs[i];
    position = i > 0 && study.blocks[i] == study.blocks[i - 1] ? position + 1 : 0;
    NETSETTLE_ASSIGN(const Configuration configuration, configuration_of(space, study.labels[i]));
    NETSETTLE_ASSIGN(const std::int64_t id, store.add_configuration(configuration, "imported"));
    NETSETTLE_ASSIGN(const auto trials, store.plan_trials({{.configuration_id = id,
                                                            .purpose = Purpose::search,
                                                            .block = study.blocks[i],
                                                            .position = position,
                                                            .imported_from = run.file}}));
    NETSETTLE_TRY(store.record_trial(trials.front(), result_of(run)));
  }
  NETSETTLE_TRY(store.set_status(datasets::StudyStatus::exhausted));
  return store.end_session("imported");
}

}  // namespace

Expected<ImportedStudy> plan_import(const ImportRequest& request) {
  NETSETTLE_TRY(check_kinds(request.runs));
  ImportedStudy study;
  NETSETTLE_ASSIGN(study.labels, complete_labels(request.runs));
  NETSETTLE_ASSIGN(study.baseline, baseline_of(study.labels, request.baseline));
  study.blocks = blocks_by_time(study.labels);
  study.spec_text = experiment_text(request, study.labels, study.baseline);
  return study;
}

Expected<void> import_study(const std::filesystem::path& database, const ImportRequest& request) {
  NETSETTLE_ASSIGN(const ImportedStudy study, plan_import(request));
  NETSETTLE_ASSIGN(const Experiment experiment, parsed(study.spec_text, request.origin));
  NETSETTLE_ASSIGN(const SearchSpace space, space_of(experiment));
  Expected<void> filled;
  {
    NETSETTLE_ASSIGN(auto store, datasets::Store::create(database, record_of(request, study, experiment, space)));
    filled = fill(store, request, study, space);
  }
  std::error_code ignored;
  if (!filled)
    for (const char* suffix : {"", "-wal", "-shm", ".reserve"}) std::filesystem::remove(database.string() + suffix, ignored);
  return filled;
}

}  // namespace netsettle::tuner
