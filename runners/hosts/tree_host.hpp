#pragma once
// A Host that shows a captured tree (proc/ and sys/ of some machine) as if it were that machine. It can be read only: writing is EROFS, and
// no program runs there.

#include <memory>
#include <string>

#include "runners/hosts/file_tree.hpp"
#include "runners/hosts/host.hpp"

namespace netsettle::runners {

/// A tree in memory.
std::unique_ptr<Host> make_tree_host(FileTree tree);

/// A tree on disk: a folder with proc/ and sys/, read when asked, or an archive of one. Links stay inside the tree. not_found,
/// permission_denied, invalid_input where it is neither, or where neither proc/ nor sys/ is in it.
Expected<std::unique_ptr<Host>> open_tree(const std::string& path);

}  // namespace netsettle::runners
