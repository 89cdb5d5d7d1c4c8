#pragma once
// Process descriptors: they keep meaning one process after its number has been given to another one. By system call, because the header of
// glibc 2.36 declares its wrappers without C linkage.

#include <sys/types.h>

#include <chrono>

#include "runners/hosts/descriptor.hpp"

namespace netsettle::runners {

/// Empty (and errno) where there is no such process.
Descriptor open_pidfd(pid_t pid);
/// 0, or -1 and errno.
int send_signal(const Descriptor& pidfd, int number);
/// True once the descriptor can be read (a pidfd: the process has ended) or is closed on the other side; false after `timeout`.
bool await_readable(const Descriptor& descriptor, std::chrono::microseconds timeout);

}  // namespace netsettle::runners
