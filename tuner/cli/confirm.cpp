#include <fmt/format.h>

#include <algorithm>

#include "strategies/racing/next_step.hpp"
#include "strategies/search/standing.hpp"
#include "tuner/cli/side_by_side_work.hpp"
#include "tuner/report/side_by_side_text.hpp"

namespace netsettle::tuner {
namespace {

namespace options = boost::program_options;

constexpr int kUsualTop = 3, kMostTop = 50;
constexpr double kOneSided = 0.025;  // of all tests together

Expected<int> top_of(const CommandLine& line) {
  if (!line.has("top")) return kUsualTop;
  const auto top = whole_number(line.text("top"), 1, kMostTop);
  if (!top) return fail(ErrorCode::invalid_input, "--top", fmt::format("a number from 1 to {} is needed", kMostTop));
  return static_cast<int>(*top);
}

/// The best by what is believed of them after the search, of those that nothing stands against.
Expected<std::vector<std::int64_t>> best_of(const Record& record, int count) {
  const auto standings = strategies::standings_of(record.view);
  std::vector<strategies::Standing> able;
  if (standings)
    std::ranges::copy_if(standings->others, std::back_inserter(able), [](const auto& standing) { return standing.obstacle.empty(); });
  if (able.empty())
    return fail(ErrorCode::unsupported, record.path.string(),
                "the search has measured no configuration that could be confirmed; netsettle show configurations lists what there is");
  std::ranges::stable_sort(able, std::ranges::greater(), [](const auto& standing) { return standing.belief.mean; });
  std::vector<std::int64_t> ids = {kBaselineId};
  for (const auto& standing : able) {
    if (std::ssize(ids) > count) break;
    ids.push_back(standing.id);
  }
  return ids;
}

std::string note_on(const Record& record) {
  const auto verdict = strategies::verdict_of(record.view);
  return "This is a look of your own; the study's verdict stays as it is: " +
         (verdict ? verdict->statement : std::string("it has none yet."));
}

Expected<SideBySideWork> work_of(const CommandLine& line, const Arguments& arguments) {
  NETSETTLE_ASSIGN(const int top, top_of(line));
  NETSETTLE_ASSIGN(const int blocks, blocks_of_line(line));
  NETSETTLE_ASSIGN(Record record, open_record(line));
  NETSETTLE_TRY(check_own_rig(record));
  NETSETTLE_ASSIGN(auto ids, best_of(record, top));
  const auto tests = static_cast<double>(ids.size() - 1);
  std::string note = note_on(record);
  return SideBySideWork{.own = {std::move(record), "confirm", arguments, !line.has("no-record"), line.has("json")},
                        .configurations = std::move(ids),
                        .blocks = blocks,
                        .pairs = Pairs::with_baseline,
                        .alpha = kOneSided / tests,
                        .conclusion = baseline_conclusion,
                        .note = std::move(note),
                        .is_dry_run = line.has("dry-run")};
}

}  // namespace

int run_confirm(const Arguments& arguments) {
  CommandLine line(
      "confirm [--top K] [--blocks N] [--no-record] [--dry-run] [--db RECORD] [--json]",
      "Measures the K best configurations of a record and the baseline in fresh blocks, each of them once in each block in random order,\n"
      "and tests each against the baseline: paired t tests on logarithms, 2.5 % one-sided divided by K (Bonferroni). It is a look of your\n"
      "own: the trials go into the record as such (purpose manual), and the study's verdict stays as it is. Everything is given back.\n"
      "Exit 0: tested, whatever it says; 3: this machine cannot do it; 5: too few blocks could be measured; 6: another machine, or not as\n"
      "the study found it; 7: the study is running.",
      "netsettle confirm --top 3 --blocks 12 --db quickstart.netsettle.db");
  const auto text = [] { return options::value<std::string>(); };
  line.add()("top", text(), "how many configurations beside the baseline (default 3)")("blocks", text(), "how many blocks (default 6)")(
      "no-record", "leave the record as it is: also on another machine")("dry-run", "say what would be run, and whether it can be")(
      "db", text(), "the record")("json", "as JSON");
  if (const auto exit = line.parse(arguments)) return *exit;
  const auto work = work_of(line, arguments);
  if (!work) return print_error(work.error());
  return run_side_by_side(*work);
}

}  // namespace netsettle::tuner
