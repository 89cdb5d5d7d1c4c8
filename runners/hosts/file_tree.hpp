#pragma once
// A captured part of a machine's file system in memory: files, folders and links by absolute path. Everything stays inside: a link that
// leads out of the tree leads nowhere, as below chroot(2).

#include <map>
#include <string>
#include <variant>

namespace netsettle::runners {

struct TreeFolder {};
struct TreeFile {
  std::string content;
};
struct TreeLink {
  std::string target;  // absolute in the tree, or relative to the link's folder
};
using TreeNode = std::variant<TreeFolder, TreeFile, TreeLink>;

/// Path ("/sys/class/net") → what is there. Folders above an entry need no entry of their own.
using FileTree = std::map<std::string, TreeNode>;

}  // namespace netsettle::runners
