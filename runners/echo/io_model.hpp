#pragma once
// The ways in which a worker can wait for datagrams and answer them. A new one is a file io_<name>.cpp and a line in io_models.cpp.

#include <atomic>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "datasets/model/cpu_set.hpp"
#include "runners/echo/worker_counters.hpp"

namespace netsettle::runners {

/// True once the worker has been told to end. Set by a signal handler; the signal also interrupts a blocked system call, and it is sent
/// again until the worker has ended, so that none is lost between a look at the flag and the call.
using StopRequest = std::atomic<bool>;
static_assert(StopRequest::is_always_lock_free);

/// What one worker thread serves.
struct ServeTask {
  int socket = -1;           // blocking, not connected
  int batch = 1;             // most datagrams of one call or one wake-up
  std::optional<CpuId> cpu;  // where the thread is pinned, for kernel threads that a model brings along
  int stop_event = -1;       // readable from the stop request on, for libraries that do not return when a signal comes
  WorkerCounters& counters;
  const StopRequest& stop;
};

/// Answers queries until the stop request; what was read before is still answered or counted as an error. Never fails: errors are
/// counted.
using Serve = std::move_only_function<void()>;

struct IoModel {
  std::string_view name;  // as in server.io_model
  /// Called in the thread that will serve, after it was pinned. unsupported ("not available here: …") where the machine cannot do it.
  Expected<Serve> (*prepare)(const ServeTask& task);
};

/// The explicit list, in the order in which help texts show it.
std::span<const IoModel> io_models();
/// nullptr for an unknown name.
const IoModel* find_io_model(std::string_view name);
/// "blocking, epoll": the names for messages.
std::string io_model_names();

/// One recvfrom and one sendto for each datagram, both blocking.
Expected<Serve> prepare_blocking(const ServeTask& task);
/// recvfrom without waiting, again and again: the CPU is always busy.
Expected<Serve> prepare_nonblocking(const ServeTask& task);
/// poll(), then up to `batch` datagrams. Of workers that share a socket all wake up; so with select.
Expected<Serve> prepare_poll(const ServeTask& task);
Expected<Serve> prepare_select(const ServeTask& task);
/// epoll_wait(), then up to `batch` datagrams. Of workers that share a socket one wakes up.
Expected<Serve> prepare_epoll(const ServeTask& task);
/// The event loop of libevent with its default method.
Expected<Serve> prepare_libevent(const ServeTask& task);
/// recvmmsg() and sendmmsg() of up to `batch` datagrams.
Expected<Serve> prepare_recvmmsg(const ServeTask& task);
/// Multishot receive into provided buffers; answers are submitted together.
Expected<Serve> prepare_io_uring(const ServeTask& task);

}  // namespace netsettle::runners
