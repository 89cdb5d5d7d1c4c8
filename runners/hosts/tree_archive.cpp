#include "runners/hosts/tree_archive.hpp"

#include <archive.h>
#include <archive_entry.h>

#include <memory>
#include <optional>

#include <fmt/format.h>

#include "runners/hosts/files.hpp"

namespace netsettle::runners {
namespace {

using Reader = std::unique_ptr<archive, decltype(&archive_read_free)>;
using Writer = std::unique_ptr<archive, decltype(&archive_write_free)>;
using Entry = std::unique_ptr<archive_entry, decltype(&archive_entry_free)>;

std::string text_of(const char* text) { return text == nullptr ? std::string() : std::string(text); }

std::unexpected<Error> refused(const std::string& name, std::string text) { return fail(ErrorCode::invalid_input, name, std::move(text)); }

/// "./proc/net/" → "/proc/net"; nullopt for a path that leads out of the tree.
std::optional<std::string> inner_path(std::string_view path) {
  std::string inner;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    const std::string_view part = path.substr(0, end);
    path.remove_prefix(std::min(end + 1, path.size()));
    if (part.empty() || part == ".") continue;
    if (part == "..") return std::nullopt;
    inner.append("/").append(part);
  }
  return inner;
}

class TreeReader {
 public:
  TreeReader(archive* source, const std::string& name) : source_(source), name_(name) {}

  Expected<FileTree> read() {
    archive_entry* entry = nullptr;
    for (int status = archive_read_next_header(source_, &entry); status != ARCHIVE_EOF;
         status = archive_read_next_header(source_, &entry)) {
      if (status < ARCHIVE_WARN) return refused(name_, fmt::format("is no readable archive ({})", text_of(archive_error_string(source_))));
      if (++entries_ > kMostTreeEntries) return refused(name_, fmt::format("has more than {} entries", kMostTreeEntries));
      NETSETTLE_TRY(take(entry));
    }
    return std::move(tree_);
  }

 private:
  Expected<void> take(archive_entry* entry) {
    const std::string raw = text_of(archive_entry_pathname(entry));
    const auto path = inner_path(raw);
    if (!path) return refused(name_, fmt::format("has the entry '{}', which leads out of the tree", raw));
    if (path->empty()) return {};
    if (const char* first = archive_entry_hardlink(entry)) return take_copy(*path, first);
    switch (archive_entry_filetype(entry)) {
      case AE_IFDIR:
        tree_.emplace(*path, TreeFolder{});
        return {};
      case AE_IFLNK:
        tree_[*path] = TreeLink{text_of(archive_entry_symlink(entry))};
        return {};
      case AE_IFREG:
        return take_file(*path);
      default:  // devices, pipes, sockets
        return {};
    }
  }

  Expected<void> take_copy(const std::string& path, const char* first) {
    const auto original = tree_.find(inner_path(first).value_or(""));
    if (original == tree_.end()) return refused(name_, fmt::format("links '{}' to what is not there", path));
    if (const auto* file = std::get_if<TreeFile>(&original->second)) NETSETTLE_TRY(count(file->content.size()));
    tree_[path] = original->second;
    return {};
  }

  Expected<void> take_file(const std::string& path) {
    std::string content;
    char block[16384];
    for (;;) {
      const la_ssize_t size = archive_read_data(source_, block, sizeof block);
      if (size < 0) return refused(name_, fmt::format("breaks off in '{}'", path));
      if (size == 0) break;
      NETSETTLE_TRY(count(static_cast<std::size_t>(size)));
      content.append(block, static_cast<std::size_t>(size));
      if (content.size() > kMaxFileSize) return refused(name_, fmt::format("has '{}' with more than 16 MiB", path));
    }
    tree_[path] = TreeFile{std::move(content)};
    return {};
  }

  Expected<void> count(std::size_t bytes) {
    bytes_ += bytes;
    if (bytes_ > kMostTreeBytes) return refused(name_, fmt::format("holds more than {} MiB", kMostTreeBytes >> 20));
    return {};
  }

  archive* source_;
  const std::string& name_;
  FileTree tree_;
  std::size_t entries_ = 0, bytes_ = 0;
};

la_ssize_t append_to_string(archive*, void* target, const void* bytes, size_t size) {
  static_cast<std::string*>(target)->append(static_cast<const char*>(bytes), size);
  return static_cast<la_ssize_t>(size);
}

void describe(archive_entry* entry, const std::string& path, const TreeNode& node) {
  archive_entry_set_pathname(entry, path.substr(1).c_str());
  if (const auto* file = std::get_if<TreeFile>(&node)) {
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_size(entry, static_cast<la_int64_t>(file->content.size()));
  } else if (const auto* link = std::get_if<TreeLink>(&node)) {
    archive_entry_set_filetype(entry, AE_IFLNK);
    archive_entry_set_perm(entry, 0777);
    archive_entry_set_symlink(entry, link->target.c_str());
  } else {
    archive_entry_set_filetype(entry, AE_IFDIR);
    archive_entry_set_perm(entry, 0755);
  }
}

std::unexpected<Error> not_made(archive* target) {
  return fail(ErrorCode::io, "archive", fmt::format("cannot be made ({})", text_of(archive_error_string(target))));
}

}  // namespace

Expected<FileTree> parse_tree_archive(std::string_view bytes, const std::string& name) {
  const Reader source(archive_read_new(), archive_read_free);
  if (!source) return fail(ErrorCode::io, name, "no memory for an archive reader");
  // In-process filters only: libarchive may start programs for the rarer ones.
  archive_read_support_filter_gzip(source.get());
  archive_read_support_filter_zstd(source.get());
  archive_read_support_filter_xz(source.get());
  archive_read_support_format_tar(source.get());
  if (archive_read_open_memory(source.get(), bytes.data(), bytes.size()) != ARCHIVE_OK)
    return refused(name, fmt::format("is no tar archive ({})", text_of(archive_error_string(source.get()))));
  return TreeReader(source.get(), name).read();
}

Expected<FileTree> read_tree_archive(const std::string& path) {
  NETSETTLE_ASSIGN(const std::string bytes, read_whole_file(path));
  return parse_tree_archive(bytes, path);
}

Expected<std::string> make_tree_archive(const FileTree& tree) {
  std::string bytes;
  const Writer target(archive_write_new(), archive_write_free);
  const Entry entry(archive_entry_new(), archive_entry_free);
  if (!target || !entry) return fail(ErrorCode::io, "archive", "no memory");
  archive_write_set_format_pax_restricted(target.get());
  archive_write_set_bytes_in_last_block(target.get(), 1);  // no zeros behind the last compressed byte
  if (archive_write_add_filter_zstd(target.get()) != ARCHIVE_OK) return not_made(target.get());
  if (archive_write_open(target.get(), &bytes, nullptr, append_to_string, nullptr) != ARCHIVE_OK) return not_made(target.get());
  for (const auto& [path, node] : tree) {
    archive_entry_clear(entry.get());
    describe(entry.get(), path, node);
    if (archive_write_header(target.get(), entry.get()) < ARCHIVE_WARN) return not_made(target.get());
    if (const auto* file = std::get_if<TreeFile>(&node); file && !file->content.empty())
      if (archive_write_data(target.get(), file->content.data(), file->content.size()) < 0) return not_made(target.get());
  }
  if (archive_write_close(target.get()) != ARCHIVE_OK) return not_made(target.get());
  return bytes;
}

}  // namespace netsettle::runners
