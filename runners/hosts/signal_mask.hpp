#pragma once
// Blocks all signals of the calling thread for a scope: so that a new thread inherits the full mask, and so that no handler of
// netsettle's runs in a child between fork and exec.

#include <csignal>

namespace netsettle::runners {

class AllSignalsBlocked {
 public:
  AllSignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~AllSignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  AllSignalsBlocked(const AllSignalsBlocked&) = delete;
  AllSignalsBlocked& operator=(const AllSignalsBlocked&) = delete;

 private:
  sigset_t before_{};
};

}  // namespace netsettle::runners
