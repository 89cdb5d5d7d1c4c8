#pragma once
// Sets of CPUs as the kernel writes them: lists ("0-3,8") and masks ("00000000,0000010f").

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "datasets/model/error.hpp"

namespace netsettle {

using CpuId = int;
using CpuSet = std::set<CpuId>;

/// "0-3,8" → {0,1,2,3,8}. A lone "5" is CPU 5; empty text is the empty set; "0-7:2/4" (stride) is accepted.
/// Surrounding white space is ignored. Failure: invalid_input.
Expected<CpuSet> parse_cpu_list(std::string_view text);

/// {0,1,2,8} → "0-2,8"; the empty set → "".
std::string to_cpu_list(const CpuSet& cpus);

/// "00000000,00000003" or "3" → {0,1}. Failure: invalid_input.
Expected<CpuSet> parse_cpu_mask(std::string_view text);

/// {0,1} → "3"; groups of 32 bits separated by commas, no leading empty groups ("1,00000000" for CPU 32).
std::string to_cpu_mask(const CpuSet& cpus);

}  // namespace netsettle
