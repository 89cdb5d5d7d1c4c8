#include <event2/event.h>

#include "runners/echo/exchange.hpp"

namespace netsettle::runners {
namespace {

struct FreeEvent {
  void operator()(event* watched) const { event_free(watched); }
  void operator()(event_base* base) const { event_base_free(base); }
};

class EventLoop {
 public:
  explicit EventLoop(const ServeTask& task) : exchange_(task) {}

  Expected<void> watch(int socket, int stop_event) {
    base_.reset(event_base_new());
    if (!base_) return fail(ErrorCode::unsupported, "libevent", "not available here: it found no way to wait for events");
    NETSETTLE_TRY(add(datagrams_, socket, on_datagrams));
    return add(stop_, stop_event, on_stop);
  }

  void run() { event_base_dispatch(base_.get()); }

 private:
  using Event = std::unique_ptr<event, FreeEvent>;

  Expected<void> add(Event& watched, int descriptor, event_callback_fn callback) {
    watched.reset(event_new(base_.get(), descriptor, EV_READ | EV_PERSIST, callback, this));
    if (!watched || event_add(watched.get(), nullptr) != 0)
      return fail(ErrorCode::unsupported, "libevent", "not available here: a descriptor cannot be watched");
    return {};
  }

  static void on_datagrams(int, short, void* loop) { static_cast<EventLoop*>(loop)->exchange_.exchange_batch(); }
  static void on_stop(int, short, void* loop) { event_base_loopbreak(static_cast<EventLoop*>(loop)->base_.get()); }

  SingleExchange exchange_;
  std::unique_ptr<event_base, FreeEvent> base_;
  Event datagrams_, stop_;
};

}  // namespace

Expected<Serve> prepare_libevent(const ServeTask& task) {
  auto loop = std::make_unique<EventLoop>(task);
  NETSETTLE_TRY(loop->watch(task.socket, task.stop_event));
  return [loop = std::move(loop)] { loop->run(); };
}

}  // namespace netsettle::runners
