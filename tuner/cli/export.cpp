#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "runners/settings/catalogue.hpp"
#include "runners/topology/host_facts.hpp"
#include "tuner/bundle/applied.hpp"
#include "tuner/bundle/bundle.hpp"
#include "tuner/cli/record.hpp"

namespace netsettle::tuner {
namespace {

/// "winner" (the default), "smallest" or a configuration's number.
Expected<std::int64_t> chosen_configuration(const Record& record, const std::string& choice) {
  const auto verdict = strategies::verdict_of(record.view);
  if (choice.empty() || choice == "winner" || choice == "smallest") {
    if (verdict && verdict->kind == strategies::VerdictKind::winner)
      return choice == "smallest" ? verdict->smallest_id : verdict->configuration_id;
    return fail(ErrorCode::unsupported, "export",
                fmt::format("there is no winner ({}); --configuration N exports one all the same",
                            verdict ? verdict->statement : "the study has no verdict yet"));
  }
  std::int64_t id = 0;
  const auto [end, status] = std::from_chars(choice.data(), choice.data() + choice.size(), id);
  if (status != std::errc() || end != choice.data() + choice.size())
    return fail(ErrorCode::invalid_input, "--configuration", fmt::format("'{}' is neither 'winner', 'smallest' nor a number", choice));
  if (std::ranges::find(record.view.configurations, id, &StudyConfiguration::id) == record.view.configurations.end())
    return fail(ErrorCode::not_found, "--configuration", fmt::format("the record has no configuration {}", id));
  return id;
}

std::optional<std::int64_t> last_measured_trial(const StudyView& view, std::int64_t configuration) {
  std::optional<std::int64_t> found;
  for (const auto& trial : view.trials)
    if (trial.configuration_id == configuration && trial.outcome == Outcome::measured) found = trial.id;
  return found;
}

std::string fact(const nlohmann::json& facts, const char* name) {
  return facts.is_object() ? facts.value(name, std::string()) : std::string();
}

BundleEvidence evidence_of(const Record& record, std::int64_t configuration) {
  BundleEvidence evidence;
  for (const auto& row : strategies::summarise(record.view)) {
    if (row.id == configuration) evidence.n = row.n;
    if (row.id == kBaselineId) evidence.baseline_n = row.n;
  }
  const auto verdict = strategies::verdict_of(record.view);
  evidence.statement = "The study has no verdict yet.";
  if (!verdict) return evidence;
  evidence.verdict = verdict->kind;
  evidence.statement = verdict->statement;
  if (verdict->leader_id == configuration) {
    evidence.effect = verdict->effect;
    evidence.blocks = verdict->blocks;
  }
  for (const auto& decision : record.view.decisions)
    if (decision.kind == DecisionKind::promote) {
      evidence.method = decision.method;
      evidence.alpha = decision.alpha;
    }
  return evidence;
}

bool acts_by_command_line(const AppliedSetting& row) {
  return row.setting.starts_with("server.") || row.setting.starts_with("load.") || row.setting.starts_with("memory.");
}

/// What each file held before the study wrote to it: the first trial that names it says so.
Expected<Originals> originals_of(const Record& record, const std::vector<AppliedSetting>& rows) {
  std::set<std::string> missing;
  for (const auto& row : rows)
    for (const auto& file : row.files) missing.insert(file.path);
  Originals originals;
  for (const auto& trial : record.view.trials) {
    if (missing.empty()) break;
    NETSETTLE_ASSIGN(const auto earlier, record.store.applied(trial.id));
    note_originals(earlier, originals);
    std::erase_if(missing, [&](const std::string& path) { return originals.contains(path); });
  }
  return originals;
}

/// The settings of the machine that the trial had and its configuration asks for, in the order in which they are written.
Expected<std::vector<BundleSetting>> machine_settings_of(const Record& record, std::int64_t trial,
                                                         const std::map<std::string, std::string>& wanted, const std::string& rps_cpus) {
  NETSETTLE_ASSIGN(std::vector<AppliedSetting> rows, record.store.applied(trial));
  std::erase_if(rows, [&](const AppliedSetting& row) { return !wanted.contains(row.setting) || acts_by_command_line(row); });
  std::ranges::stable_sort(rows, {}, [](const AppliedSetting& row) { return runners::apply_rank(row.setting); });
  NETSETTLE_ASSIGN(const Originals originals, originals_of(record, rows));
  NETSETTLE_ASSIGN(const CpuSet cpus, parse_cpu_list(rps_cpus));
  std::vector<BundleSetting> settings;
  std::set<std::string> written;  // count and node of interrupts are carried by the same files
  for (const auto& row : rows) {
    if (row.files.empty()) {
      const auto as_found = record.study.as_found.find(row.setting);
      NETSETTLE_ASSIGN(auto setting,
                       bundle_setting_of_old_record(row, as_found == record.study.as_found.end() ? Value(row.before) : as_found->second,
                                                    std::vector<CpuId>(cpus.begin(), cpus.end())));
      settings.push_back(std::move(setting));
      continue;
    }
    BundleSetting setting = bundle_setting(row, originals);
    std::erase_if(setting.files, [&](const BundleFile& file) { return !written.insert(file.path).second; });
    settings.push_back(std::move(setting));
  }
  return settings;
}

Expected<BundleInput> bundle_input(const Record& record, std::int64_t configuration, std::int64_t now_us) {
  const auto& chosen = *std::ranges::find(record.view.configurations, configuration, &StudyConfiguration::id);
  BundleInput input;
  input.study = record.study.name;
  input.created_us = now_us;
  input.tool_version = NETSETTLE_VERSION;
  input.configuration_id = configuration;
  input.configuration = chosen.configuration;
  NETSETTLE_ASSIGN(const auto settings, record.view.space.settings_of(chosen.configuration));
  for (const auto& [name, value] : settings)
    if (name.starts_with("server.") || name.starts_with("memory.")) input.server_values[name] = value;
  const auto trial = last_measured_trial(record.view, configuration);
  if (!trial) return fail(ErrorCode::unsupported, "export", fmt::format("configuration {} was never measured", configuration));
  const auto facts = nlohmann::json::parse(record.study.host_facts_json, nullptr, false);
  NETSETTLE_ASSIGN(input.settings, machine_settings_of(record, *trial, settings, fact(facts, "rps_cpus")));
  input.evidence = evidence_of(record, configuration);
  input.rig = record.view.experiment.rig.kind;
  input.workload = {.query_file = fact(facts, "query_file"),
                    .query_sha256 = fact(facts, "query_file_sha256"),
                    .clients = record.view.experiment.load.clients,
                    .outstanding = record.view.experiment.load.outstanding};
  input.host_facts_json = record.study.host_facts_json;
  input.laboratory_only = input.rig == RigKind::namespaces || input.rig == RigKind::loopback;
  return input;
}

Expected<void> write_file(const std::filesystem::path& path, const std::string& content) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out << content;
  out.close();
  if (!out) return fail(ErrorCode::io, path, "cannot be written");
  if (path.extension() == ".sh") {
    std::error_code error;
    std::filesystem::permissions(path, std::filesystem::perms(0755), error);
  }
  return {};
}

Expected<void> write_bundle(const std::filesystem::path& folder, const std::map<std::string, std::string>& files) {
  std::error_code error;
  if (std::filesystem::exists(folder, error) && !std::filesystem::is_empty(folder, error))
    return fail(ErrorCode::conflict, folder, "the folder is not empty; name a new one with -o");
  std::filesystem::create_directories(folder, error);
  if (error) return std::unexpected(errno_error(error.value(), folder, "cannot be made"));
  for (const auto& [name, content] : files) NETSETTLE_TRY(write_file(folder / name, content));
  return {};
}

}  // namespace

