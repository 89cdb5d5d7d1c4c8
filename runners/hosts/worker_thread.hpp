#pragma once
// A thread that runs closures one after another, for work that depends on which thread does it: a network namespace is entered by a
// thread, and the parent-death signal of a child follows the thread that forked it.

#include <condition_variable>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <queue>
#include <stop_token>
#include <thread>
#include <type_traits>

namespace netsettle::runners {

class WorkerThread {
 public:
  WorkerThread();

  /// Runs the closure on the thread and returns its result. Callable from any thread but the worker itself.
  template <typename Work>
  std::invoke_result_t<Work> run(Work work) {
    std::packaged_task<std::invoke_result_t<Work>()> task(std::move(work));
    auto result = task.get_future();
    post([&task] { task(); });
    return result.get();
  }

 private:
  void post(std::function<void()> work);
  void loop(const std::stop_token& stop);

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::queue<std::function<void()>> waiting_;
  std::jthread thread_;  // last: it ends before what it uses
};

}  // namespace netsettle::runners
