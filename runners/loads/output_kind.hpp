#pragma once
// Which load generator wrote a text, by the text itself: for files whose name says nothing.

#include <optional>
#include <string_view>
#include <vector>

namespace netsettle::runners {

/// "dnsperf", "resperf" or "kxdpgun" by the first line that only that program prints; nothing for a text of none of them.
std::optional<std::string_view> kind_of_output(std::string_view text);

/// The outputs that were appended to one file, cut before each banner of dnsperf and resperf; one piece where there is no second banner.
std::vector<std::string_view> single_outputs(std::string_view text);

}  // namespace netsettle::runners
