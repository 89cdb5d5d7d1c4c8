#include <poll.h>

#include "runners/echo/exchange.hpp"

namespace netsettle::runners {

Expected<Serve> prepare_poll(const ServeTask& task) {
  return [socket = task.socket, exchange = SingleExchange(task)]() mutable {
    while (!exchange.stopped()) {
      pollfd descriptor{.fd = socket, .events = POLLIN, .revents = 0};
      if (poll(&descriptor, 1, -1) > 0) exchange.exchange_batch();
    }
  };
}

}  // namespace netsettle::runners
