#pragma once
// Turns signals into flags without a handler: the signals are blocked in every thread and a thread of the watcher waits for them.

#include <atomic>
#include <thread>

#include "runners/hosts/clock.hpp"

namespace netsettle::runners {

/// SIGINT, SIGTERM and SIGHUP set `stop` to the signal's number (the first one stays; a second ctrl-C does not shorten a restore), SIGUSR1
/// sets `after_trial`. Make it before any other thread, so that all inherit the blocked mask. The flags must outlive it.
class SignalWatcher {
 public:
  enum class Hangup { stops, ignored };  // ignored: a detached run
  SignalWatcher(StopFlag& stop, StopFlag& after_trial, Hangup hangup);
  ~SignalWatcher();
  SignalWatcher(const SignalWatcher&) = delete;
  SignalWatcher& operator=(const SignalWatcher&) = delete;

 private:
  void watch(StopFlag& stop, StopFlag& after_trial);

  Hangup hangup_;
  std::atomic<bool> done_ = false;
  std::thread thread_;
};

}  // namespace netsettle::runners
