#include <fmt/format.h>

#include "tuner/cli/db.hpp"
#include "tuner/cli/record.hpp"
#include "tuner/cli/text_output.hpp"
#include "tuner/report/dns_metrics.hpp"
#include "tuner/report/export_csv.hpp"
#include "tuner/report/export_json.hpp"

namespace netsettle::tuner {
namespace {

constexpr std::string_view kFormats = "csv, json or dns-metrics";

bool is_format(const std::string& text) { return text == "csv" || text == "json" || text == "dns-metrics"; }

Expected<void> write_metrics(const Record& record, const TextSink& out) {
  NETSETTLE_ASSIGN(const MetricsCounts counts, write_dns_metrics(record.store, record.study, record.view, out));
  if (counts.without_report > 0)
    fmt::print(stderr, "netsettle: {} of {} trials are not in it: the record has no report of their load\n", counts.without_report,
               counts.trials + counts.without_report);
  return {};
}

Expected<void> write_record(const Record& record, const std::string& format, const TextSink& out) {
  if (format == "csv") return write_csv(record.view, out);
  if (format == "json") return write_record_json(record.store, record.study, record.view, out);
  return write_metrics(record, out);
}

/// A record named by itself or with --db, not both.
Expected<Record> record_of(const CommandLine& line) {
  if (!line.has("record")) return open_record(line);
  if (line.has("db")) return fail(ErrorCode::invalid_input, "db export", "the record is named twice: as an argument and with --db");
  return open_record_file(line.text("record"));
}

}  // namespace

int run_db_export(const Arguments& arguments) {
  CommandLine line(
      "db export [RECORD] --format csv|json|dns-metrics [-o FILE] [--db RECORD]",
      "A record for other programs. csv: a row a trial, for spreadsheets and statistics. json: the whole record without raw output, one\n"
      "document. dns-metrics: JSON lines by the DNS-OARC schema, as kxdpgun writes them. Also while a study runs.",
      "netsettle db export quickstart.netsettle.db --format csv -o quickstart.csv");
  line.positional("record", 1);
  const auto text = [] { return boost::program_options::value<std::string>(); };
  line.add()("format", text(), "csv, json or dns-metrics")("output,o", text(), "write here instead of standard output")("db", text(),
                                                                                                                        "the record");
  if (const auto exit = line.parse(arguments)) return *exit;
  const std::string format = line.text("format");
  if (format.empty()) return print_error({ErrorCode::invalid_input, "--format", fmt::format("is needed: {}", kFormats)});
  if (!is_format(format))
    return print_error({ErrorCode::invalid_input, "--format", fmt::format("'{}' is no format that can be written: {}", format, kFormats)});
  const auto record = record_of(line);
  if (!record) return print_error(record.error());
  auto output = TextOutput::open(line.has("output") ? std::optional(line.text("output")) : std::nullopt);
  if (!output) return print_error(output.error());
  auto written = write_record(*record, format, output->sink());
  if (written) written = output->finish();
  return written ? kDone : print_error(written.error());
}

}  // namespace netsettle::tuner
