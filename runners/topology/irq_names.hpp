#pragma once
// What the name of an interrupt's handler tells ("ice-em3-TxRx-0", "mlx5_comp3@pci:0000:01:00.0", "virtio0-input.1", "eth2 (queue 0)"):
// whose it is, which queue it serves, in which direction. Pure.

#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace netsettle::runners {

enum class QueueDirection { rx, tx, combined };
std::string_view to_text(QueueDirection direction);

/// Whether `name` is in the text as a whole word: "eth1" is in "i40e-eth1-TxRx-0", not in "eth10-TxRx-0" and not in "eth1.5-TxRx-0".
bool has_word(std::string_view text, std::string_view name);

/// The name of the interface that the handler's name has as a whole word, the longest of `interfaces` where several fit.
std::optional<std::string> named_interface(std::string_view action, const std::set<std::string>& interfaces);

struct ActionRole {
  enum class Kind {
    queue,
    other,    // link, events, management, flow director, another driver's vector
    bare,     // nothing but the name of the interface or the address of the device
    unknown,  // a form of name that is not known: a queue only where no other vector of the device is
  } kind = Kind::unknown;
  std::optional<int> queue;  // the number in the name; not always the number of the queue
  QueueDirection direction = QueueDirection::combined;
};

/// `interface` and `address` (of the bus, "0000:01:00.0"; may be empty) are taken out of the name first.
ActionRole role_of_action(std::string_view action, std::string_view interface, std::string_view address);

}  // namespace netsettle::runners
