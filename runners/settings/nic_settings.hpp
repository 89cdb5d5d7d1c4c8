#pragma once
// Which settings start the queues of a card anew, and which ones that takes back. Private to this folder.

#include <string_view>

namespace netsettle::runners {

/// nic.channels.* and nic.ring.*: they go first, and what the card then has forgotten is given to it again.
bool is_queue_reset(std::string_view name);
/// Kept in files that belong to queues: gone, or another number of them, after a reset.
bool is_reset_by_queues(std::string_view name);

}  // namespace netsettle::runners
