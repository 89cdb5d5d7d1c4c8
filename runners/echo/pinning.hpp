#pragma once
// Binding a thread to one CPU, and proof that it holds.

#include <sched.h>
#include <sys/types.h>

#include <map>
#include <memory>

#include "datasets/model/cpu_set.hpp"

namespace netsettle::runners {

/// A kernel CPU mask with one CPU in it; as large as needed (a plain cpu_set_t ends at CPU 1023).
class CpuMask {
 public:
  explicit CpuMask(CpuId cpu);
  std::size_t size() const { return size_; }
  const cpu_set_t* get() const { return mask_.get(); }

 private:
  struct Free {
    void operator()(cpu_set_t* mask) const { CPU_FREE(mask); }
  };
  std::size_t size_;
  std::unique_ptr<cpu_set_t, Free> mask_;
};

/// Binds the calling thread to `cpu`. To be called before anything else runs in it: later threads inherit the mask.
/// refused where the CPU does not exist, is offline or is not allowed.
Expected<void> pin_this_thread(CpuId cpu);

/// Where each task of a process may run, read back from /proc/PID/task/*/status. Threads that the kernel runs for it (io_uring) are among
/// them. io, not_found.
Expected<std::map<pid_t, CpuSet>> masks_of_tasks(pid_t process);

}  // namespace netsettle::runners
