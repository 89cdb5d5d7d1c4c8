#pragma once
// netsettle's side of netsettle-guard: starting it, talking to it, seeing that it lives. The other side is guard_main.cpp.

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "runners/hosts/spawn.hpp"
#include "runners/settings/lock.hpp"

namespace netsettle::runners {

class GuardProcess {
 public:
  /// Starts the program in a session of its own, with the lock's descriptor, and waits (5 s) until it says that it watches.
  static Expected<GuardProcess> start(const std::filesystem::path& program, const GuardPaths& paths, const MachineLock& lock);

  GuardProcess(GuardProcess&&) = default;
  GuardProcess& operator=(GuardProcess&&) = delete;
  /// Closes the connection; without an earlier dismiss() the guard then restores.
  ~GuardProcess();

  Expected<void> watch_child(std::int64_t pid);
  /// "done": it ends without restoring. Waits for its end.
  void dismiss();
  bool alive() const;

 private:
  GuardProcess(Spawned process, Descriptor connection) : process_(std::move(process)), connection_(std::move(connection)) {}
  Expected<void> say(std::string_view line);
  Expected<void> await_ready() const;
  void reap();

  Spawned process_;
  Descriptor connection_;  // a stream socket: unlike a pipe it can be written without SIGPIPE
};

// The words of the connection, one a line.
inline constexpr std::string_view kReady = "ready";
inline constexpr std::string_view kDone = "done";
inline constexpr std::string_view kChild = "child ";  // and a pid

}  // namespace netsettle::runners
