#include "runners/echo/exchange.hpp"

namespace netsettle::runners {

Expected<Serve> prepare_nonblocking(const ServeTask& task) {
  return [exchange = SingleExchange(task)]() mutable {
    while (!exchange.stopped()) exchange.exchange(MSG_DONTWAIT);
  };
}

}  // namespace netsettle::runners
