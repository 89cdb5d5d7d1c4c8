#include "tuner/report/markdown.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "tuner/report/steadiness.hpp"
#include "tuner/report/text.hpp"

namespace netsettle::tuner {

namespace {

using strategies::ConfigurationSummary;

constexpr std::size_t kMostConfigurations = 30;

/// One cell of a table: a '|' or a line break in it would end the cell.
std::string cell(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '|')
      result += "\\|";
    else
      result += c == '\n' || c == '\r' ? ' ' : c;
  }
  return result;
}

std::string code(std::string_view text) {
  std::string quoted = cell(text);
  std::ranges::replace(quoted, '`', '\'');
  return "`" + quoted + "`";
}

std::string seconds(Microseconds duration) { return format_duration_us(duration.count()); }

/// One row a finalist; nothing where there was only one.
std::string finalists_table(const ReportData& data) {
  if (!data.verdict || data.verdict->finalists.size() < 2) return "";
  std::string text = "\n| finalist | against the settings you had | fresh blocks | standing |\n|---|---|---|---|\n";
  for (const strategies::FinalistSummary& finalist : data.verdict->finalists)
    text += fmt::format("| {} | {} | {} | {} |\n", finalist.id, finalist.effect ? interval(*finalist.effect) : "", finalist.blocks,
                        cell(finalist.standing));
  return text;
}

std::string result_section(const ReportData& data) {
  std::string text = "## Result\n\n";
  text += (data.verdict ? data.verdict->statement : no_verdict_sentence(data)) + "\n";
  text += finalists_table(data);
  const auto notes = caveats(data);
  if (!notes.empty()) text += "\n";
  for (const std::string& note : notes) text += "- " + note + "\n";
  return text;
}

std::string workload_text(const LoadSection& load) {
  if (load.kind == "command") return fmt::format("command {}", code(fmt::format("{}", fmt::join(load.argv, " "))));
  const std::string processes = load.instances > 1 ? fmt::format("{} processes of ", load.instances) : std::string();
  const std::string rate = load.rate ? fmt::format("{} queries a second, ", quantity(*load.rate)) : std::string();
  return fmt::format("{}{} with {}, {}{} clients, {} queries outstanding, {}", processes, load.kind,
                     code(std::filesystem::path(load.queries).filename().string()), rate, load.clients, load.outstanding,
                     to_text(load.family));
}

std::string server_text(const ServerSection& server) {
  if (server.kind == ServerKind::command) return fmt::format("command {}", code(fmt::format("{}", fmt::join(server.argv, " "))));
  return fmt::format("echo server, {}, {} process(es) of {} thread(s), sockets {}", server.io_model, server.processes, server.threads,
                     server.sockets);
}

std::string budget_text(const BudgetSection& budget) {
  std::string text;
  if (budget.trials) text = fmt::format("{} trials", *budget.trials);
  if (budget.until) text += fmt::format("{}until {}", text.empty() ? "" : ", ", *budget.until);
  return text.empty() ? "as many trials as the sweep needs" : text;
}

/// A page needs what a reader asks about; `show host` has all of it.
bool is_worth_a_line(std::string_view fact) {
  constexpr std::array<std::string_view, 13> kFacts = {"architecture", "cpu_model",   "cpus_online",    "cores",      "packages",
                                                       "nodes",        "ram_bytes",   "kernel_release", "hypervisor", "governor",
                                                       "irqbalance",   "calibration", "query_file"};
  return std::ranges::find(kFacts, fact) != kFacts.end() || fact.ends_with("_version") || fact.ends_with("_cpus") ||
         fact.ends_with(".driver");
}

std::string host_lines(const std::string& host_facts_json) {
  const auto facts = nlohmann::ordered_json::parse(host_facts_json, nullptr, false);
  if (!facts.is_object()) return "";
  std::string text;
  for (const auto& [name, value] : facts.items())
    if (is_worth_a_line(name))
      text += fmt::format("| {} | {} |\n", cell(name), cell(value.is_string() ? value.get<std::string>() : value.dump()));
  return text;
}

/// What another program does in a trial is not known.
std::string own_trial_lines(const Experiment& experiment) {
  return fmt::format("| server | {} |\n| workload | {} |\n| trial | {} warm-up, {} measured |\n", server_text(experiment.server),
                     workload_text(experiment.load), seconds(experiment.trial.warmup), seconds(experiment.trial.measure));
}

std::string measured_section(const ReportData& data) {
  const Experiment& experiment = data.study.experiment;
  std::string text = "\n## What was measured\n\n| | |\n|---|---|\n";
  const Metric* const metric = find_metric(experiment.objective.maximize);
  const bool lower = metric != nullptr && metric->better == Better::lower;
  text += fmt::format("| objective | {} {} |\n", lower ? "lowest" : "highest", cell(experiment.objective.maximize));
  for (const Expression& term : experiment.objective.subject_to) text += fmt::format("| subject to | {} |\n", code(term.text()));
  text += fmt::format("| rig | {} |\n", to_text(experiment.rig.kind));
  if (experiment.rig.kind != RigKind::external) text += own_trial_lines(experiment);
  text += fmt::format("| budget | {} |\n| trials in the record | {} |\n", budget_text(experiment.budget), data.study.trials.size());
  text += fmt::format("| started | {} |\n| status | {} |\n", utc(data.record.created_us), datasets::to_text(data.record.status));
  return text + host_lines(data.record.host_facts_json);
}

