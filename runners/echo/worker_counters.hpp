#pragma once
// What the workers count, in memory that parent and workers share: the counts of a worker that crashed are still there.

#include <sys/types.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "datasets/model/error.hpp"

namespace netsettle::runners {

/// Written by one worker, read by the parent. A cache line of its own, so that workers do not slow each other down.
struct alignas(64) WorkerCounters {
  std::atomic<std::uint64_t> received{0};     // datagrams read
  std::atomic<std::uint64_t> answered{0};     // answers that the kernel took
  std::atomic<std::uint64_t> malformed{0};    // shorter than a DNS header
  std::atomic<std::uint64_t> not_queries{0};  // response bit set, or sent from port 0: nothing to answer to
  std::atomic<std::uint64_t> errors{0};       // calls that failed, reading or sending
  std::atomic<pid_t> thread_id{0};            // of the worker; 0 until it runs
};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free && sizeof(WorkerCounters) == 64);

/// There is a single writer, so a plain addition does; a locked one would cost more than the rest of the loop.
inline void count_many(std::atomic<std::uint64_t>& counter, std::uint64_t count) {
  counter.store(counter.load(std::memory_order_relaxed) + count, std::memory_order_relaxed);
}
inline void count_one(std::atomic<std::uint64_t>& counter) { count_many(counter, 1); }

/// An anonymous mapping that children of fork() share. Move-only; unmapped at the end (in each process for itself).
class SharedCounters {
 public:
  /// errno_error where the memory cannot be had.
  static Expected<SharedCounters> allocate(std::size_t workers);
  SharedCounters(SharedCounters&& other) noexcept;
  SharedCounters& operator=(SharedCounters&&) = delete;
  ~SharedCounters();

  std::size_t size() const { return size_; }
  WorkerCounters& operator[](std::size_t worker) { return counters_[worker]; }
  const WorkerCounters& operator[](std::size_t worker) const { return counters_[worker]; }

 private:
  SharedCounters(WorkerCounters* counters, std::size_t size) : counters_(counters), size_(size) {}

  WorkerCounters* counters_;
  std::size_t size_;
};

}  // namespace netsettle::runners
