#include "runners/hosts/spawn.hpp"

#include <fcntl.h>
#include <linux/mempolicy.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "runners/hosts/pidfd.hpp"
#include "runners/hosts/signal_mask.hpp"

namespace netsettle::runners {
namespace {

// Enough for the largest CPU number that parse_cpu_list accepts; the kernel wants at least its own width.
constexpr std::size_t kMaskBytes = 65536 / 8;
using CpuMask = std::array<unsigned char, kMaskBytes>;
// More nodes than any kernel has (CONFIG_NODES_SHIFT is at most 10).
constexpr std::size_t kMostNodes = 1024;
constexpr std::size_t kLongBits = 8 * sizeof(unsigned long);
using NodeMask = std::array<unsigned long, kMostNodes / kLongBits>;

enum class Stage : int { session, parent_gone, affinity, affinity_shrunk, memory, descriptors, exec };

struct ChildFailure {
  Stage stage = Stage::exec;
  int errno_value = 0;
};

/// Everything the child uses, made before fork: after it only async-signal-safe calls are allowed (netsettle has threads).
struct ChildPlan {
  std::string path;
  std::vector<char*> argv;
  std::vector<std::string> environment_texts;
  std::vector<char*> environment;
  std::vector<int> descriptors;  // at index i what becomes descriptor i; all of them are above this range
  int report = -1;               // likewise
  bool set_cpus = false;
  CpuMask mask{};
  MemoryPolicy::Mode memory = MemoryPolicy::Mode::inherited;
  NodeMask nodes{};
  Kinship kinship = Kinship::dies_with_parent;
  pid_t parent = 0;
};

// ---- before fork -------------------------------------------------------------------------------

std::string search_path(const SpawnPlan& plan) {
  if (const auto found = plan.environment.find("PATH"); found != plan.environment.end()) return found->second;
  const char* inherited = std::getenv("PATH");
  return inherited != nullptr ? inherited : "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
}

bool is_program(const std::string& path) {
  struct stat status{};
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

Expected<std::string> find_program(const SpawnPlan& plan) {
  const std::string& name = plan.argv.front();
  if (name.find('/') != std::string::npos) return name;
  const std::string path = search_path(plan);
  std::optional<std::string> not_executable;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find(':', begin), path.size());
    const std::string candidate = (end == begin ? "." : path.substr(begin, end - begin)) + "/" + name;
    if (is_program(candidate) && ::faccessat(AT_FDCWD, candidate.c_str(), X_OK, AT_EACCESS) == 0) return candidate;
    if (is_program(candidate)) not_executable = candidate;
    begin = end + 1;
  }
  if (not_executable) return std::unexpected(errno_error(EACCES, *not_executable, "cannot be executed"));
  return std::unexpected(errno_error(ENOENT, name, "no such program"));
}

std::vector<std::string> merged_environment(const std::map<std::string, std::string>& added) {
  std::vector<std::string> texts;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    if (!added.contains(std::string(text.substr(0, text.find('='))))) texts.emplace_back(text);
  }
  for (const auto& [name, value] : added) texts.push_back(name + "=" + value);
  return texts;
}

CpuMask to_mask(const CpuSet& cpus) {
  CpuMask mask{};
  for (const CpuId cpu : cpus) mask[static_cast<std::size_t>(cpu) / 8] |= static_cast<unsigned char>(1u << (cpu % 8));
  return mask;
}

Expected<NodeMask> node_mask(const MemoryPolicy& memory) {
  NodeMask mask{};
  for (const int node : memory.nodes) {
    if (node < 0 || static_cast<std::size_t>(node) >= kMostNodes)
      return fail(ErrorCode::invalid_input, kMemoryPolicy, fmt::format("there is no node {}", node));
    mask[static_cast<std::size_t>(node) / kLongBits] |= 1ul << (static_cast<std::size_t>(node) % kLongBits);
  }
  return mask;
}

/// Duplicates above the numbers that the child fills, so that no dup2 in the child overwrites what another one still needs.
Expected<Descriptor> lift(int descriptor, int above) {
  const int lifted = ::fcntl(descriptor, F_DUPFD_CLOEXEC, above);
  if (lifted < 0) return std::unexpected(errno_error(errno, "", "a descriptor cannot be duplicated"));
  return Descriptor(lifted);
}

