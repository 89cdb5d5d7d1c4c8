#pragma once
// A fuzz target is one function, fuzz_one(). It is linked with libfuzzer_main.cpp (NETSETTLE_FUZZERS) to search, or with replay_main.cpp
// to run over the files of its corpus as a test.

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <span>
#include <string_view>

/// Aborts the process where a promise is broken.
void fuzz_one(std::span<const std::uint8_t> input);

namespace netsettle::fuzz {

inline void require(bool holds) {
  if (!holds) std::abort();
}

inline std::string_view as_text(std::span<const std::uint8_t> input) { return {reinterpret_cast<const char*>(input.data()), input.size()}; }

}  // namespace netsettle::fuzz
