#pragma once
// One writer and many readers of one record, as real processes: what the record promises them.

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>

namespace netsettle::tests {

struct Contention {
  std::int64_t commits = 0;   // trials that the writer was told are recorded
  std::int64_t readings = 0;  // whole readings of the record by the readers
  std::int64_t locked = 0;    // refusals because somebody else held the record
  std::int64_t failed = 0;    // every other error
  std::int64_t wrong = 0;     // a reader saw fewer trials than before, or a trial that was not as it was written
  std::int64_t lost = 0;      // commits that are not in the record at the end
  std::string first_error;    // of `locked` and `failed`
};

/// Makes a record at `path`; a writer records trials as fast as it can, the readers open it, read everything and open it again, for `time`.
/// All of them are processes of their own.
Contention contend(const std::filesystem::path& path, int readers, std::chrono::milliseconds time);

}  // namespace netsettle::tests
