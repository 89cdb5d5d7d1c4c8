#include "runners/echo/pinning.hpp"

#include <sched.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include <fmt/format.h>

namespace netsettle::runners {
namespace {

struct FreeCpuMask {
  void operator()(cpu_set_t* mask) const { CPU_FREE(mask); }
};

Expected<CpuSet> allowed_cpus_of_task(const std::filesystem::path& status) {
  constexpr std::string_view kKey = "Cpus_allowed_list:";
  std::ifstream file(status);
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(kKey)) return parse_cpu_list(std::string_view(line).substr(kKey.size()));
  return fail(ErrorCode::io, status.string(), "has no Cpus_allowed_list");
}

}  // namespace

Expected<void> pin_this_process(CpuId cpu) {
  const std::string subject = fmt::format("CPU {}", cpu);
  // Sized by hand: a cpu_set_t ends at CPU 1023.
  const std::unique_ptr<cpu_set_t, FreeCpuMask> mask(CPU_ALLOC(cpu + 1));
  const std::size_t size = CPU_ALLOC_SIZE(cpu + 1);
  if (!mask) return std::unexpected(errno_error(ENOMEM, subject, "no memory for a CPU mask"));
  CPU_ZERO_S(size, mask.get());
  CPU_SET_S(static_cast<std::size_t>(cpu), size, mask.get());
  if (sched_setaffinity(0, size, mask.get()) != 0) return std::unexpected(errno_error(errno, subject, "cannot run there"));
  return {};
}

Expected<CpuSet> allowed_cpus_of(pid_t process) {
  const std::string tasks = fmt::format("/proc/{}/task", process);
  CpuSet allowed;
  std::error_code error;
  for (std::filesystem::directory_iterator task(tasks, error), end; !error && task != end; task.increment(error)) {
    NETSETTLE_ASSIGN(const CpuSet cpus, allowed_cpus_of_task(task->path() / "status"));
    allowed.insert(cpus.begin(), cpus.end());
  }
  if (error) return std::unexpected(errno_error(error.value(), tasks, "cannot be read"));
  return allowed;
}

Expected<CpuSet> pin_and_verify(std::optional<CpuId> cpu) {
  if (cpu) NETSETTLE_TRY(pin_this_process(*cpu));
  NETSETTLE_ASSIGN(CpuSet allowed, allowed_cpus_of(getpid()));
  if (cpu && allowed != CpuSet{*cpu})
    return fail(ErrorCode::mismatch, fmt::format("CPU {}", *cpu), "was asked for, but the process may run on " + to_cpu_list(allowed));
  return allowed;
}

}  // namespace netsettle::runners
