#pragma once
// What ethtool prints of a card, and the words that it takes to make it so again. Pure. Private to this folder.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace netsettle::runners {

/// What stands behind "LABEL:" in a line of its own; "Adaptive RX: on  TX: off" has two in one.
std::optional<std::string> value_behind(std::string_view text, std::string_view label);

/// ethtool -l and -g print the maxima first, then what is in force. Empty where a part is missing.
std::string_view maxima_in(std::string_view text);
std::string_view present_in(std::string_view text);

/// The table of ethtool -x in the words that ethtool -X takes: "equal 4" (0 1 2 3 0 1 …), "start 2 equal 2", "weight 32 0 96" (blocks in
/// the order of the queues); any other table, which no words make, is "table 0 3 1 …". nullopt where no table is printed.
std::optional<std::string> indirection_words(std::string_view text);
/// "… with 8 RX ring(s):".
std::optional<std::int64_t> ring_count(std::string_view text);

/// The fields of ethtool -n IF rx-flow-hash as the letters that -N takes ("sdfn"); nullopt where none is printed.
std::optional<std::string> hash_letters(std::string_view text);

}  // namespace netsettle::runners
