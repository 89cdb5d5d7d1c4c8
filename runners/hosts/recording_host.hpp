#pragma once
// Forwards to another host and keeps what was read as a tree, so that the same reading gives the same from the tree. Writes and programs
// are refused: what is recorded must not change the machine.

#include <set>
#include <string>

#include "runners/hosts/file_tree.hpp"
#include "runners/hosts/host.hpp"

namespace netsettle::runners {

class RecordingHost final : public Host {
 public:
  explicit RecordingHost(Host& host) : host_(host) {}

  /// Everything read, listed and followed so far. A listed name that was not looked at is an empty folder.
  const FileTree& tree() const { return tree_; }

  Expected<std::string> read_file(const std::string& path) override;
  Expected<void> write_file(const std::string& path, std::string_view text) override;
  Expected<std::vector<std::string>> list_directory(const std::string& path) override;
  Expected<std::string> real_path(const std::string& path) override;
  Expected<void> check_writable(const std::string& path) override { return host_.check_writable(path); }
  Expected<std::unique_ptr<Process>> start(const ProcessSpec& spec) override;
  Expected<std::string> exchange_datagram(const std::string& address, int port, std::string_view bytes, Microseconds timeout) override;
  Clock& clock() override { return host_.clock(); }
  std::string network_namespace() const override { return host_.network_namespace(); }

 private:
  /// A name that a listing had, and that is no folder.
  void forget_folder(const std::string& path);

  Host& host_;
  FileTree tree_;
  std::set<std::string> no_folders_;
};

}  // namespace netsettle::runners
