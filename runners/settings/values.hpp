#pragma once
// The texts of kernel settings: numbers, vectors and masks. Private to this folder; the public part is in catalogue.hpp.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "runners/settings/catalogue.hpp"

#include "datasets/model/trimmed.hpp"

namespace netsettle::runners {

/// The whole text as one decimal number ("-1", "4096"; not "+1", "0x10", "4k").
std::optional<std::int64_t> decimal(std::string_view text);
/// White-space separated decimals; nullopt where a part is not one or there is none.
std::optional<std::vector<std::int64_t>> decimals(std::string_view text);

/// The kernel's roundup_pow_of_two; 0 stays 0 (rps_sock_flow_entries, rps_flow_cnt: 0 turns them off).
std::int64_t rounded_up(std::int64_t number);

/// The kind of comparison that a text read from a sysctl calls for: one number, several, or any text.
Comparator comparator_of_text(std::string_view text);

}  // namespace netsettle::runners
