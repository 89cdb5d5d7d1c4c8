#pragma once
// What a child wrote, bounded: the first half and the last half of the limit, with a line in between that says how much is missing.

#include <deque>
#include <string>
#include <string_view>

namespace netsettle::runners {

class OutputBuffer {
 public:
  explicit OutputBuffer(std::size_t limit) : head_limit_(limit / 2), tail_limit_(limit - limit / 2) {}

  void append(std::string_view bytes);
  std::string text() const;

 private:
  std::size_t head_limit_, tail_limit_;
  std::string head_;
  std::deque<char> tail_;
  std::size_t dropped_ = 0;
};

}  // namespace netsettle::runners
