#pragma once
// What irqbalance's socket says and is told, as texts: pure. Its commands report no errors; a list that it cuts off bans a wrong interrupt.

#include <chrono>
#include <set>
#include <string>
#include <string_view>

#include "datasets/model/cpu_set.hpp"
#include "datasets/model/error.hpp"

namespace netsettle::runners {

using IrqSet = std::set<int>;

inline constexpr std::string_view kIrqbalanceSetup = "setup";

/// The longest command that every release takes whole: before 1.9.5 they read 500 bytes and use what they got.
inline constexpr std::size_t kLongestCommand = 499;

struct IrqbalanceSetup {
  std::chrono::seconds interval{10};  // between two looks at the interrupts; a new ban list may keep it from answering for so long
  IrqSet banned_irqs;                 // by its command line and by its socket; what a policy script bans is not among them
  CpuSet banned_cpus;
};

/// "SLEEP 10 IRQ 26 LOAD 0 DIFF 0 CLASS 0 BANNED 00000003". Failure: refused, with what is wrong.
Expected<IrqbalanceSetup> parse_irqbalance_setup(std::string_view text);

/// The command that REPLACES the daemon's list. unsupported where it is longer than kLongestCommand, with what to do instead.
Expected<std::string> ban_command(const IrqSet& irqs);

/// "26 28", "" for none; and back (invalid_input).
std::string to_list(const IrqSet& irqs);
Expected<IrqSet> parse_list(std::string_view text);

}  // namespace netsettle::runners
