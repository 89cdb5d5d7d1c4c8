#include <sys/epoll.h>

#include "runners/echo/exchange.hpp"
#include "runners/hosts/descriptor.hpp"

namespace netsettle::runners {

Expected<Serve> prepare_epoll(const ServeTask& task) {
  Descriptor epoll(epoll_create1(EPOLL_CLOEXEC));
  if (!epoll) return std::unexpected(errno_error(errno, "epoll", "not available here: epoll_create1"));
  epoll_event readable{.events = EPOLLIN | EPOLLEXCLUSIVE, .data = {}};
  if (epoll_ctl(epoll.get(), EPOLL_CTL_ADD, task.socket, &readable) != 0)
    return std::unexpected(errno_error(errno, "epoll", "not available here: the socket cannot be watched"));
  return [epoll = std::move(epoll), exchange = SingleExchange(task)]() mutable {
    while (!exchange.stopped()) {
      epoll_event event;
      if (epoll_wait(epoll.get(), &event, 1, -1) > 0) exchange.exchange_batch();
    }
  };
}

}  // namespace netsettle::runners
