#include "runners/hosts/tree_host.hpp"

#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>

#include <array>
#include <cerrno>
#include <climits>
#include <optional>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "runners/hosts/files.hpp"
#include "runners/hosts/tree_archive.hpp"

namespace netsettle::runners {
namespace {

/// What is at a path of which no part before the last is a link. A file's content is not read for that.
struct Found {
  enum class Kind { folder, file, link } kind = Kind::folder;
  std::string target;  // of a link
};

/// Where a tree's entries are.
class TreeStore {
 public:
  virtual ~TreeStore() = default;
  virtual std::optional<Found> find(const std::string& path) const = 0;
  virtual Expected<std::string> content(const std::string& path) const = 0;
  virtual Expected<std::vector<std::string>> names(const std::string& path) const = 0;
};

class MemoryStore final : public TreeStore {
 public:
  explicit MemoryStore(FileTree tree) : tree_(std::move(tree)) {}

  std::optional<Found> find(const std::string& path) const override {
    const auto node = tree_.find(path);
    if (node == tree_.end()) return is_above(path) ? std::optional(Found{}) : std::nullopt;
    if (const auto* link = std::get_if<TreeLink>(&node->second)) return Found{Found::Kind::link, link->target};
    return Found{std::holds_alternative<TreeFile>(node->second) ? Found::Kind::file : Found::Kind::folder, ""};
  }
  Expected<std::string> content(const std::string& path) const override { return std::get<TreeFile>(tree_.at(path)).content; }
  Expected<std::vector<std::string>> names(const std::string& path) const override {
    const std::string prefix = path + "/";
    std::set<std::string> names;
    for (auto node = tree_.lower_bound(prefix); node != tree_.end() && node->first.starts_with(prefix); ++node)
      names.insert(node->first.substr(prefix.size(), node->first.find('/', prefix.size()) - prefix.size()));
    return std::vector<std::string>(names.begin(), names.end());
  }

 private:
  /// Whether some entry is below the path.
  bool is_above(const std::string& path) const {
    const auto below = tree_.lower_bound(path + "/");
    return path.empty() || (below != tree_.end() && below->first.starts_with(path + "/"));
  }
  FileTree tree_;
};

class FolderStore final : public TreeStore {
 public:
  explicit FolderStore(std::string root) : root_(std::move(root)) {}

  std::optional<Found> find(const std::string& path) const override {
    struct stat status{};
    if (::lstat((root_ + path).c_str(), &status) != 0) return std::nullopt;
    if (S_ISLNK(status.st_mode)) return Found{Found::Kind::link, target_of(root_ + path)};
    if (S_ISDIR(status.st_mode)) return Found{};
    return S_ISREG(status.st_mode) ? std::optional(Found{Found::Kind::file, ""}) : std::nullopt;
  }
  Expected<std::string> content(const std::string& path) const override { return read_whole_file(root_ + path); }
  Expected<std::vector<std::string>> names(const std::string& path) const override { return names_in(root_ + path); }

 private:
  static std::string target_of(const std::string& path) {
    std::array<char, PATH_MAX> target{};
    const ssize_t size = ::readlink(path.c_str(), target.data(), target.size());
    return size > 0 ? std::string(target.data(), static_cast<std::size_t>(size)) : std::string();
  }
  std::string root_;
};

std::vector<std::string> parts_of(std::string_view path) {
  std::vector<std::string> parts;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    if (end > 0 && path.substr(0, end) != ".") parts.emplace_back(path.substr(0, end));
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return parts;
}

/// Follows every link of a path within the tree; "" is the root. The errno where it leads nowhere.
std::expected<std::string, int> follow(const TreeStore& store, std::string_view path) {
  constexpr int kMostLinks = 40;
  std::vector<std::string> waiting = parts_of(path);
  std::ranges::reverse(waiting);
  std::string place;
  for (int links = 0; !waiting.empty();) {
    const std::string part = waiting.back();
    waiting.pop_back();
    if (part == "..") {
      place.erase(place.empty() ? 0 : place.rfind('/'));  // the root's parent is the root
      continue;
    }
    const std::string next = fmt::format("{}/{}", place, part);
    const auto found = store.find(next);
    if (!found) return std::unexpected(ENOENT);
    if (found->kind != Found::Kind::link) {
      place = next;
      continue;
    }
    if (++links > kMostLinks) return std::unexpected(ELOOP);
    if (found->target.starts_with('/')) place.clear();
    const auto inner = parts_of(found->target);
    waiting.insert(waiting.end(), inner.rbegin(), inner.rend());
  }
  return place;
}

class TreeHost final : public Host {
 public:
  explicit TreeHost(std::unique_ptr<TreeStore> store) : store_(std::move(store)) {}

