#include "runners/hosts/files.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <memory>

#include <fmt/format.h>

namespace netsettle::runners {
namespace {

/// open(2), again after EINTR.
Expected<Descriptor> open_file(const std::string& path, int flags, mode_t mode = 0) {
  int number = -1;
  do number = ::open(path.c_str(), flags | O_CLOEXEC, mode);
  while (number < 0 && errno == EINTR);
  if (number < 0) return std::unexpected(errno_error(errno, path, "cannot be opened"));
  return Descriptor(number);
}

std::string folder_of(const std::string& path) {
  const auto slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

}  // namespace

Expected<std::string> read_whole_file(const std::string& path) {
  NETSETTLE_ASSIGN(const Descriptor file, open_file(path, O_RDONLY));
  std::string text;
  char block[16384];
  for (;;) {
    const ssize_t count = ::read(file.get(), block, sizeof block);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return std::unexpected(errno_error(errno, path, "cannot be read"));
    if (count == 0) return text;
    text.append(block, static_cast<std::size_t>(count));
    if (text.size() > kMaxFileSize) return fail(ErrorCode::unsupported, path, "is larger than 16 MiB");
  }
}

Expected<void> overwrite_file(const std::string& path, std::string_view text) {
  NETSETTLE_ASSIGN(Descriptor file, open_file(path, O_WRONLY | O_TRUNC));
  // Not repeated after EINTR: the kernel's text files take one write, and half a value must not be followed by another one.
  const ssize_t count = ::write(file.get(), text.data(), text.size());
  if (count < 0) return std::unexpected(errno_error(errno, path, "cannot be written"));
  if (static_cast<std::size_t>(count) != text.size())
    return std::unexpected(errno_error(EIO, path, fmt::format("only {} of {} bytes were written", count, text.size())));
  if (::close(file.release()) != 0) return std::unexpected(errno_error(errno, path, "cannot be written"));
  return {};
}

Expected<std::vector<std::string>> names_in(const std::string& path) {
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir(path.c_str()), ::closedir);
  if (!folder) return std::unexpected(errno_error(errno, path, "cannot be listed"));
  std::vector<std::string> names;
  errno = 0;
  while (const dirent* entry = ::readdir(folder.get())) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
    errno = 0;
  }
  if (errno != 0) return std::unexpected(errno_error(errno, path, "cannot be listed"));
  std::ranges::sort(names);
  return names;
}

Expected<std::string> resolved_path(const std::string& path) {
  const std::unique_ptr<char, void (*)(void*)> resolved(::realpath(path.c_str(), nullptr), std::free);
  if (!resolved) return std::unexpected(errno_error(errno, path, "cannot be followed"));
  return std::string(resolved.get());
}

Expected<void> may_write(const std::string& path) {
  if (::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) != 0) return std::unexpected(errno_error(errno, path, "cannot be written"));
  return {};
}

Expected<void> write_all(const Descriptor& file, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(file.get(), bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return std::unexpected(errno_error(errno, path, "cannot be written"));
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return {};
}

Expected<void> replace_durably(const std::string& path, std::string_view bytes) {
  const std::string fresh = path + ".new";
  {
    NETSETTLE_ASSIGN(const Descriptor file, open_file(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0644));
    NETSETTLE_TRY(write_all(file, bytes, fresh));
    if (::fsync(file.get()) != 0) return std::unexpected(errno_error(errno, fresh, "cannot be made durable"));
  }
  if (::rename(fresh.c_str(), path.c_str()) != 0) return std::unexpected(errno_error(errno, path, "cannot be replaced"));
  return sync_folder(folder_of(path));
}

Expected<void> sync_folder(const std::string& path) {
  NETSETTLE_ASSIGN(const Descriptor folder, open_file(path, O_RDONLY | O_DIRECTORY));
  if (::fsync(folder.get()) != 0) return std::unexpected(errno_error(errno, path, "cannot be made durable"));
  return {};
}

}  // namespace netsettle::runners