Expected<ChildPlan> prepare(const SpawnPlan& plan) {
  ChildPlan child;
  NETSETTLE_ASSIGN(child.path, find_program(plan));
  for (const auto& word : plan.argv) child.argv.push_back(const_cast<char*>(word.c_str()));
  child.argv.push_back(nullptr);
  child.environment_texts = merged_environment(plan.environment);
  for (auto& text : child.environment_texts) child.environment.push_back(text.data());
  child.environment.push_back(nullptr);
  child.set_cpus = !plan.cpus.empty();
  child.mask = to_mask(plan.cpus);
  child.memory = plan.memory.mode;
  NETSETTLE_ASSIGN(child.nodes, node_mask(plan.memory));
  child.kinship = plan.kinship;
  child.parent = ::getpid();
  return child;
}

// ---- in the child: async-signal-safe calls only ------------------------------------------------

[[noreturn]] void give_up(const ChildPlan& plan, Stage stage, int errno_value) {
  const ChildFailure failure{stage, errno_value};
  [[maybe_unused]] const ssize_t count = ::write(plan.report, &failure, sizeof failure);
  ::_exit(127);
}

void settle_kinship(const ChildPlan& plan) {
  if (plan.kinship == Kinship::own_session) {
    if (::setsid() < 0) give_up(plan, Stage::session, errno);
    return;
  }
  if (::setpgid(0, 0) != 0) give_up(plan, Stage::session, errno);
  if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) give_up(plan, Stage::session, errno);
  // A parent that died before the line above sends no signal any more.
  if (::getppid() != plan.parent) give_up(plan, Stage::parent_gone, ESRCH);
}

void settle_cpus(const ChildPlan& plan) {
  if (!plan.set_cpus) return;
  const auto* mask = reinterpret_cast<const cpu_set_t*>(plan.mask.data());
  if (::sched_setaffinity(0, plan.mask.size(), mask) != 0) give_up(plan, Stage::affinity, errno);
  CpuMask granted{};
  if (::sched_getaffinity(0, granted.size(), reinterpret_cast<cpu_set_t*>(granted.data())) != 0) give_up(plan, Stage::affinity, errno);
  // The kernel silently drops CPUs that are off line or outside the cpuset.
  if (std::memcmp(granted.data(), plan.mask.data(), granted.size()) != 0) give_up(plan, Stage::affinity_shrunk, 0);
}

int kernel_mode(MemoryPolicy::Mode mode) {
  switch (mode) {
    case MemoryPolicy::Mode::local:
      return MPOL_LOCAL;
    case MemoryPolicy::Mode::bind:
      return MPOL_BIND;
    case MemoryPolicy::Mode::interleave:
      return MPOL_INTERLEAVE;
    case MemoryPolicy::Mode::standard:
    case MemoryPolicy::Mode::inherited:
      break;
  }
  return MPOL_DEFAULT;
}

/// By the system call: the C library has no function for it, and exec keeps the policy.
void settle_memory(const ChildPlan& plan) {
  if (plan.memory == MemoryPolicy::Mode::inherited) return;
  const bool has_nodes = plan.memory == MemoryPolicy::Mode::bind || plan.memory == MemoryPolicy::Mode::interleave;
  // The kernel takes one bit less than it is told.
  const long status =
      ::syscall(SYS_set_mempolicy, kernel_mode(plan.memory), has_nodes ? plan.nodes.data() : nullptr, has_nodes ? kMostNodes + 1 : 0);
  if (status != 0) give_up(plan, Stage::memory, errno);
}

void settle_descriptors(ChildPlan& plan) {
  const int count = static_cast<int>(plan.descriptors.size());
  for (int number = 0; number < count; ++number)
    if (::dup2(plan.descriptors[static_cast<std::size_t>(number)], number) < 0) give_up(plan, Stage::descriptors, errno);
  if (::dup3(plan.report, count, O_CLOEXEC) < 0) give_up(plan, Stage::descriptors, errno);
  plan.report = count;
  if (::close_range(static_cast<unsigned>(count) + 1, ~0u, 0) != 0) give_up(plan, Stage::descriptors, errno);
}

