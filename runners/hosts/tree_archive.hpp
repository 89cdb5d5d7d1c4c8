#pragma once
// Captured trees as archives: proc/ and sys/ of a machine in a tar file, plain or compressed. Read in memory; nothing is unpacked to a
// disk.

#include <string>
#include <string_view>

#include "datasets/model/error.hpp"
#include "runners/hosts/file_tree.hpp"

namespace netsettle::runners {

/// What an archive may hold at most: a captured machine is far below, an archive made to fill the memory is refused.
inline constexpr std::size_t kMostTreeEntries = 200'000;
inline constexpr std::size_t kMostTreeBytes = 256u << 20;

/// A tar archive (gzip, zstd, xz or not compressed). Entries with ".." are refused; devices and the like are left out. Failures:
/// not_found, permission_denied, invalid_input (no archive, too large, paths that lead out).
Expected<FileTree> read_tree_archive(const std::string& path);

/// The same from bytes; `name` is for messages.
Expected<FileTree> parse_tree_archive(std::string_view bytes, const std::string& name);

/// The bytes of a .tar.zst of the tree, the same for the same tree: no owners, no times.
Expected<std::string> make_tree_archive(const FileTree& tree);

}  // namespace netsettle::runners
