#include "runners/settings/irqbalance_protocol.hpp"

#include <limits>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "runners/settings/values.hpp"

namespace netsettle::runners {
namespace {

/// Takes the next word off the text; empty at its end.
std::string_view next_word(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \n"), text.size()));
  const std::string_view word = text.substr(0, text.find_first_of(" \n"));
  text.remove_prefix(word.size());
  return word;
}

std::optional<int> irq_number(std::string_view word) {
  const auto number = decimal(word);
  if (!number || *number < 0 || *number > std::numeric_limits<int>::max()) return std::nullopt;
  return static_cast<int>(*number);
}

std::unexpected<Error> not_understood(std::string_view text) {
  return fail(ErrorCode::refused, "irqbalance",
              fmt::format("its answer to 'setup' is not understood: '{}'", text.substr(0, std::min<std::size_t>(text.size(), 80))));
}

}  // namespace

Expected<IrqbalanceSetup> parse_irqbalance_setup(std::string_view text) {
  IrqbalanceSetup setup;
  bool has_interval = false;
  std::string_view rest = text;
  for (std::string_view key = next_word(rest); !key.empty(); key = next_word(rest)) {
    const std::string_view value = next_word(rest);
    if (key == "BANNED") {
      const auto cpus = parse_cpu_mask(value);
      if (!cpus || !has_interval || !next_word(rest).empty()) return not_understood(text);
      setup.banned_cpus = *cpus;
      return setup;
    }
    const auto number = irq_number(value);
    if (!number && (key == "SLEEP" || key == "IRQ")) return not_understood(text);
    if (key == "SLEEP") {
      setup.interval = std::chrono::seconds(*number);
      has_interval = true;
    } else if (key == "IRQ") {
      setup.banned_irqs.insert(*number);
    }
  }
  return not_understood(text);  // BANNED is always last: without it the answer was cut off
}

Expected<std::string> ban_command(const IrqSet& irqs) {
  if (irqs.empty()) return "settings ban irqs NONE";
  // In rising order: the daemon's parser takes a 0 only as the first number.
  std::string command = "settings ban irqs " + to_list(irqs);
  if (command.size() <= kLongestCommand) return command;
  return fail(
      ErrorCode::unsupported, "irqbalance",
      fmt::format("{} interrupts make a command of {} bytes, and releases before 1.9.5 cut it at 500 and ban a wrong interrupt: give "
                  "them to it as --banirq=N in IRQBALANCE_ARGS (/etc/default/irqbalance or /etc/sysconfig/irqbalance) and restart "
                  "it, or choose irqbalance = \"stop\"",
                  irqs.size(), command.size()));
}

std::string to_list(const IrqSet& irqs) { return fmt::format("{}", fmt::join(irqs, " ")); }

Expected<IrqSet> parse_list(std::string_view text) {
  IrqSet irqs;
  for (std::string_view word = next_word(text); !word.empty(); word = next_word(text)) {
    const auto number = irq_number(word);
    if (!number) return fail(ErrorCode::invalid_input, "irqbalance", fmt::format("'{}' is not the number of an interrupt", word));
    irqs.insert(*number);
  }
  return irqs;
}

}  // namespace netsettle::runners
