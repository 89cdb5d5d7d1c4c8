#include "tuner/report/study_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tuner/report/table.hpp"
#include "tuner/report/text.hpp"

namespace netsettle::tuner {

namespace {

using strategies::ConfigurationSummary;

std::string measured_or_dash(const ConfigurationSummary& row, double value) { return row.n == 0 ? "-" : quantity(value); }
std::string count_or_blank(int count) { return count == 0 ? "" : fmt::format("{}", count); }

/// Failed and invalid trials have columns only where there are any.
struct Shown {
  bool failed = false, invalid = false;
};

Shown shown_counts(const std::vector<ConfigurationSummary>& rows) {
  return {.failed = std::ranges::any_of(rows, [](const auto& row) { return row.failed > 0; }),
          .invalid = std::ranges::any_of(rows, [](const auto& row) { return row.invalid > 0; })};
}

std::vector<Column> columns_of(const Shown& shown) {
  std::vector<Column> columns{{"id"}, {"n"}, {"mean"}, {"min", Align::right, 2}, {"max", Align::right, 2}};
  if (shown.failed) columns.push_back({"failed"});
  if (shown.invalid) columns.push_back({"invalid"});
  columns.push_back({"vs. baseline (95 %)", Align::left, 1});
  return columns;
}

std::vector<std::string> cells_of(const ReportData& data, const ConfigurationSummary& row, const Shown& shown) {
  std::vector<std::string> cells{fmt::format("{}", row.id), fmt::format("{}", row.n), measured_or_dash(row, row.mean),
                                 measured_or_dash(row, row.minimum), measured_or_dash(row, row.maximum)};
  if (shown.failed) cells.push_back(count_or_blank(row.failed));
  if (shown.invalid) cells.push_back(count_or_blank(row.invalid));
  cells.push_back(row.versus_baseline ? interval(*row.versus_baseline) : "");
  const StudyConfiguration* configuration = find_configuration(data.study, row.id);
  cells.push_back(configuration ? changes(data.study, configuration->configuration) : "");
  return cells;
}

std::string paragraph(std::string_view text, std::size_t width) {
  std::string lines;
  for (const std::string& line : wrapped(text, width)) lines += line + "\n";
  return lines;
}

std::string outcome_text(const Trial& trial) {
  std::string text(trial.outcome ? to_text(*trial.outcome) : to_text(trial.state));
  if (trial.suspect) text += ", suspect";
  for (const Reason& reason : trial.reasons) text += ", " + reason.code;
  if (trial.imported_from) text += ", imported";
  return text;
}

}  // namespace

std::string configurations_table(const ReportData& data, const TableOptions& options) {
  auto rows = ranked(data);
  const std::size_t hidden = rows.size() > options.rows ? rows.size() - options.rows : 0;
  rows.resize(rows.size() - hidden);
  const Shown shown = shown_counts(rows);
  std::vector<std::vector<std::string>> cells;
  for (const ConfigurationSummary& row : rows) cells.push_back(cells_of(data, row, shown));
  std::string text = render_table(columns_of(shown), "settings", cells, options.width);
  if (hidden > 0) text += fmt::format("and {} more\n", hidden);
  return text;
}

std::string final_report(const ReportData& data, const TableOptions& options) {
  std::string text =
      paragraph(fmt::format("Study {}: {} by configuration", data.record.name, data.study.experiment.objective.maximize), options.width);
  text += "\n" + configurations_table(data, options) + "\n";
  text += paragraph(data.verdict ? data.verdict->statement : no_verdict_sentence(data), options.width);
  for (const std::string& caveat : caveats(data)) text += paragraph("Note: " + caveat, options.width);
  return text;
}

std::string trials_table(const StudyView& study, std::size_t width) {
  const std::string& objective = study.experiment.objective.maximize;
  const std::vector<Column> columns{{"trial"}, {"block"}, {"configuration"}, {objective}, {"purpose", Align::left, 1}};
  std::vector<std::vector<std::string>> rows;
  for (const Trial& trial : study.trials) {
    const auto value = trial.measurements.find(objective);
    rows.push_back({fmt::format("{}", trial.id), fmt::format("{}", trial.block), fmt::format("{}", trial.configuration_id),
                    value == trial.measurements.end() ? "-" : quantity(value->second), std::string(to_text(trial.purpose)),
                    outcome_text(trial)});
  }
  return render_table(columns, "outcome", rows, width);
}

}  // namespace netsettle::tuner
