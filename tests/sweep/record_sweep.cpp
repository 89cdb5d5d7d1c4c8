// One writer and eight readers of one record for a minute of hard work: nobody is refused, nothing is lost.

#include <stdlib.h>

#include <cstdio>
#include <filesystem>
#include <string>

#include <fmt/format.h>

#include "tests/sweep/record_contention.hpp"

int main() {
  std::string folder = std::filesystem::temp_directory_path() / "netsettle-sweep-XXXXXX";
  if (!mkdtemp(folder.data())) return 1;
  const auto result = netsettle::tests::contend(std::filesystem::path(folder) / "study.netsettle.db", 8, std::chrono::seconds(60));
  std::filesystem::remove_all(folder);
  fmt::print("1 writer and 8 readers, 60 s: {} trials recorded, {} whole readings, {} \"locked\", {} other errors, {} wrong, {} lost\n",
             result.commits, result.readings, result.locked, result.failed, result.wrong, result.lost);
  if (!result.first_error.empty()) fmt::print("first error: {}\n", result.first_error);
  return result.locked + result.failed + result.wrong + result.lost == 0 && result.commits > 0 && result.readings > 0 ? 0 : 1;
}