  Expected<std::string> read_file(const std::string& path) override {
    NETSETTLE_ASSIGN(const std::string place, place_of(path, Found::Kind::file, EISDIR, "cannot be read"));
    auto content = store_->content(place);
    if (!content) content.error().subject = path;
    return content;
  }
  Expected<void> write_file(const std::string& path, std::string_view) override { return check_writable(path); }
  Expected<std::vector<std::string>> list_directory(const std::string& path) override {
    NETSETTLE_ASSIGN(const std::string place, place_of(path, Found::Kind::folder, ENOTDIR, "cannot be listed"));
    return store_->names(place);
  }
  Expected<std::string> real_path(const std::string& path) override {
    const auto place = follow(*store_, path);
    if (!place) return std::unexpected(errno_error(place.error(), path, "cannot be followed"));
    return place->empty() ? "/" : *place;
  }
  Expected<void> check_writable(const std::string& path) override {
    const auto place = follow(*store_, path);
    return std::unexpected(place ? errno_error(EROFS, path, "is in a captured tree")
                                 : errno_error(place.error(), path, "cannot be written"));
  }
  Expected<std::unique_ptr<Process>> start(const ProcessSpec& spec) override {
    if (spec.argv.empty()) return fail(ErrorCode::invalid_input, "", "an empty command");
    return fail(ErrorCode::not_found, spec.argv.front(), "no such program: a captured tree runs none");
  }
  Expected<std::string> exchange_datagram(const std::string&, int, std::string_view, Microseconds) override {
    return fail(ErrorCode::unsupported, "", "a captured tree has no network");
  }
  Clock& clock() override { return clock_; }
  std::string network_namespace() const override { return ""; }

 private:
  Expected<std::string> place_of(const std::string& path, Found::Kind kind, int wrong_kind, std::string_view text) const {
    const auto place = follow(*store_, path);
    if (!place) return std::unexpected(errno_error(place.error(), path, std::string(text)));
    const auto found = place->empty() ? std::optional(Found{}) : store_->find(*place);
    if (!found || found->kind != kind) return std::unexpected(errno_error(found ? wrong_kind : ENOENT, path, std::string(text)));
    return *place;
  }

  std::unique_ptr<TreeStore> store_;
  SystemClock clock_;
};

Expected<std::unique_ptr<TreeStore>> open_store(const std::string& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) return std::unexpected(errno_error(errno, path, "no captured tree"));
  if (S_ISDIR(status.st_mode)) return std::make_unique<FolderStore>(path);
  if (!S_ISREG(status.st_mode)) return fail(ErrorCode::invalid_input, path, "is neither a folder nor an archive");
  NETSETTLE_ASSIGN(FileTree tree, read_tree_archive(path));
  return std::make_unique<MemoryStore>(std::move(tree));
}

}  // namespace

std::unique_ptr<Host> make_tree_host(FileTree tree) { return std::make_unique<TreeHost>(std::make_unique<MemoryStore>(std::move(tree))); }

Expected<std::unique_ptr<Host>> open_tree(const std::string& path) {
  NETSETTLE_ASSIGN(auto store, open_store(path));
  if (!store->find("/proc") && !store->find("/sys"))
    return fail(ErrorCode::invalid_input, path, "has neither proc/ nor sys/: that is no captured tree");
  return std::make_unique<TreeHost>(std::move(store));
}

}  // namespace netsettle::runners
