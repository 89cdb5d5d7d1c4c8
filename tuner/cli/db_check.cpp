#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "datasets/store/care.hpp"
#include "tuner/cli/db.hpp"

namespace netsettle::tuner {
namespace {

nlohmann::ordered_json json_of(const std::string& record, const datasets::Examination& examination) {
  nlohmann::ordered_json rows;
  for (const auto& [name, count] : examination.rows) rows[name] = count;
  return {{"record", record},
          {"whole", examination.findings.empty()},
          {"findings", examination.findings},
          {"schema", examination.schema},
          {"file_bytes", examination.file_bytes},
          {"raw_output_bytes", examination.raw_output_bytes},
          {"rows", rows}};
}

void print(const std::string& record, const datasets::Examination& examination) {
  fmt::print("{}: {}, of which {} raw output; schema {}\n", record, size_text(examination.file_bytes),
             size_text(examination.raw_output_bytes), examination.schema);
  for (const auto& [name, count] : examination.rows) fmt::print("  {:<16} {:>9}\n", name, count);
  for (const std::string& finding : examination.findings) fmt::print("FOUND: {}\n", finding);
  if (examination.findings.empty())
    fmt::print("The record is whole.\n");
  else
    fmt::print("The record is damaged. Keep it as it is, and go on with a copy made earlier, or with what 'netsettle show' still reads.\n");
}

}  // namespace

int run_db_check(const Arguments& arguments) {
  CommandLine line(
      "db check FILE [--json]",
      "Reads the whole record: the database's own check, references between its rows, size and SHA-256 of every raw output and "
      "bundle, the hash of every configuration. Changes nothing. Exit code 1: something was found.",
      "netsettle db check quickstart.netsettle.db");
  line.positional("file", 1);
  line.add()("json", "as JSON");
  if (const auto exit = line.parse(arguments)) return *exit;
  if (!line.has("file")) return print_error({ErrorCode::invalid_input, "db check", "takes the name of a record"});
  const std::string record = line.text("file");
  const auto examination = datasets::examine_record(record);
  if (!examination) return print_error(examination.error());
  if (line.has("json"))
    fmt::print("{}\n", json_of(record, *examination).dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
  else
    print(record, *examination);
  return examination->findings.empty() ? kDone : kInternal;
}

}  // namespace netsettle::tuner
