#include "runners/echo/pinning.hpp"

#include <cerrno>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <new>
#include <string>

#include <fmt/format.h>

namespace netsettle::runners {
namespace {

Expected<CpuSet> allowed_cpus_of_task(const std::filesystem::path& status) {
  constexpr std::string_view kKey = "Cpus_allowed_list:";
  std::ifstream file(status);
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(kKey)) return parse_cpu_list(std::string_view(line).substr(kKey.size()));
  return fail(ErrorCode::not_found, status.string(), "has no Cpus_allowed_list");
}

}  // namespace

CpuMask::CpuMask(CpuId cpu) : size_(CPU_ALLOC_SIZE(cpu + 1)), mask_(CPU_ALLOC(cpu + 1)) {
  if (!mask_) throw std::bad_alloc();
  CPU_ZERO_S(size_, mask_.get());
  CPU_SET_S(static_cast<std::size_t>(cpu), size_, mask_.get());
}

Expected<void> pin_this_thread(CpuId cpu) {
  const CpuMask mask(cpu);
  if (sched_setaffinity(0, mask.size(), mask.get()) != 0)
    return std::unexpected(errno_error(errno, fmt::format("CPU {}", cpu), "cannot run there"));
  return {};
}

Expected<std::map<pid_t, CpuSet>> masks_of_tasks(pid_t process) {
  const std::string tasks = fmt::format("/proc/{}/task", process);
  std::map<pid_t, CpuSet> masks;
  std::error_code error;
  for (std::filesystem::directory_iterator task(tasks, error), end; !error && task != end; task.increment(error)) {
    const std::string name = task->path().filename();
    pid_t id = 0;
    if (std::from_chars(name.data(), name.data() + name.size(), id).ec != std::errc()) continue;
    auto mask = allowed_cpus_of_task(task->path() / "status");
    if (mask) masks.emplace(id, std::move(*mask));  // a thread of the kernel may end meanwhile
  }
  if (error) return std::unexpected(errno_error(error.value(), tasks, "cannot be read"));
  return masks;
}

}  // namespace netsettle::runners
