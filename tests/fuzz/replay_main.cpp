// Runs a fuzz target over each file of a corpus folder, over its beginnings, and over it with single bytes changed: what a fuzzer would
// try first, always the same.

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include <fmt/format.h>

#include "tests/fuzz/fuzz_target.hpp"

namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::size_t kVariants = 100;  // of each kind and file

Bytes read_bytes(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void replay(const Bytes& bytes) {
  fuzz_one(bytes);
  const std::size_t step = std::max<std::size_t>(1, bytes.size() / kVariants);
  for (std::size_t at = 0; at < bytes.size(); at += step) {
    fuzz_one(std::span(bytes).first(at));
    Bytes changed = bytes;
    for (const std::uint8_t mask : {0x01, 0x80}) {
      changed[at] = static_cast<std::uint8_t>(bytes[at] ^ mask);
      fuzz_one(changed);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: {} CORPUS-FOLDER\n", argv[0]);
    return 2;
  }
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(argv[1])) {
    fmt::print("{}\n", entry.path().filename().string());
    std::fflush(stdout);  // the name must be seen where the target aborts
    replay(read_bytes(entry.path()));
    ++files;
  }
  if (files == 0) fmt::print(stderr, "{} is empty\n", argv[1]);
  return files == 0 ? 1 : 0;
}
