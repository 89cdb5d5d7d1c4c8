#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tuner/cli/side_by_side_work.hpp"
#include "tuner/report/side_by_side_text.hpp"

namespace netsettle::tuner {
namespace {

namespace options = boost::program_options;

Expected<std::vector<std::int64_t>> configurations_of(const Record& record, const std::vector<std::string>& words) {
  if (words.size() < 2)
    return fail(ErrorCode::invalid_input, "compare", "two configurations are needed: numbers, 'baseline' or 'winner' (compare baseline 5)");
  std::vector<std::int64_t> ids;
  for (const std::string& word : words) {
    NETSETTLE_ASSIGN(const std::int64_t id, configuration_of(record, word));
    if (std::ranges::find(ids, id) != ids.end())
      return fail(ErrorCode::invalid_input, word, fmt::format("configuration {} is named twice", id));
    ids.push_back(id);
  }
  return ids;
}

Expected<SideBySideWork> work_of(const CommandLine& line, const Arguments& arguments) {
  if (line.has("no-run") && (line.has("blocks") || line.has("dry-run") || line.has("no-record")))
    return fail(ErrorCode::invalid_input, "--no-run", "only reads; it does not go together with --blocks, --dry-run or --no-record");
  NETSETTLE_ASSIGN(Record record, open_record(line));
  if (!line.has("no-run")) NETSETTLE_TRY(check_own_rig(record));
  NETSETTLE_ASSIGN(auto ids, configurations_of(record, line.texts("configurations")));
  NETSETTLE_ASSIGN(const int blocks, blocks_of_line(line));
  return SideBySideWork{.own = {std::move(record), "compare", arguments, !line.has("no-record"), line.has("json")},
                        .configurations = std::move(ids),
                        .blocks = blocks,
                        .pairs = Pairs::all,
                        .conclusion = pairs_conclusion,
                        .is_dry_run = line.has("dry-run")};
}

int compare_in_record(const SideBySideWork& work) {
  const SideBySide compared = side_by_side_in_record(work.own.record.view, work.configurations);
  print_side_by_side(work.own, compared, record_conclusion(compared), {{"record", work.own.record.path.string()}});
  return kDone;
}

}  // namespace

int run_compare(const Arguments& arguments) {
  CommandLine line(
      "compare A B... [--blocks N | --no-run] [--no-record] [--dry-run] [--db RECORD] [--json]",
      "Measures configurations of a record (numbers, 'baseline', 'winner') side by side in fresh blocks, each of them once in each block "
      "in\n"
      "random order, and prints the difference of each pair with its 95 % interval and how steady each is. The number of blocks is fixed\n"
      "before; nothing of the search is used. The trials go into the record as your own (purpose manual) and change nothing of the study.\n"
      "Everything is given back. --no-run compares by what the record has already. Exit 0: compared, whatever it says; 3: this machine\n"
      "cannot do it; 5: too few blocks could be measured; 6: another machine, or not as the study found it; 7: the study is running.",
      "netsettle compare baseline winner 7 --blocks 10 --db quickstart.netsettle.db");
  const auto text = [] { return options::value<std::string>(); };
  line.positional("configurations", -1);
  line.add()("blocks", text(), "how many blocks (default 6)")("no-run", "measure nothing: compare by the blocks of the record")(
      "no-record", "leave the record as it is: also on another machine")("dry-run", "say what would be run, and whether it can be")(
      "db", text(), "the record")("json", "as JSON");
  if (const auto exit = line.parse(arguments)) return *exit;
  const auto work = work_of(line, arguments);
  if (!work) return print_error(work.error());
  return line.has("no-run") ? compare_in_record(*work) : run_side_by_side(*work);
}

}  // namespace netsettle::tuner
