#pragma once
// Which handlers each numbered interrupt has: from /proc/interrupts, the folders of /proc/irq/N and /sys/kernel/irq/N/actions.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "runners/hosts/host.hpp"
#include "runners/probes/interrupts.hpp"

namespace netsettle::runners {

class IrqLines {
 public:
  /// Reads /proc/interrupts; where it cannot be read the other two sources serve.
  explicit IrqLines(Host& host);

  /// The handlers of an interrupt; none where it has no handler or is not there.
  std::vector<std::string> actions(int irq) const;
  /// All numbers that have a handler.
  const std::vector<int>& numbers() const { return numbers_; }
  /// nullopt where /proc/interrupts cannot be read.
  const std::optional<Interrupts>& table() const { return table_; }
  /// Why not.
  const std::optional<Error>& problem() const { return problem_; }

 private:
  std::vector<std::string> action_folders(int irq) const;

  Host& host_;
  std::optional<Interrupts> table_;
  std::optional<Error> problem_;
  std::vector<int> numbers_;
};

}  // namespace netsettle::runners
