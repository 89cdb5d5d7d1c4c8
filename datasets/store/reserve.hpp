#pragma once
// "PATH.reserve": disk blocks kept back beside a record, and the lock that lets only one process write it. The blocks are given up when
// the disk is full, so that what was measured can still be committed; the file itself stays until the writer closes, because
// it carries the lock.

#include <cstdint>
#include <filesystem>

#include "datasets/model/error.hpp"

namespace netsettle::datasets {

class Reserve {
 public:
  /// Takes the lock and allocates real blocks. Failures: busy where another process (or another Store of this one) writes
  /// the record, disk_full, permission_denied, not_found where the folder does not exist.
  static Expected<Reserve> take(const std::filesystem::path& record, std::int64_t bytes);

  Reserve(Reserve&& other) noexcept;
  Reserve& operator=(Reserve&&) = delete;
  ~Reserve();  // removes the file and frees the lock

  /// Frees the blocks, keeps the lock. False where there was nothing left to give.
  bool give_up();

  static std::filesystem::path path_of(const std::filesystem::path& record);

 private:
  Reserve(std::filesystem::path path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}

  std::filesystem::path path_;
  int descriptor_ = -1;
};

}  // namespace netsettle::datasets
