#include <algorithm>

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "runners/settings/guard.hpp"
#include "tuner/cli/command.hpp"
#include "tuner/cli/restored.hpp"

namespace netsettle::tuner {

namespace {

/// Queues have many files that are kept and never changed: they are counted, not listed.
bool needs_no_word(const runners::RestoreItem& item) { return item.status == runners::RestoreItem::Status::already && item.detail.empty(); }

}  // namespace

int print_restored(const runners::RestoreReport& report, Detail detail) {
  using Status = runners::RestoreItem::Status;
  for (const auto& item : report.items) {
    if (needs_no_word(item)) continue;
    const bool bad = item.status == Status::conflict || item.status == Status::failed;
    const bool only_planned = detail == Detail::intentions && item.status == Status::restored;
    if (bad || detail != Detail::failures)
      fmt::print(bad ? stderr : stdout, "  {:<14} {}{}\n", only_planned ? "would restore" : to_text(item.status), item.what,
                 item.detail.empty() ? "" : ": " + item.detail);
  }
  const auto silent = std::ranges::count_if(report.items, needs_no_word);
  if (silent > 0 && detail != Detail::failures) fmt::print("  {:<14} {} more: as they were\n", to_text(Status::already), silent);
  if (report.complete()) return kDone;
  fmt::print(stderr,
             "netsettle: something could not be given back; it is listed above and stays in the undo journal. "
             "'netsettle restore' tries again, '--force-conflicts' overwrites what somebody else changed.\n");
  return kNotRestored;
}

int run_restore(const Arguments& arguments) {
  CommandLine line(
      "restore [--dry-run] [--force-conflicts] [--json]",
      "Gives the machine back from the undo journal alone, after netsettle and its guard were both killed. Needs neither experiment\n"
      "file nor record. What somebody else has changed meanwhile is reported and left alone. Exit 4: something could not be given back.",
      "netsettle restore --dry-run");
  line.add()("dry-run", "only say what would be done")("force-conflicts", "put the original back even where somebody else changed it")(
      "json", "as JSON");
  if (const auto exit = line.parse(arguments)) return *exit;
  const auto paths = runners::default_guard_paths();
  const auto report =
      runners::restore_from_journal(paths, {.dry_run = line.has("dry-run"), .force_conflicts = line.has("force-conflicts")});
  if (!report) return print_error(report.error());
  if (line.has("json")) {
    nlohmann::json items = nlohmann::json::array();
    for (const auto& item : report->items)
      items.push_back({{"what", item.what}, {"status", to_text(item.status)}, {"detail", item.detail}});
    fmt::print("{}\n", nlohmann::json{{"complete", report->complete()}, {"dry_run", line.has("dry-run")}, {"items", items}}.dump(2));
    return report->complete() ? kDone : kNotRestored;
  }
  if (report->items.empty()) fmt::print("Nothing to give back: the undo journal is empty.\n");
  return print_restored(*report, line.has("dry-run") ? Detail::intentions : Detail::all);
}

}  // namespace netsettle::tuner
