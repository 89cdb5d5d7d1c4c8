#pragma once
// The ways in which a worker can wait for datagrams and answer them. A new one is a file io_<name>.cpp and a line in io_models.cpp.

#include <atomic>
#include <span>
#include <string_view>

#include "runners/echo/worker_counters.hpp"

namespace netsettle::runners {

/// True once the worker has been told to end. Set by a signal handler, which also interrupts a blocked system call.
using StopRequest = std::atomic<bool>;
static_assert(StopRequest::is_always_lock_free);

/// Answers queries on `socket` until `stop`; the datagram at hand is finished first. Never fails: errors are counted.
using WorkerLoop = void (*)(int socket, WorkerCounters& counters, const StopRequest& stop);

struct IoModel {
  std::string_view name;  // as in server.io_model
  WorkerLoop loop;
};

/// The explicit list, in the order in which help texts show it.
std::span<const IoModel> io_models();
/// nullptr for an unknown name.
const IoModel* find_io_model(std::string_view name);
/// "blocking, epoll": the names for messages.
std::string io_model_names();

/// One recvfrom and one sendto for each datagram, both blocking.
void serve_blocking(int socket, WorkerCounters& counters, const StopRequest& stop);

}  // namespace netsettle::runners
