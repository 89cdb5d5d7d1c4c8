#include <sys/select.h>

#include <fmt/format.h>

#include "runners/echo/exchange.hpp"

namespace netsettle::runners {

Expected<Serve> prepare_select(const ServeTask& task) {
  if (task.socket >= FD_SETSIZE)
    return fail(ErrorCode::unsupported, "select",
                fmt::format("not available here: it cannot watch descriptor {}; the largest is {}", task.socket, FD_SETSIZE - 1));
  return [socket = task.socket, exchange = SingleExchange(task)]() mutable {
    while (!exchange.stopped()) {
      fd_set readable;
      FD_ZERO(&readable);
      FD_SET(socket, &readable);
      if (select(socket + 1, &readable, nullptr, nullptr, nullptr) > 0) exchange.exchange_batch();
    }
  };
}

}  // namespace netsettle::runners
