#include "runners/echo/exchange.hpp"

namespace netsettle::runners {

Expected<Serve> prepare_blocking(const ServeTask& task) {
  return [exchange = SingleExchange(task)]() mutable {
    while (!exchange.stopped()) exchange.exchange(0);
  };
}

}  // namespace netsettle::runners
