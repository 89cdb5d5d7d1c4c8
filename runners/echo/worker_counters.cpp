#include "runners/echo/worker_counters.hpp"

#include <sys/mman.h>

#include <cerrno>
#include <memory>
#include <utility>

namespace netsettle::runners {

Expected<SharedCounters> SharedCounters::allocate(std::size_t workers) {
  void* memory = mmap(nullptr, workers * sizeof(WorkerCounters), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return std::unexpected(errno_error(errno, "counters", "no shared memory for the workers' counts"));
  auto* counters = static_cast<WorkerCounters*>(memory);
  std::uninitialized_value_construct_n(counters, workers);
  return SharedCounters(counters, workers);
}

SharedCounters::SharedCounters(SharedCounters&& other) noexcept
    : counters_(std::exchange(other.counters_, nullptr)), size_(std::exchange(other.size_, 0)) {}

SharedCounters::~SharedCounters() {
  if (counters_) munmap(counters_, size_ * sizeof(WorkerCounters));
}

}  // namespace netsettle::runners