void default_signals() {
  struct sigaction action{};
  action.sa_handler = SIG_DFL;
  for (int number = 1; number < NSIG; ++number) ::sigaction(number, &action, nullptr);  // fails for SIGKILL and SIGSTOP: they are
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

[[noreturn]] void become(ChildPlan& plan) {
  settle_kinship(plan);
  settle_cpus(plan);
  settle_memory(plan);
  settle_descriptors(plan);
  default_signals();
  ::execve(plan.path.c_str(), plan.argv.data(), plan.environment.data());
  give_up(plan, Stage::exec, errno);
}

// ---- in the parent -----------------------------------------------------------------------------

std::string why_no_policy(int errno_value) {
  if (errno_value == EPERM) return "the memory policy cannot be set: a container's filter of system calls may forbid it";
  if (errno_value == ENOSYS) return "the memory policy cannot be set: this kernel has no NUMA";
  return "the memory policy cannot be set";
}

Error describe(const SpawnPlan& plan, const ChildFailure& failure) {
  const std::string& name = plan.argv.front();
  switch (failure.stage) {
    case Stage::affinity:
      return errno_error(failure.errno_value, name, fmt::format("cannot run on the CPUs {}", to_cpu_list(plan.cpus)));
    case Stage::affinity_shrunk:
      return Error{ErrorCode::unsupported, name, fmt::format("not all of the CPUs {} can be used here", to_cpu_list(plan.cpus)), 0};
    case Stage::memory:
      return errno_error(failure.errno_value, kMemoryPolicy, why_no_policy(failure.errno_value));
    case Stage::exec:
      return errno_error(failure.errno_value, name, failure.errno_value == ENOENT ? "no such program" : "cannot be executed");
    case Stage::parent_gone:
    case Stage::session:
    case Stage::descriptors:
      break;
  }
  return errno_error(failure.errno_value, name, "its process cannot be set up");
}

void reap(pid_t pid) {
  while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
}

/// Waits until exec closed the pipe, or the child said why not.
Expected<void> await_exec(const SpawnPlan& plan, const Descriptor& report) {
  ChildFailure failure;
  ssize_t count = 0;
  do count = ::read(report.get(), &failure, sizeof failure);
  while (count < 0 && errno == EINTR);
  if (count == sizeof failure) return std::unexpected(describe(plan, failure));
  return {};
}

/// Duplicates of what the child gets, and the pipe on which it reports; they live until exec is known.
struct Lifted {
  std::vector<Descriptor> given;
  Descriptor report_read, report_write;
};

Expected<Lifted> lift_descriptors(const SpawnPlan& plan, ChildPlan& child) {
  Lifted lifted;
  std::vector<int> numbers(std::begin(plan.standard), std::end(plan.standard));
  numbers.insert(numbers.end(), plan.inherited.begin(), plan.inherited.end());
  const int above = static_cast<int>(numbers.size()) + 1;
  for (const int number : numbers) {
    NETSETTLE_ASSIGN(Descriptor copy, lift(number, above));
    child.descriptors.push_back(copy.get());
    lifted.given.push_back(std::move(copy));
  }
  int ends[2] = {-1, -1};
  if (::pipe2(ends, O_CLOEXEC) != 0) return std::unexpected(errno_error(errno, plan.argv.front(), "no pipe"));
  lifted.report_read.reset(ends[0]);
  const Descriptor write_end(ends[1]);
  NETSETTLE_ASSIGN(lifted.report_write, lift(write_end.get(), above));
  child.report = lifted.report_write.get();
  return lifted;
}

pid_t fork_child(ChildPlan& child) {
  const AllSignalsBlocked blocked;
  const pid_t pid = ::fork();
  if (pid == 0) become(child);
  return pid;
}

}  // namespace

Expected<Spawned> spawn(const SpawnPlan& plan) {
  if (plan.argv.empty()) return fail(ErrorCode::invalid_input, "", "an empty command");
  NETSETTLE_ASSIGN(ChildPlan child, prepare(plan));
  NETSETTLE_ASSIGN(Lifted lifted, lift_descriptors(plan, child));
  const pid_t pid = fork_child(child);
  if (pid < 0) return std::unexpected(errno_error(errno, plan.argv.front(), "no new process"));
  lifted.report_write.reset();
  Descriptor pidfd = open_pidfd(pid);
  const int pidfd_error = errno;
  const auto running = await_exec(plan, lifted.report_read);
  if (pidfd && running) return Spawned{pid, std::move(pidfd)};
  ::kill(pid, SIGKILL);
  reap(pid);
  if (!running) return std::unexpected(running.error());
  return std::unexpected(errno_error(pidfd_error, plan.argv.front(), "its process cannot be watched"));
}

}  // namespace netsettle::runners
