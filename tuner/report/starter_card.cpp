#include "tuner/report/starter_card.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace netsettle::tuner {
namespace {

/// How a setting becomes a parameter. `low`, `high`: within what the machine takes.
struct Row {
  std::string_view setting, name, comment;
  enum class Form { range, log_range, words, switches, pair } form = Form::range;
  std::int64_t low = 0, high = 0;
  bool placed = false;  // a running irqbalance moves it
};

constexpr std::int64_t kAll = std::int64_t{1} << 40;

constexpr Row kRows[] = {
    {"actors.irqbalance", "irqbalance", "whether irqbalance moves the interrupts of this interface", Row::Form::words},
    {"nic.channels.combined", "channels", "queues of the card", Row::Form::range, 1, kAll},
    {"nic.ring.rx", "rx_ring", "packets that wait in the card's receive ring", Row::Form::log_range, 64, kAll},
    {"nic.rss.udp4", "rss_fields", "addresses alone, or ports too, choose the queue of a query", Row::Form::words},
    {"interrupts.count", "irq_cpus", "CPUs that take the interrupts of its queues", Row::Form::range, 1, kAll, true},
    {"interrupts.node", "irq_place", "where those CPUs are", Row::Form::words, 0, 0, true},
    {"nic.coalesce.adaptive-rx", "adaptive_rx", "the card chooses the pause between interrupts by itself", Row::Form::switches},
    {"nic.coalesce.rx-usecs", "rx_usecs", "pause between interrupts, in us", Row::Form::range, 0, 250},
    {"queues.rps.count", "rps_cpus", "CPUs on which received packets are spread; 0: none", Row::Form::range, 0, kAll},
    {"napi.defer_hard_irqs", "napi_defer", "polls without work before interrupts are on again", Row::Form::pair, 0, 0},
    {"nic.features.gro", "gro", "packets of one flow are joined on their way in", Row::Form::switches},
    {"cpu.governor", "governor", "how the CPUs choose their clock rate", Row::Form::words},
};

bool is_there(const StarterCard& card, std::string_view setting) {
  const auto found = std::ranges::find(card.settings, setting, &FoundSetting::name);
  return found != card.settings.end() && found->why_not.empty();
}

std::string words_list(const FoundSetting& setting) {
  std::vector<std::string> words = setting.words;
  std::erase(words, setting.as_found);
  return words.empty() ? "" : fmt::format("\"{}\"", fmt::join(words, "\", \""));
}

std::string domain(const Row& row, const FoundSetting& setting) {
  switch (row.form) {
    case Row::Form::words:
      return fmt::format("type = \"categorical\"\nvalues = [{}]\n", words_list(setting));
    case Row::Form::switches:
      return "type = \"integer\"\nvalues = [0, 1]\n";
    case Row::Form::pair:
      return "type = \"integer\"\nvalues = [2, 10]\nwith = { \"napi.gro_flush_timeout\" = 20000 }  # ns between two polls\n";
    case Row::Form::range:
    case Row::Form::log_range:
      break;
  }
  const std::int64_t low = std::max(row.low, setting.smallest.value_or(row.low));
  const std::int64_t high = std::min(row.high, setting.largest.value_or(row.high));
  const bool is_log = row.form == Row::Form::log_range && low > 0;
  return fmt::format("type = \"integer\"\nrange = [{}, {}]\n{}", std::min(low, high), high, is_log ? "scale = \"log\"\n" : "");
}

/// Nothing to choose from.
bool is_single(const Row& row, const FoundSetting& setting) {
  if (row.form == Row::Form::words) return words_list(setting).empty();
  return (row.form == Row::Form::range || row.form == Row::Form::log_range) && setting.largest && *setting.largest <= row.low;
}

std::string table(const Row& row, const FoundSetting& setting, const StarterCard& card) {
  std::string text =
      fmt::format("\n[parameters.{}]{}# {}\nsets = \"{}\"\n{}", row.name, std::string(row.name.size() < 23 ? 24 - row.name.size() : 1, ' '),
                  row.comment, row.setting, domain(row, setting));
  if (row.placed && is_there(card, "actors.irqbalance")) text += "when = \"irqbalance != 'running'\"  # else it moves them\n";
  if (row.name == "rx_usecs" && is_there(card, "nic.coalesce.adaptive-rx")) text += "when = \"adaptive_rx == 0\"\n";
  return text;
}

}  // namespace

std::string card_rig(const StarterCard& card) {
  return fmt::format(
      R"toml([rig]
kind = "hosts"                       # the server on this machine, the load on one of its own

[rig.server]
interface = "{0}"
test_address = "{1}"{2}# an address of {0} that the client reaches over the wire

[[rig.client]]
host = "ssh:root@CLIENT"             # fill in the load's machine: `ssh root@CLIENT true` must work without a password
# interface = "…"                    # by which its queries must leave, if you want that checked
# test_address = "…"                 # from which they must come
)toml",
      card.interface, card.address.empty() ? "198.18.0.1" : card.address,
      std::string(std::max<std::size_t>(1, 20 - std::min<std::size_t>(19, card.address.empty() ? 10 : card.address.size())), ' '));
}

std::string card_parameters(const StarterCard& card) {
  std::string text, left_out;
  for (const Row& row : kRows) {
    const auto setting = std::ranges::find(card.settings, row.setting, &FoundSetting::name);
    if (setting == card.settings.end()) continue;
    if (!setting->why_not.empty())
      left_out += fmt::format("# {}: {}\n", row.setting, setting->why_not);
    else if (is_single(row, *setting))
      left_out += fmt::format("# {}: there is nothing to choose from here\n", row.setting);
    else
      text += table(row, *setting, card);
  }
  if (!left_out.empty()) text += "\n# What else often matters, and cannot be tried on this machine:\n" + left_out;
  return text;
}

}  // namespace netsettle::tuner
