#pragma once
// Where a record may live: checks before a file is made or opened, and the durable renaming of a finished one.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

#include "datasets/model/error.hpp"

namespace netsettle::datasets {

/// The name of a network file system by its statfs(2) number (linux/magic.h), where WAL's shared memory and locks cannot be relied
/// upon; nullopt for any other. 9p and FUSE are let through: virtual machines share local folders with them.
std::optional<std::string_view> network_file_system(std::uint64_t magic);

/// Failures: not_found where the folder is missing, permission_denied where it cannot be written, unsupported on a network file system.
Expected<void> check_writable_folder(const std::filesystem::path& record);

/// Failures: not_found where the folder is missing, permission_denied where it cannot be written, conflict where `file` exists.
Expected<void> check_new_file(const std::filesystem::path& file);

/// The database "FILE.new" of a FILE that is being made, so that a kill leaves no half one. It is removed, with its journal, at both ends
/// of this object's life; publish() gives it its name.
class UnfinishedFile {
 public:
  explicit UnfinishedFile(const std::filesystem::path& file);
  UnfinishedFile(const UnfinishedFile&) = delete;
  UnfinishedFile& operator=(const UnfinishedFile&) = delete;
  ~UnfinishedFile();
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// Failures: not_found where there is no such file, mismatch where it is no regular file.
Expected<void> check_file(const std::filesystem::path& record);

/// Renames `from` to `to` and makes that durable; conflict where `to` exists.
Expected<void> publish(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace netsettle::datasets
