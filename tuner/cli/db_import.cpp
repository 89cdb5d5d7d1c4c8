#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "runners/hosts/local_host.hpp"
#include "runners/settings/process_identity.hpp"
#include "runners/topology/host_facts.hpp"
#include "tuner/cli/db.hpp"
#include "tuner/cli/record.hpp"
#include "tuner/loop/import.hpp"
#include "tuner/report/json.hpp"
#include "tuner/report/study_table.hpp"

namespace netsettle::tuner {
namespace {

namespace options = boost::program_options;

std::vector<std::string> words(const std::string& list) {
  std::vector<std::string> all;
  for (std::string_view rest = list; !rest.empty();) {
    const std::string_view word = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(word.size() + 1, rest.size()));
    if (!word.empty()) all.emplace_back(word);
  }
  return all;
}

/// "results" for results.netsettle.db.
std::string name_of(const CommandLine& line) {
  if (line.has("name")) return line.text("name");
  std::string name = std::filesystem::path(line.text("output")).filename().string();
  for (const std::string_view ending : {".db", ".netsettle"})
    if (name.ends_with(ending)) name.resize(name.size() - ending.size());
  return name;
}

Expected<FileOptions> file_options(const CommandLine& line) {
  FileOptions chosen;
  if (line.has("label")) {
    NETSETTLE_ASSIGN(chosen.label, LabelPattern::parse(line.text("label")));
  }
  chosen.accept = words(line.text("accept"));
  return chosen;
}

/// Runs of other kinds than --kind are left out by their names.
Expected<void> keep_kind(const CommandLine& line, FoundRuns& found) {
  if (!line.has("kind")) return {};
  const std::string kind = line.text("kind");
  if (kind != "dnsperf" && kind != "resperf" && kind != "kxdpgun")
    return fail(ErrorCode::invalid_input, "--kind", fmt::format("'{}' is not dnsperf, resperf or kxdpgun", kind));
  for (const ImportedRun& run : found.runs)
    if (run.kind != kind) found.left_out.push_back({run.name, fmt::format("it is an output of {}", run.kind)});
  std::erase_if(found.runs, [&](const ImportedRun& run) { return run.kind != kind; });
  return {};
}

Expected<FoundRuns> runs_of(const CommandLine& line) {
  std::vector<std::filesystem::path> sources;
  for (const std::string& source : line.texts("sources")) sources.emplace_back(source);
  if (sources.empty()) return fail(ErrorCode::invalid_input, "db import", "the files or folders with the outputs are needed");
  if (!line.has("output")) return fail(ErrorCode::invalid_input, "db import", "a name for the new record is needed: -o NEW.netsettle.db");
  NETSETTLE_ASSIGN(const FileOptions chosen, file_options(line));
  NETSETTLE_ASSIGN(const auto files, find_files(sources));
  FoundRuns found = read_runs(files, chosen);
  NETSETTLE_TRY(keep_kind(line, found));
  return found;
}

ImportRequest request_of(const CommandLine& line, std::vector<ImportedRun> runs) {
  const auto host = runners::make_local_host();
  const auto self = runners::own_identity();
  ImportRequest request{.name = name_of(line),
                        .origin = std::filesystem::absolute(line.texts("sources").front()).lexically_normal().string(),
                        .runs = std::move(runs),
                        .baseline = line.has("baseline") ? std::optional(line.text("baseline")) : std::nullopt,
                        .now_us = host->clock().utc().count()};
  request.session = {.boot_id = runners::boot_id(*host),
                     .pid = self.pid,
                     .pid_start = self.start,
                     .tool_version = NETSETTLE_VERSION,
                     .argv = {"netsettle", "db", "import"}};
  for (const std::string& source : line.texts("sources")) request.session.argv.push_back(source);
  return request;
}

int print_json(const Record& record, const FoundRuns& found) {
  auto json = nlohmann::ordered_json::parse(configurations_json(collect(record.view, record.study)), nullptr, false);
  auto left_out = nlohmann::ordered_json::array();
  for (const LeftOut& file : found.left_out) left_out.push_back({{"file", file.name}, {"reason", file.reason}});
  json["record"] = record.path.string();
  json["trials"] = record.view.trials.size();
  json["left_out"] = std::move(left_out);
  fmt::print("{}\n", json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  return kDone;
}

void print_left_out(const std::vector<LeftOut>& left_out) {
  for (const LeftOut& file : left_out) fmt::print(stderr, "netsettle: left out: {}: {}\n", file.name, file.reason);
}

int print_text(const Record& record) {
  const auto data = collect(record.view, record.study);
  const int columns = terminal_width();
  int counts[4] = {};
  for (const Trial& trial : record.view.trials) ++counts[static_cast<int>(trial.outcome.value_or(Outcome{}))];
  fmt::print("{}: {} trials of {} configurations; {} measured, {} invalid, {} failed. \"value\" is queries per second.\n\n",
             record.path.string(), record.view.trials.size(), record.view.configurations.size(),
             counts[static_cast<int>(Outcome::measured)], counts[static_cast<int>(Outcome::invalid)],
             counts[static_cast<int>(Outcome::failed)]);
  fmt::print("{}\n", configurations_table(data, {.width = static_cast<std::size_t>(columns > 0 ? columns : 120)}));
  std::vector<std::string> values;
  for (const Domain& domain : record.view.space.domains())
    if (domain.as_found) values.push_back(fmt::format("{}={}", domain.name, to_text(*domain.as_found)));
  fmt::print("Configuration 1 is the baseline: {}. --baseline names another. The verdicts: netsettle show trials --db {}\n",
             fmt::join(values, ", "), record.path.string());
  return kDone;
}

}  // namespace

int run_db_import(const Arguments& arguments) {
  CommandLine line(
      "db import FILE|FOLDER... -o NEW.netsettle.db [--name NAME] [--label PATTERN] [--baseline KEY=VALUE,...] [--kind KIND] [--accept "
      "RCODE,...] [--json]",
      "Makes a record of outputs of dnsperf, resperf or kxdpgun that you have, known by their content. What was changed is read from the\n"
      "names: folders, and key=value in folders and files (threads=4/run-3.txt, threads=4_rmem=8M.1.txt), or by --label\n"
      "'{threads}t/{rmem}-run{}.txt'. Times are those of the files. Every run is judged as far as its output shows; what gives no run is\n"
      "named. show, report and db export work on the record.",
      "netsettle db import results/ -o results.netsettle.db --baseline threads=1");
  line.positional("sources", -1);
  const auto text = [] { return options::value<std::string>(); };
  line.add()("output,o", text(), "the record to make")("name", text(), "of the study (default: from the record's name)")(
      "label", text(), "how the names give values: {name} a value, {} anything")(
      "baseline", text(),
      "the configuration that others are compared with (default: "
      "what was measured first)")("kind", text(), "only outputs of dnsperf, resperf or kxdpgun")(
      "accept", text(), "response codes that are answers (default: NOERROR,NXDOMAIN)")("json", "as JSON");
  if (const auto exit = line.parse(arguments)) return *exit;
  auto found = runs_of(line);
  if (!found) return print_error(found.error());
  if (!line.has("json")) print_left_out(found->left_out);
  if (found->runs.empty())
    return print_error({ErrorCode::invalid_input, "db import",
                        fmt::format("there is no output of dnsperf, resperf or kxdpgun in {} files", found->left_out.size())});
  const std::filesystem::path database = line.text("output");
  const auto imported = import_study(database, request_of(line, std::move(found->runs)));
  if (!imported) return print_error(imported.error());
  const auto record = open_record_file(database);
  if (!record) return print_error(record.error());
  return line.has("json") ? print_json(*record, *found) : print_text(*record);
}

}  // namespace netsettle::tuner
