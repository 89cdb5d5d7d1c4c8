#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "strategies/validity/judge.hpp"
#include "tuner/cli/record.hpp"
#include "tuner/cli/show_host.hpp"
#include "tuner/report/account.hpp"
#include "tuner/report/json.hpp"
#include "tuner/report/json_parts.hpp"
#include "tuner/report/one_configuration.hpp"
#include "tuner/report/study_table.hpp"
#include "tuner/report/text.hpp"

namespace netsettle::tuner {
namespace {

std::size_t width() {
  const int columns = terminal_width();
  return static_cast<std::size_t>(columns > 0 ? columns : 120);
}

/// Before the verdict: what is ahead, and that it is no result.
void print_ahead(const ReportData& data) {
  fmt::print("{} ({})\n", no_verdict_sentence(data), datasets::to_text(data.record.status));
  const auto rows = ranked(data);
  const auto best = std::ranges::find_if(rows, [](const auto& row) { return row.id != kBaselineId && row.n > 0; });
  const StudyConfiguration* configuration = best == rows.end() ? nullptr : find_configuration(data.study, best->id);
  if (configuration == nullptr) return;
  fmt::print("Best mean so far: configuration {} ({}): {} {} over {} trials{}. Nothing is proven by it.\n", best->id,
             changes(data.study, configuration->configuration), quantity(best->mean), data.study.experiment.objective.maximize, best->n,
             best->versus_baseline ? fmt::format(", {} against the baseline", interval(*best->versus_baseline)) : "");
  for (const auto& caveat : caveats(data)) fmt::print("Note: {}\n", caveat);
}

int show_best(const Record& record, const CommandLine& line) {
  const auto data = collect(record.view, record.study);
  if (line.has("json")) {
    fmt::print("{}", best_json(data));
    return kDone;
  }
  if (!data.verdict) {
    print_ahead(data);
    return kDone;
  }
  fmt::print("{}\n", data.verdict->statement);
  if (const auto* handed_over = find_configuration(record.view, data.verdict->configuration_id))
    fmt::print("Handed over: configuration {} ({}).\n", handed_over->id, changes(record.view, handed_over->configuration));
  for (const auto& caveat : caveats(data)) fmt::print("Note: {}\n", caveat);
  return kDone;
}

int show_configurations(const Record& record, const CommandLine& line) {
  const auto data = collect(record.view, record.study);
  fmt::print("{}", line.has("json") ? configurations_json(data) : configurations_table(data, {.width = width()}));
  return kDone;
}

int show_trials(const Record& record, const CommandLine& line) {
  fmt::print("{}", line.has("json") ? trials_json(collect(record.view, record.study)) : trials_table(record.view, width()));
  return kDone;
}

/// What the record kept of the trial's evidence; null where there is none.
nlohmann::ordered_json account_in(const Record& record, std::int64_t trial_id) {
  const auto artifacts = record.store.artifacts(trial_id);
  if (!artifacts) return nullptr;
  const auto found = std::ranges::find(*artifacts, "account", &Artifact::kind);
  if (found == artifacts->end()) return nullptr;
  auto account = nlohmann::ordered_json::parse(found->content, nullptr, false);
  return account.is_object() ? account : nullptr;
}

void print_trial(const Trial& trial, const std::vector<AppliedSetting>& settings, const nlohmann::ordered_json& account) {
  fmt::print("Trial {}: configuration {}, {}, block {}, position {}, attempt {}\n", trial.id, trial.configuration_id,
             to_text(trial.purpose), trial.block, trial.position, trial.attempt);
  fmt::print("Outcome: {}{}\n", trial.outcome ? to_text(*trial.outcome) : to_text(trial.state), trial.suspect ? ", suspect" : "");
  for (const auto& reason : trial.reasons) fmt::print("  {}: {}\n", reason.code, reason.detail);
  fmt::print("Measured:\n");
  for (const auto& [name, value] : trial.measurements) {
    const auto* metric = find_metric(name);
    fmt::print("  {:<26} {:>14} {}\n", name, quantity(value), metric ? metric->unit : "");
  }
  if (account.is_object()) fmt::print("{}", account_text(account));
  fmt::print("Settings:\n");
  for (const auto& row : settings)
    fmt::print("  {:<40} requested {}, before {}, effective {}, at the end {} ({})\n", row.setting, row.requested, row.before,
               row.effective, row.at_end, to_text(row.status));
}

/// Of the measured trials of a configuration, those of which the record has a series.
Expected<std::vector<TrialSeries>> all_series(const Record& record, std::int64_t configuration_id) {
  std::vector<TrialSeries> all;
  for (const Trial* trial : study_trials(record.view, configuration_id)) {
    if (trial->outcome != Outcome::measured) continue;
    NETSETTLE_ASSIGN(const auto samples, record.store.samples(trial->id, "qps"));
    if (auto series = series_of(record.view.experiment, *trial, samples)) all.push_back(*std::move(series));
  }
  return all;
}

int show_configuration(const Record& record, const CommandLine& line, const std::string& number) {
  const auto id = configuration_of(record, number);
  if (!id) return print_error(id.error());
  const auto series = all_series(record, *id);
  if (!series) return print_error(series.error());
  const ConfigurationFigures figures = figures_of(record.view, *id, *series);
  fmt::print("{}", line.has("json") ? configuration_json(record.view, figures) : configuration_text(record.view, figures));
  return kDone;
}

int show_trial(const Record& record, const CommandLine& line, const std::string& number) {
  const std::int64_t id = whole_number(number, 1, std::numeric_limits<std::int64_t>::max()).value_or(0);
  const auto trial = std::ranges::find(record.view.trials, id, &Trial::id);
  if (trial == record.view.trials.end())
    return print_error({ErrorCode::invalid_input, "show trial", fmt::format("the record has no trial '{}'", number)});
  if (line.has("artifact")) {
    const auto artifacts = record.store.artifacts(id);
    if (!artifacts) return print_error(artifacts.error());
    const auto found = std::ranges::find(*artifacts, line.text("artifact"), &Artifact::kind);
    if (found != artifacts->end()) {
      fmt::print("{}", found->content);
      return kDone;
    }
    std::string kinds;
    for (const auto& artifact : *artifacts) kinds += (kinds.empty() ? "" : ", ") + artifact.kind;
    return print_error({ErrorCode::invalid_input, "--artifact", "this trial has: " + kinds});
  }
  const auto settings = record.store.applied(id);
  if (!settings) return print_error(settings.error());
  const auto account = account_in(record, id);
  if (line.has("json"))
    fmt::print("{}", trial_json(*trial, *settings, account));
  else
    print_trial(*trial, *settings, account);
  return kDone;
}

int show_decisions(const Record& record, const CommandLine& line) {
  auto list = nlohmann::ordered_json::array();
  for (const auto& decision : record.view.decisions) {
    if (line.has("json"))
      list.push_back(decision_object(decision));
    else
      fmt::print("{:>3} {}  {:<15} {}{}\n", decision.id, utc(decision.at_us), to_text(decision.kind), decision.method,
                 decision.configuration_id ? fmt::format(", configuration {}", *decision.configuration_id) : "");
  }
  if (line.has("json")) fmt::print("{}\n", list.dump(2));
  return kDone;
}

}  // namespace

int run_show(const Arguments& arguments) {
  CommandLine line("show best|configurations|configuration N|trials|trial N|decisions|host [--db FILE] [--json]",
                   "Reads a record, also while a study is running. A configuration is named by its number, 'baseline' or 'winner'.\n"
                   "'trial N --artifact load.stdout' prints raw output as it was.",
                   "netsettle show configurations --db quickstart.netsettle.db");
  line.positional("what", -1);
  line.add()("db", boost::program_options::value<std::string>(), "the record")("json", "as JSON")(
      "artifact", boost::program_options::value<std::string>(), "with 'trial N': one raw text of the trial");
  if (const auto exit = line.parse(arguments)) return *exit;
  const auto words = line.texts("what");
  const std::string what = words.empty() ? "best" : words.front();
  using Shower = int (*)(const Record&, const CommandLine&);
  static const std::map<std::string, Shower> kShowers = {{"best", show_best},
                                                         {"configurations", show_configurations},
                                                         {"trials", show_trials},
                                                         {"decisions", show_decisions},
                                                         {"host", show_host}};
  const auto shower = kShowers.find(what);
  const bool one_trial = what == "trial" && words.size() == 2, one_configuration = what == "configuration" && words.size() == 2;
  if (!one_trial && !one_configuration && (shower == kShowers.end() || words.size() > 1))
    return print_error(
        {ErrorCode::invalid_input, "show",
         fmt::format("'{}' is not best, configurations, configuration N, trials, trial N, decisions or host", fmt::join(words, " "))});
  const auto record = open_record(line);
  if (!record) return print_error(record.error());
  if (one_trial) return show_trial(*record, line, words[1]);
  return one_configuration ? show_configuration(*record, line, words[1]) : shower->second(*record, line);
}

}  // namespace netsettle::tuner
