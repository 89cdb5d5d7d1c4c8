#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "tuner/cli/record.hpp"
#include "tuner/report/explanation_text.hpp"

namespace netsettle::tuner {

int run_explain(const Arguments& arguments) {
  CommandLine line(
      "explain [--db RECORD] [--json]",
      "What bought the gain: the way from the baseline to the winner (or to the best so far), one parameter after the other; how much of\n"
      "the differences each parameter explains, alone and with others; what to expect of other values; what has no visible effect; what\n"
      "failed. By the model of the search, with intervals: it claims nothing. Steps that the record has measured in common blocks are "
      "shown\n"
      "beside it. Reads only.",
      "netsettle explain --db quickstart.netsettle.db");
  line.add()("db", boost::program_options::value<std::string>(), "the record")("json", "as JSON");
  if (const auto exit = line.parse(arguments)) return *exit;
  const auto record = open_record(line);
  if (!record) return print_error(record.error());
  const auto data = collect(record->view, record->study);
  const auto explained = explanation_of(record->view);
  if (line.has("json")) {
    fmt::print("{}\n", explanation_json(data, explained).dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
    return kDone;
  }
  constexpr int kLogWidth = 120;
  const int columns = terminal_width();
  fmt::print("{}", explanation_text(data, explained, static_cast<std::size_t>(columns > 0 ? columns : kLogWidth)));
  return kDone;
}

}  // namespace netsettle::tuner
