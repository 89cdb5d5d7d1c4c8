#include "runners/hosts/worker_thread.hpp"

#include "runners/hosts/signal_mask.hpp"

namespace netsettle::runners {

WorkerThread::WorkerThread() {
  const AllSignalsBlocked blocked;
  thread_ = std::jthread([this](const std::stop_token& stop) { loop(stop); });
}

void WorkerThread::post(std::function<void()> work) {
  {
    const std::lock_guard lock(mutex_);
    waiting_.push(std::move(work));
  }
  changed_.notify_one();
}

void WorkerThread::loop(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (changed_.wait(lock, stop, [this] { return !waiting_.empty(); })) {
    const std::function<void()> work = std::move(waiting_.front());
    waiting_.pop();
    lock.unlock();
    work();
    lock.lock();
  }
}

}  // namespace netsettle::runners
