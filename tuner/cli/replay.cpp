#include "tuner/loop/replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tuner/cli/record.hpp"

namespace netsettle::tuner {
namespace {

constexpr int kDiffers = 1;

constexpr std::size_t kMostValues = 8;

using Json = nlohmann::ordered_json;

Json json_of(const Record& record, const Replay& replayed) {
  Json difference = nullptr;
  if (const auto& found = replayed.difference) {
    difference = {{"step", found->step}, {"trials_before", found->trials}, {"values", Json::array()}};
    for (const ReplayedValue& value : found->values)
      difference["values"].push_back({{"key", value.key}, {"recorded", value.recorded}, {"computed", value.computed}});
  }
  return {{"record", record.path.string()},
          {"same", replayed.same()},
          {"decisions", replayed.decisions},
          {"blocks", replayed.blocks},
          {"unchecked_blocks", replayed.unchecked_blocks},
          {"difference", std::move(difference)}};
}

void print_difference(const ReplayDifference& found) {
  for (std::size_t i = 0; i < std::min(found.values.size(), kMostValues); ++i)
    fmt::print("  {}: recorded {}, computed {}\n", found.values[i].key, found.values[i].recorded.dump(), found.values[i].computed.dump());
  if (found.values.size() > kMostValues) fmt::print("  and {} more values (--json has all)\n", found.values.size() - kMostValues);
  fmt::print(
      "Either the record was changed after it was made, or another release of netsettle made it: then the recorded decisions are the\n"
      "authority.\n");
}

void print_text(const Replay& replayed) {
  if (replayed.unchecked_blocks > 0)
    fmt::print("{} blocks cannot be checked: a clock ended this study, and the record does not say exactly what it left then.\n",
               replayed.unchecked_blocks);
  const std::string counts = fmt::format("{} decisions and {} blocks", replayed.decisions, replayed.blocks);
  if (!replayed.same()) {
    fmt::print("{} come out the same; then {} does not, with {} trials in the record:\n", counts, replayed.difference->step,
               replayed.difference->trials);
    return print_difference(*replayed.difference);
  }
  if (replayed.decisions + replayed.blocks + replayed.unchecked_blocks == 0)
    return fmt::print("There is nothing to replay: the record has no step of a study.\n");
  fmt::print("{}: all come out the same.\n", counts);
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
  const Replay replayed = replay(record->view, record->study.until_us);
  if (line.has("json"))
    fmt::print("{}\n", json_of(*record, replayed).dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  else
    print_text(replayed);
  return replayed.same() ? kDone : kDiffers;
}

}  // namespace netsettle::tuner
