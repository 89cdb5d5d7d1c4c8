#include "runners/hosts/recording_host.hpp"

#include <filesystem>

#include <fmt/format.h>

namespace netsettle::runners {
namespace {

std::unexpected<Error> only_reads(const std::string& subject) { return fail(ErrorCode::unsupported, subject, "a recording only reads"); }

}  // namespace

Expected<std::string> RecordingHost::read_file(const std::string& path) {
  auto content = host_.read_file(path);
  if (content) tree_[path] = TreeFile{*content};
  return content;
}

Expected<void> RecordingHost::write_file(const std::string& path, std::string_view) { return only_reads(path); }

Expected<std::vector<std::string>> RecordingHost::list_directory(const std::string& path) {
  auto names = host_.list_directory(path);
  if (!names) {
    forget_folder(path);
    return names;
  }
  tree_.emplace(path, TreeFolder{});
  for (const std::string& name : *names)
    if (std::string below = fmt::format("{}/{}", path, name); !no_folders_.contains(below)) tree_.emplace(std::move(below), TreeFolder{});
  return names;
}

Expected<std::string> RecordingHost::real_path(const std::string& path) {
  auto real = host_.real_path(path);
  if (!real) {
    forget_folder(path);
    return real;
  }
  if (*real == path)
    tree_.emplace(path, TreeFolder{});
  else
    tree_[path] = TreeLink{std::filesystem::path(*real).lexically_relative(std::filesystem::path(path).parent_path()).string()};
  tree_.emplace(*real, TreeFolder{});
  return real;
}

void RecordingHost::forget_folder(const std::string& path) {
  no_folders_.insert(path);
  const auto entry = tree_.find(path);
  if (entry != tree_.end() && std::holds_alternative<TreeFolder>(entry->second)) tree_.erase(entry);
}

Expected<std::unique_ptr<Process>> RecordingHost::start(const ProcessSpec& spec) {
  return only_reads(spec.argv.empty() ? "" : spec.argv.front());
}

Expected<std::string> RecordingHost::exchange_datagram(const std::string& address, int, std::string_view, Microseconds) {
  return only_reads(address);
}

}  // namespace netsettle::runners
