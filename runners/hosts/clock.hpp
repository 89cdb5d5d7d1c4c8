#pragma once
// Time, handed in. The monotonic clock measures durations, the wall clock only labels.

#include <atomic>
#include <chrono>

namespace netsettle::runners {

using Microseconds = std::chrono::microseconds;

/// Set to a signal number to end long waits early. Written by a signal handler or another thread.
using StopFlag = std::atomic<int>;

class Clock {
 public:
  virtual ~Clock() = default;
  virtual Microseconds monotonic() const = 0;  // since an arbitrary start
  virtual Microseconds utc() const = 0;        // since 1970
  /// Sleeps; returns early (within 50 ms) when `stop` becomes non-zero.
  virtual void sleep(Microseconds duration, const StopFlag* stop = nullptr) = 0;
};

class SystemClock final : public Clock {
 public:
  Microseconds monotonic() const override;
  Microseconds utc() const override;
  void sleep(Microseconds duration, const StopFlag* stop = nullptr) override;
};

}  // namespace netsettle::runners
