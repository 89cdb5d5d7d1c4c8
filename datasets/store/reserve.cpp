#include "datasets/store/reserve.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace netsettle::datasets {

namespace {

constexpr int kTries = 10;

enum class LockResult { held, stale, busy };

/// `stale`: the file was removed by its last owner between our open and our lock, so the lock protects nothing.
LockResult lock(int descriptor, const std::filesystem::path& path) {
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) return LockResult::busy;
  struct stat ours{}, present{};
  if (::fstat(descriptor, &ours) != 0 || ::stat(path.c_str(), &present) != 0) return LockResult::stale;
  return ours.st_ino == present.st_ino && ours.st_dev == present.st_dev ? LockResult::held : LockResult::stale;
}

Expected<int> open_locked(const std::filesystem::path& path) {
  for (int tries = 0; tries < kTries; ++tries) {
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (descriptor < 0) return std::unexpected(errno_error(errno, path.string(), "cannot create the file that reserves space"));
    const LockResult result = lock(descriptor, path);
    if (result == LockResult::held) return descriptor;
    ::close(descriptor);
    if (result == LockResult::busy) break;
  }
  return fail(ErrorCode::busy, path.string(), "another netsettle is writing this record");
}

}  // namespace

std::filesystem::path Reserve::path_of(const std::filesystem::path& record) {
  std::filesystem::path path = record;
  return path += ".reserve";
}

Expected<Reserve> Reserve::take(const std::filesystem::path& record, std::int64_t bytes) {
  const std::filesystem::path path = path_of(record);
  NETSETTLE_ASSIGN(const int descriptor, open_locked(path));
  Reserve reserve(path, descriptor);
  if (bytes <= 0) return reserve;
  if (const int error = ::posix_fallocate(descriptor, 0, bytes); error != 0)
    return std::unexpected(errno_error(error, path.string(), "cannot reserve the space that keeps a full disk from losing a trial"));
  return reserve;
}

Reserve::Reserve(Reserve&& other) noexcept : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

Reserve::~Reserve() {
  if (descriptor_ < 0) return;
  ::unlink(path_.c_str());  // before the lock is freed: whoever locks it afterwards notices that it is gone
  ::close(descriptor_);
}

bool Reserve::give_up() {
  struct stat status{};
  if (::fstat(descriptor_, &status) != 0 || status.st_size == 0) return false;
  if (::ftruncate(descriptor_, 0) != 0) return false;
  ::fsync(descriptor_);  // some file systems hand the blocks out again only then
  return true;
}

}  // namespace netsettle::datasets
