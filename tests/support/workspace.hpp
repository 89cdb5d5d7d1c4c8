#pragma once
// A folder of its own for one test of the real programs: experiment files, the record, lock and undo journal.

#include <csignal>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "runners/hosts/local_host.hpp"
#include "tests/support/temporary_folder.hpp"

namespace netsettle::tests {

class Workspace {
 public:
  Workspace();

  std::filesystem::path path(const std::string& name) const { return folder_.path() / name; }
  void write(const std::string& name, const std::string& text) const;
  std::string read(const std::string& name) const;

  /// Runs `netsettle ARGUMENTS` to its end (at most two minutes).
  runners::Finished netsettle(const std::vector<std::string>& arguments);
  /// Starts it and goes on.
  std::unique_ptr<runners::Process> start(const std::vector<std::string>& arguments);
  runners::Finished program(const std::vector<std::string>& argv, std::chrono::seconds timeout = std::chrono::seconds(120));

  /// Environment for the programs, beside lock and journal folders.
  std::map<std::string, std::string> environment;

  runners::Host& host() { return *host_; }

 private:
  runners::ProcessSpec spec(const std::vector<std::string>& argv) const;

  TemporaryFolder folder_;
  std::unique_ptr<runners::Host> host_;
};

/// Every value below /proc/sys/net and every receive packet steering mask, by path: the machine as tests must find it again.
std::map<std::string, std::string> network_state();

/// Names of the network namespaces of netsettle below /run/netns.
std::vector<std::string> netsettle_namespaces();

/// Tests `condition` every 10 ms until it holds; false after `timeout`.
template <typename Condition>
bool eventually(Condition condition, std::chrono::milliseconds timeout) {
  runners::SystemClock clock;
  for (const auto end = clock.monotonic() + timeout; clock.monotonic() < end; clock.sleep(std::chrono::milliseconds(10)))
    if (condition()) return true;
  return condition();
}

}  // namespace netsettle::tests
