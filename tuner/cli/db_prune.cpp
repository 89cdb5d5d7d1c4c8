#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>

#include "datasets/store/care.hpp"
#include "tuner/cli/db.hpp"

namespace netsettle::tuner {
namespace {

using Do = datasets::PruneOptions::Do;

Expected<std::int64_t> count_of(const CommandLine& line) {
  const std::string text = line.has("keep") ? line.text("keep") : "0";
  std::int64_t keep = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), keep);
  if (status != std::errc() || end != text.data() + text.size() || keep < 0)
    return fail(ErrorCode::invalid_input, "--keep", fmt::format("'{}' is no number of trials", text));
  return keep;
}

void print(const std::string& record, const datasets::Pruned& pruned, Do act) {
  const std::string what = fmt::format("{} raw texts of {} trials, {}", pruned.texts, pruned.trials, size_text(pruned.bytes));
  if (act == Do::count)
    fmt::print("{}: {}; {} could go. Nothing was changed; --artifacts takes them out.\n", record, size_text(pruned.file_before), what);
  else
    fmt::print("{}: {} taken out; {} before, {} now. What each trial measured, its settings and its account are still there.\n", record,
               what, size_text(pruned.file_before), size_text(pruned.file_after));
}

}  // namespace

int run_db_prune(const Arguments& arguments) {
  CommandLine line(
      "db prune FILE [--artifacts] [--keep N] [--json]",
      "Takes the raw output of trials out of a record, which is most of its size, and makes the file smaller. Without --artifacts "
      "it only says how much there is. The raw output cannot be had back: 'netsettle db backup' first where it may be needed.",
      "netsettle db prune quickstart.netsettle.db --artifacts --keep 20");
  line.positional("file", 1);
  line.add()("artifacts", "take the raw output out")("keep", boost::program_options::value<std::string>(),
                                                     "the raw output of the N latest trials stays (0 without this)")("json", "as JSON");
  if (const auto exit = line.parse(arguments)) return *exit;
  if (!line.has("file")) return print_error({ErrorCode::invalid_input, "db prune", "takes the name of a record"});
  const auto keep = count_of(line);
  if (!keep) return print_error(keep.error());
  const std::string record = line.text("file");
  const Do act = line.has("artifacts") ? Do::remove : Do::count;
  const auto pruned = datasets::prune_record(record, {.keep = *keep, .act = act});
  if (!pruned) return print_error(pruned.error());
  if (line.has("json"))
    fmt::print("{}\n", nlohmann::ordered_json({{"record", record},
                                               {"removed", act == Do::remove},
                                               {"trials", pruned->trials},
                                               {"texts", pruned->texts},
                                               {"bytes", pruned->bytes},
                                               {"file_bytes_before", pruned->file_before},
                                               {"file_bytes_after", pruned->file_after}})
                           .dump(2));
  else
    print(record, *pruned, act);
  return kDone;
}

}  // namespace netsettle::tuner
