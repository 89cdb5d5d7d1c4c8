#include "runners/hosts/signal_watcher.hpp"

#include <csignal>
#include <ctime>

namespace netsettle::runners {
namespace {

sigset_t watched_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGUSR1}) sigaddset(&set, number);
  return set;
}

}  // namespace

SignalWatcher::SignalWatcher(StopFlag& stop, StopFlag& after_trial, Hangup hangup) : hangup_(hangup) {
  const sigset_t set = watched_signals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  // A broken pipe (a pager that was left) must not end the run without a restore.
  std::signal(SIGPIPE, SIG_IGN);
  thread_ = std::thread([this, &stop, &after_trial] { watch(stop, after_trial); });
}

SignalWatcher::~SignalWatcher() {
  done_ = true;
  thread_.join();
}

void SignalWatcher::watch(StopFlag& stop, StopFlag& after_trial) {
  const sigset_t set = watched_signals();
  while (!done_) {
    const timespec patience{.tv_sec = 0, .tv_nsec = 50'000'000};
    const int number = sigtimedwait(&set, nullptr, &patience);
    if (number <= 0 || (number == SIGHUP && hangup_ == Hangup::ignored)) continue;
    int none = 0;
    (number == SIGUSR1 ? after_trial : stop).compare_exchange_strong(none, number);
  }
}

}  // namespace netsettle::runners
