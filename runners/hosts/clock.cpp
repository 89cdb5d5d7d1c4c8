#include "runners/hosts/clock.hpp"

#include <algorithm>
#include <thread>

namespace netsettle::runners {

using std::chrono::duration_cast;

Microseconds SystemClock::monotonic() const { return duration_cast<Microseconds>(std::chrono::steady_clock::now().time_since_epoch()); }

Microseconds SystemClock::utc() const { return duration_cast<Microseconds>(std::chrono::system_clock::now().time_since_epoch()); }

void SystemClock::sleep(Microseconds duration, const StopFlag* stop) {
  const auto end = std::chrono::steady_clock::now() + duration;
  if (stop == nullptr) return std::this_thread::sleep_until(end);
  constexpr std::chrono::milliseconds kLook(20);
  while (stop->load() == 0) {
    const auto now = std::chrono::steady_clock::now();
    if (now >= end) return;
    std::this_thread::sleep_until(std::min<std::chrono::steady_clock::time_point>(end, now + kLook));
  }
}

}  // namespace netsettle::runners
