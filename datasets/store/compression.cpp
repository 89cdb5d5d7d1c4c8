#include "datasets/store/compression.hpp"

#include <zstd.h>

#include <fmt/format.h>

#include "datasets/model/configuration.hpp"

namespace netsettle::datasets {

namespace {

constexpr int kLevel = 3;                         // zstd's default: a few hundred MB/s, which keeps a trial's commit short
constexpr std::int64_t kLargest = 1'000'000'000;  // no text of a trial is that long; a record from a stranger may claim it

}  // namespace

Expected<PackedText> pack(std::string_view text) {
  PackedText packed{std::vector<std::byte>(ZSTD_compressBound(text.size())), sha256_hex(text), static_cast<std::int64_t>(text.size())};
  const std::size_t size = ZSTD_compress(packed.content.data(), packed.content.size(), text.data(), text.size(), kLevel);
  if (ZSTD_isError(size) != 0) return fail(ErrorCode::internal, "zstd", ZSTD_getErrorName(size));
  packed.content.resize(size);
  return packed;
}

Expected<std::string> unpack(std::span<const std::byte> content, std::int64_t bytes, std::string_view sha256) {
  // The frame's own size is checked first: a damaged number must not make us allocate.
  const unsigned long long announced = ZSTD_getFrameContentSize(content.data(), content.size());
  if (bytes < 0 || bytes > kLargest || announced != static_cast<unsigned long long>(bytes))
    return fail(ErrorCode::io, "raw output", fmt::format("is damaged: its size is not the recorded {} bytes", bytes));
  std::string text(static_cast<std::size_t>(bytes), '\0');
  const std::size_t size = ZSTD_decompress(text.data(), text.size(), content.data(), content.size());
  if (ZSTD_isError(size) != 0) return fail(ErrorCode::io, "raw output", fmt::format("is damaged: {}", ZSTD_getErrorName(size)));
  if (size != text.size() || sha256_hex(text) != sha256)
    return fail(ErrorCode::io, "raw output", "is damaged: its SHA-256 is not the recorded one");
  return text;
}

}  // namespace netsettle::datasets
