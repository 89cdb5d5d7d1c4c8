#include <fmt/format.h>

#include <fstream>

#include "tuner/cli/record.hpp"
#include "tuner/report/explanation_text.hpp"
#include "tuner/report/markdown.hpp"

namespace netsettle::tuner {
namespace {

/// Settings of the last measured trial of the baseline and of the leader.
Expected<std::vector<SettingsOf>> settings_of_interest(const Record& record, const ReportData& data) {
  std::vector<std::int64_t> wanted = {kBaselineId};
  if (data.verdict && data.verdict->leader_id != kBaselineId) wanted.push_back(data.verdict->leader_id);
  std::vector<SettingsOf> found;
  for (const std::int64_t id : wanted) {
    const Trial* last = nullptr;
    for (const auto& trial : record.view.trials)
      if (trial.configuration_id == id && trial.outcome == Outcome::measured) last = &trial;
    if (!last) continue;
    NETSETTLE_ASSIGN(auto rows, record.store.applied(last->id));
    found.push_back({id, std::move(rows)});
  }
  return found;
}

}  // namespace

int run_report(const Arguments& arguments) {
  CommandLine line("report [--format markdown] [-o FILE] [--db FILE]",
                   "The study on one page, for a ticket or a mailing list: what was measured, the result, the noise, how to repeat it.",
                   "netsettle report --format markdown -o result.md --db quickstart.netsettle.db");
  line.add()("format", boost::program_options::value<std::string>(), "markdown (the default)")(
      "output,o", boost::program_options::value<std::string>(), "write here instead of standard output")(
      "db", boost::program_options::value<std::string>(), "the record");
  if (const auto exit = line.parse(arguments)) return *exit;
  if (line.has("format") && line.text("format") != "markdown")
    return print_error({ErrorCode::invalid_input, "--format", fmt::format("'{}' is not supported yet; markdown is", line.text("format"))});
  const auto record = open_record(line);
  if (!record) return print_error(record.error());
  const auto data = collect(record->view, record->study);
  const auto settings = settings_of_interest(*record, data);
  if (!settings) return print_error(settings.error());
  const std::string page = markdown_report(data, *settings, explanation_markdown(data, explanation_of(record->view)));
  if (!line.has("output")) {
    fmt::print("{}", page);
    return kDone;
  }
  std::ofstream out(line.text("output"), std::ios::binary | std::ios::trunc);
  out << page;
  out.close();
  if (!out) return print_error({ErrorCode::io, line.text("output"), "cannot be written"});
  return kDone;
}

}  // namespace netsettle::tuner
