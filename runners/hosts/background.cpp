#include "runners/hosts/background.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>

#include <fmt/format.h>

#include "runners/hosts/local_host.hpp"

namespace netsettle::runners {
namespace {

constexpr const char* kMark = "NETSETTLE_DETACHED";

Expected<Background> start_unit(const std::vector<std::string>& argv, const std::string& unit, const std::filesystem::path& log) {
  std::vector<std::string> command = {"systemd-run",
                                      "--collect",
                                      "--unit=" + unit,
                                      fmt::format("--setenv={}=1", kMark),
                                      "--property=StandardOutput=append:" + log.string(),
                                      "--property=StandardError=append:" + log.string(),
                                      "--working-directory=" + std::filesystem::current_path().string()};
  // Over which interface the user is logged in (no link of it is reset): a unit does not inherit it.
  if (const char* login = std::getenv("SSH_CONNECTION")) command.push_back(fmt::format("--setenv=SSH_CONNECTION={}", login));
  command.insert(command.end(), argv.begin(), argv.end());
  const auto host = make_local_host();
  NETSETTLE_TRY(run_checked(*host, command));
  return Background{fmt::format("systemd unit {}", unit), 0};
}

/// Runs in the grandchild: only system calls until exec.
[[noreturn]] void become(char* const* argv, int log) {
  setsid();
  const int nothing = open("/dev/null", O_RDONLY);
  if (nothing < 0 || dup2(nothing, 0) < 0 || dup2(log, 1) < 0 || dup2(log, 2) < 0) _exit(127);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  execv(argv[0], argv);
  _exit(127);
}

Expected<Background> start_session(const std::vector<std::string>& argv, const std::filesystem::path& log) {
  const int file = open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (file < 0) return std::unexpected(errno_error(errno, log.string(), "the log of the detached run cannot be written"));
  std::vector<char*> pointers;
  for (const auto& word : argv) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  setenv(kMark, "1", 1);
  const pid_t child = fork();
  if (child == 0) become(pointers.data(), file);
  const int error = errno;
  unsetenv(kMark);
  close(file);
  if (child < 0) return std::unexpected(errno_error(error, argv.front(), "the detached run cannot be started"));
  return Background{fmt::format("process {}", child), child};
}

bool has_systemd() { return access("/run/systemd/system", F_OK) == 0 && is_root(); }

}  // namespace

Expected<Background> start_in_background(const std::vector<std::string>& argv, const std::string& unit, const std::filesystem::path& log) {
  return has_systemd() ? start_unit(argv, unit, log) : start_session(argv, log);
}

bool is_detached() { return std::getenv(kMark) != nullptr; }

bool is_fragile_terminal() { return std::getenv("SSH_CONNECTION") && isatty(STDIN_FILENO) && !std::getenv("TMUX") && !std::getenv("STY"); }

std::filesystem::path own_program() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error);
}

std::int64_t own_pid() { return getpid(); }

bool is_root() { return geteuid() == 0; }

}  // namespace netsettle::runners
