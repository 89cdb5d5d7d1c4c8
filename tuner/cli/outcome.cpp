#include <fmt/format.h>

#include "tuner/cli/record.hpp"
#include "tuner/cli/terminal.hpp"
#include "tuner/report/json.hpp"
#include "tuner/report/study_table.hpp"

namespace netsettle::tuner {

int print_outcome(const std::string& database, Format format) {
  const auto record = open_record_file(database);
  if (!record) return print_error(record.error());
  const auto data = collect(record->view, record->study);
  if (format == Format::json) {
    fmt::print("{}", best_json(data));
    return kDone;
  }
  const int width = terminal_width();
  constexpr int kLogWidth = 100;
  TableOptions options;
  options.width = static_cast<std::size_t>(width > 0 ? width : kLogWidth);
  options.rows = 40;
  fmt::print("\n{}", final_report(data, options));
  if (data.verdict && data.verdict->kind == strategies::VerdictKind::winner)
    fmt::print("Next: netsettle export -o {}-bundle --db {}\n", record->study.name, database);
  return kDone;
}

}  // namespace netsettle::tuner
