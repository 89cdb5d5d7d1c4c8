#include "tuner/loop/replay.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "tuner/cli/record.hpp"

namespace netsettle::tuner {
namespace {

constexpr int kDiffers = 1;

nlohmann::ordered_json json_of(const Record& record, const Replay& replayed) {
  nlohmann::ordered_json difference = nullptr;
  if (const auto& found = replayed.difference)
    difference = {{"step", found->step},
                  {"trials_before", found->trials},
                  {"key", found->key},
                  {"recorded", found->recorded},
                  {"computed", found->computed}};
  return {{"record", record.path.string()},
          {"same", replayed.same()},
          {"decisions", replayed.decisions},
          {"blocks", replayed.blocks},
          {"unchecked_blocks", replayed.unchecked_blocks},
          {"difference", std::move(difference)}};
}

void print_text(const Replay& replayed) {
  const std::string counts = fmt::format("{} decisions and {} blocks", replayed.decisions, replayed.blocks);
  if (replayed.unchecked_blocks > 0)
    fmt::print("{} blocks cannot be checked: the record does not say how much time was left when they were planned.\n",
               replayed.unchecked_blocks);
  if (replayed.same()) return fmt::print("{}: all come out the same.\n", counts);
  const auto& found = *replayed.difference;
  fmt::print("{} come out the same; then {} does not, with {} trials in the record{}.\n", counts, found.step, found.trials,
             found.key.empty() ? "" : fmt::format(" (first at {})", found.key));
  fmt::print("  recorded: {}\n  computed: {}\n", found.recorded.dump(), found.computed.dump());
  fmt::print(
      "Either the record was changed after it was made, or another release of netsettle made it. The recorded decisions are the "
      "authority; netsettle db check looks at the raw output.\n");
}

}  // namespace

int run_replay(const Arguments& arguments) {
  CommandLine line(
      "replay [--from RECORD] [--json]",
      "Computes every step of a study again from its record: each block that was planned and each decision, in order, from what "
      "was\nknown then. Nothing is measured. Exit 0: all come out the same; 1: one does not, and it is shown.",
      "netsettle replay --from quickstart.netsettle.db");
  line.positional("record", 1);
  line.add()("from", boost::program_options::value<std::string>(), "the record (default: the only *.netsettle.db here)")("json", "as JSON");
  if (const auto exit = line.parse(arguments)) return *exit;
  const bool named = line.has("from") || line.has("record");
  const auto record = named ? open_record_file(line.text(line.has("from") ? "from" : "record")) : open_record(line);
  if (!record) return print_error(record.error());
  const Replay replayed = replay(record->view);
  if (line.has("json"))
    fmt::print("{}\n", json_of(*record, replayed).dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  else
    print_text(replayed);
  return replayed.same() ? kDone : kDiffers;
}

}  // namespace netsettle::tuner
