#pragma once
// One netsettle at a time on a machine: a flock that netsettle and its guard hold together, and a file that says who they are.

#include "runners/hosts/descriptor.hpp"
#include "runners/settings/guard.hpp"

namespace netsettle::runners {

class MachineLock {
 public:
  /// Takes the lock. Waits, at most 10 s, where its holder has died and the holder's guard is restoring. busy names the holder.
  static Expected<MachineLock> take(const GuardPaths& paths);

  /// Writes lock_info (mode 0644). The lock is the truth, this is for people.
  Expected<void> introduce(const std::string& study, const std::string& database) const;

  /// For the guard to inherit: the lock is free only when both have closed it.
  int descriptor() const { return file_.get(); }

  MachineLock(MachineLock&&) = default;
  MachineLock& operator=(MachineLock&&) = delete;
  /// Removes lock_info and closes.
  ~MachineLock();

 private:
  MachineLock(Descriptor file, GuardPaths paths) : file_(std::move(file)), paths_(std::move(paths)) {}

  Descriptor file_;
  GuardPaths paths_;
};

}  // namespace netsettle::runners