int run_export(const Arguments& arguments) {
  CommandLine line(
      "export -o DIR [--configuration winner|smallest|N] [--db FILE]",
      "Writes the winning settings as a bundle: sysctl.d file, apply.sh, revert.sh, manifest.json (values, evidence, rig, workload, host\n"
      "facts), README.md. Only settings that differ from what the machine had. A result of namespaces or loopback is marked laboratory "
      "only.",
      "netsettle export -o bundle --db quickstart.netsettle.db");
  line.add()("output,o", boost::program_options::value<std::string>(), "folder of the bundle; must be new or empty")(
      "configuration", boost::program_options::value<std::string>(), "winner (the default), smallest (the smallest change that is as good) or a number")(
      "db", boost::program_options::value<std::string>(), "the record");
  if (const auto exit = line.parse(arguments)) return *exit;
  if (!line.has("output")) return print_error({ErrorCode::invalid_input, "export", "a folder is needed: -o DIR"});
  auto record = open_record(line);
  if (!record) return print_error(record.error());
  const auto configuration = chosen_configuration(*record, line.text("configuration"));
  if (!configuration) return print_error(configuration.error());
  const auto input = bundle_input(*record, *configuration, runners::SystemClock().utc().count());
  if (!input) return print_error(input.error());
  const auto files = render_bundle(*input);
  if (!files) return print_error(files.error());
  const std::filesystem::path folder = line.text("output");
  if (const auto written = write_bundle(folder, *files); !written) return print_error(written.error());
  fmt::print("Configuration {} in {}:\n", *configuration, folder.string());
  for (const auto& [name, content] : *files) fmt::print("  {}\n", (folder / name).string());
  if (input->laboratory_only) fmt::print("LABORATORY ONLY: found with rig {}; apply.sh wants --lab-result.\n", to_text(input->rig));
  return kDone;
}

}  // namespace netsettle::tuner
