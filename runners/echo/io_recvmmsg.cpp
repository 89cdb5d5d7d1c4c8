#include "runners/echo/message_batch.hpp"

namespace netsettle::runners {

Expected<Serve> prepare_recvmmsg(const ServeTask& task) {
  return [batch = MessageBatch(task)]() mutable {
    while (!batch.stopped()) batch.send(batch.receive());
  };
}

}  // namespace netsettle::runners