std::string configuration_row(const ReportData& data, const ConfigurationSummary& row) {
  const auto number = [&row](double value) { return row.n == 0 ? std::string("-") : quantity(value); };
  const StudyConfiguration* configuration = find_configuration(data.study, row.id);
  return fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} |\n", row.id,
                     cell(configuration ? changes(data.study, configuration->configuration) : ""), row.n, number(row.mean),
                     number(row.minimum), number(row.maximum), row.versus_baseline ? interval(*row.versus_baseline) : "",
                     row.failed + row.invalid);
}

std::string configurations_section(const ReportData& data) {
  std::string text = fmt::format("\n## Configurations by {}\n\n", data.study.experiment.objective.maximize);
  text +=
      "| id | settings | n | mean | min | max | versus baseline (95 %) | failed or invalid |\n|---:|---|---:|---:|---:|---:|---|---:|\n";
  const auto rows = ranked(data);
  for (std::size_t i = 0; i < std::min(rows.size(), kMostConfigurations); ++i) text += configuration_row(data, rows[i]);
  if (rows.size() > kMostConfigurations) text += fmt::format("\n{} more are in the record.\n", rows.size() - kMostConfigurations);
  return text +
         "\nThe intervals compare within blocks over all phases. Only the result above comes from trials that were fixed beforehand.\n";
}

std::string noise_section(const ReportData& data) {
  std::string text = "\n## Noise\n\n";
  if (data.pilot) {
    text += fmt::format(
        "{} trials of the baseline: mean {}, coefficient of variation {:.1f} %. The confirmation could prove differences from {:.1f} %.\n",
        data.pilot->n, quantity(data.pilot->mean), 100 * data.pilot->coefficient_of_variation, 100 * data.pilot->provable_effect);
    if (const std::string warning = strategies::warning_of(data.pilot->health); !warning.empty()) text += warning + "\n";
  } else {
    text += "The pilot is not finished: the machine's noise is not known.\n";
  }
  std::map<std::string, int> unusable;
  for (const Trial& trial : data.study.trials)
    if (trial.outcome == Outcome::failed || trial.outcome == Outcome::invalid)
      for (const Reason& reason : trial.reasons) ++unusable[fmt::format("{}: {}", to_text(*trial.outcome), reason.code)];
  for (const auto& [reason, count] : unusable) text += fmt::format("\n- {} × {}", count, reason);
  return text + (unusable.empty() ? "" : "\n");
}

std::string settings_section(const std::vector<SettingsOf>& settings) {
  std::string text;
  for (const SettingsOf& of : settings) {
    if (of.rows.empty()) continue;
    text += fmt::format("\n## Settings in force, configuration {}{}\n\n", of.configuration_id,
                        of.configuration_id == kBaselineId ? " (baseline)" : "");
    text += "| setting | requested | effective | status |\n|---|---|---|---|\n";
    for (const AppliedSetting& row : of.rows)
      text += fmt::format("| {} | {} | {} | {} |\n", cell(row.setting), cell(row.requested), cell(row.effective), to_text(row.status));
  }
  return text;
}

/// For a POSIX shell; what needs no quotes has none.
std::string shell_word(const std::string& text) {
  if (!text.empty() &&
      text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./=:,+%") == std::string::npos)
    return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string reproduce_section(const ReportData& data) {
  if (data.record.workload_hash == kImportedWorkload)
    return fmt::format("\n## Where it is from\n\nFiles in {}.\n\n```toml\n{}```\n", code(data.record.spec_file), data.record.spec_text);
  const bool external = data.study.experiment.rig.kind == RigKind::external;
  std::string command = fmt::format("netsettle {} {}", external ? "ask-tell" : "run", shell_word(data.record.spec_file));
  for (const std::string& override : data.record.overrides) command += " --set " + shell_word(override);
  return fmt::format("\n## How to repeat it\n\n```\n{}\n```\n\nSeed {}, experiment {}, workload {}.\n\n```toml\n{}{}```\n", command,
                     data.record.seed, code(data.record.spec_hash), code(data.record.workload_hash), data.record.spec_text,
                     data.record.spec_text.ends_with('\n') ? "" : "\n");
}

}  // namespace

std::string markdown_report(const ReportData& data, const std::vector<SettingsOf>& settings, const std::string& explanation) {
  return fmt::format("# netsettle: study {}\n\n", cell(data.record.name)) + result_section(data) + measured_section(data) +
         configurations_section(data) + explanation + noise_section(data) + steadiness_section(data) + settings_section(settings) +
         reproduce_section(data);
}

}  // namespace netsettle::tuner
