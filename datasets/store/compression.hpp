#pragma once
// Raw output as the record keeps it: zstd, with the SHA-256 and size of the uncompressed text.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/model/error.hpp"

namespace netsettle::datasets {

struct PackedText {
  std::vector<std::byte> content;
  std::string sha256;      // 64 hex digits, of the uncompressed text
  std::int64_t bytes = 0;  // uncompressed
};

Expected<PackedText> pack(std::string_view text);

/// Failure: io where the content is damaged or is not what its size and SHA-256 say.
Expected<std::string> unpack(std::span<const std::byte> content, std::int64_t bytes, std::string_view sha256);

}  // namespace netsettle::datasets
