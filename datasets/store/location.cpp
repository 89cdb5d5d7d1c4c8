#include "datasets/store/location.hpp"

#include <fcntl.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <string>
#include <system_error>

#include <fmt/format.h>

namespace netsettle::datasets {

namespace {

struct FileSystem {
  std::uint64_t magic;
  std::string_view name;
};

constexpr std::array kNetworkFileSystems{
    FileSystem{0x6969, "NFS"},      FileSystem{0x517B, "SMB"},     FileSystem{0xFE534D42, "SMB2"}, FileSystem{0xFF534D42, "CIFS"},
    FileSystem{0x00C36400, "Ceph"}, FileSystem{0x5346414F, "AFS"}, FileSystem{0x73757245, "Coda"}, FileSystem{0x0BD00BD0, "Lustre"},
};

std::filesystem::path folder_of(const std::filesystem::path& record) { return std::filesystem::absolute(record).parent_path(); }

/// The directory entry itself must survive a power cut.
Expected<void> sync_folder(const std::filesystem::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return std::unexpected(errno_error(errno, folder.string(), "cannot open the folder"));
  const int result = ::fsync(descriptor);
  const int error = errno;
  ::close(descriptor);
  if (result != 0) return std::unexpected(errno_error(error, folder.string(), "cannot make the new record durable"));
  return {};
}

/// The folder of `file` is there and may be written.
Expected<void> check_folder(const std::filesystem::path& folder) {
  std::error_code error;
  if (!std::filesystem::is_directory(folder, error))
    return fail(ErrorCode::not_found, folder.string(), "the record's folder does not exist");
  if (::access(folder.c_str(), W_OK | X_OK) != 0)
    return std::unexpected(errno_error(errno, folder.string(), "the record's folder cannot be written"));
  return {};
}

void remove_database(const std::filesystem::path& path) {
  std::error_code ignored;
  for (const char* suffix : {"", "-journal", "-wal", "-shm"}) std::filesystem::remove(path.string() + suffix, ignored);
}

}  // namespace

std::optional<std::string_view> network_file_system(std::uint64_t magic) {
  for (const FileSystem& known : kNetworkFileSystems)
    if (known.magic == magic) return known.name;
  return std::nullopt;
}

Expected<void> check_writable_folder(const std::filesystem::path& record) {
  const std::filesystem::path folder = folder_of(record);
  NETSETTLE_TRY(check_folder(folder));
  struct statfs status{};
  if (::statfs(folder.c_str(), &status) != 0) return std::unexpected(errno_error(errno, folder.string(), "cannot ask for the file system"));
  // The kernel's 32-bit numbers may arrive sign-extended.
  const auto name = network_file_system(static_cast<std::uint32_t>(status.f_type));
  if (name)
    return fail(ErrorCode::unsupported, folder.string(),
                fmt::format("a record cannot be kept on a network file system ({}): use --db with a local path", *name));
  return {};
}

Expected<void> check_file(const std::filesystem::path& record) {
  std::error_code error;
  const auto status = std::filesystem::status(record, error);
  if (status.type() == std::filesystem::file_type::not_found) return fail(ErrorCode::not_found, record.string(), "there is no such record");
  if (status.type() == std::filesystem::file_type::none)
    return std::unexpected(errno_error(error.value(), record.string(), "cannot look at the record"));
  if (status.type() != std::filesystem::file_type::regular)
    return fail(ErrorCode::mismatch, record.string(), "is not a netsettle record: not a regular file");
  return {};
}

Expected<void> check_new_file(const std::filesystem::path& file) {
  NETSETTLE_TRY(check_folder(folder_of(file)));
  if (std::filesystem::exists(std::filesystem::symlink_status(file)))
    return fail(ErrorCode::conflict, file.string(), "exists already: choose another name");
  return {};
}

UnfinishedFile::UnfinishedFile(const std::filesystem::path& file) : path_(file) {
  path_ += ".new";
  remove_database(path_);
}

UnfinishedFile::~UnfinishedFile() { remove_database(path_); }

Expected<void> publish(const std::filesystem::path& from, const std::filesystem::path& to) {
  int result = ::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE);
  // File systems that cannot rename exclusively: the writer's lock is held, so nobody else is making the same record.
  if (result != 0 && errno == EINVAL && !std::filesystem::exists(to)) result = std::rename(from.c_str(), to.c_str());
  if (result != 0 && errno == EEXIST) return fail(ErrorCode::conflict, to.string(), "exists already");
  if (result != 0) return std::unexpected(errno_error(errno, to.string(), "cannot create the record"));
  return sync_folder(folder_of(to));
}

}  // namespace netsettle::datasets
