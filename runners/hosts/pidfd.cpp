#include "runners/hosts/pidfd.hpp"

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace netsettle::runners {

using std::chrono::milliseconds;

Descriptor open_pidfd(pid_t pid) { return Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))); }

int send_signal(const Descriptor& pidfd, int number) {
  return static_cast<int>(::syscall(SYS_pidfd_send_signal, pidfd.get(), number, nullptr, 0));
}

bool await_readable(const Descriptor& descriptor, std::chrono::microseconds timeout) {
  constexpr milliseconds kLongest = std::chrono::minutes(1);  // poll takes an int
  const auto end = std::chrono::steady_clock::now() + timeout;
  for (;;) {
    const auto left = std::chrono::ceil<milliseconds>(end - std::chrono::steady_clock::now());
    pollfd event{descriptor.get(), POLLIN, 0};
    const int ready = ::poll(&event, 1, static_cast<int>(std::clamp(left, milliseconds(0), kLongest).count()));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
    if (std::chrono::steady_clock::now() >= end) return false;
  }
}

}  // namespace netsettle::runners
