#pragma once
// A record of very many trials, written straight into its tables: what a year of nights would leave.

#include <filesystem>

#include "datasets/model/error.hpp"

namespace netsettle::bench {

inline constexpr int kSamples = 30;  // of each trial

/// Makes the record of a study that searches at random, with `trials` measured trials, each with 20 numbers, 30 samples and 8 settings; no
/// raw output.
Expected<void> make_large_record(const std::filesystem::path& file, int trials);

}  // namespace netsettle::bench
