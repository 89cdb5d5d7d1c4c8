#pragma once
// Files as the calling thread sees them: what LocalHost and NamespaceHost have in common. Not for tests' fakes, and not for other rooms:
// they go through Host. Failures are errno_errors with the path as subject.

#include <string>
#include <string_view>
#include <vector>

#include "datasets/model/error.hpp"
#include "runners/hosts/descriptor.hpp"

namespace netsettle::runners {

/// The largest file that is read whole.
inline constexpr std::size_t kMaxFileSize = 16u << 20;

/// The whole file; `unsupported` above kMaxFileSize.
Expected<std::string> read_whole_file(const std::string& path);
/// One write(2) of the whole text into an existing file; a short write is EIO.
Expected<void> overwrite_file(const std::string& path, std::string_view text);
/// Names in a folder, sorted, without "." and "..".
Expected<std::vector<std::string>> names_in(const std::string& path);
/// realpath(3).
Expected<std::string> resolved_path(const std::string& path);
/// Whether the effective user may write there (faccessat, W_OK).
Expected<void> may_write(const std::string& path);

/// Writes all bytes at the descriptor's position.
Expected<void> write_all(const Descriptor& file, std::string_view bytes, const std::string& path);
/// Replaces (or makes) a file durably: a new file beside it, fsync, rename, fsync of the folder.
Expected<void> replace_durably(const std::string& path, std::string_view bytes);
/// fsync of a folder, so that a file made in it survives a power cut.
Expected<void> sync_folder(const std::string& path);

}  // namespace netsettle::runners
