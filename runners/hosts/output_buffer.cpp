#include "runners/hosts/output_buffer.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace netsettle::runners {

void OutputBuffer::append(std::string_view bytes) {
  const std::size_t first = std::min(bytes.size(), head_limit_ - head_.size());
  head_.append(bytes.substr(0, first));
  bytes.remove_prefix(first);
  if (bytes.size() > tail_limit_) {
    dropped_ += tail_.size() + bytes.size() - tail_limit_;
    tail_.clear();
    bytes.remove_prefix(bytes.size() - tail_limit_);
  }
  tail_.insert(tail_.end(), bytes.begin(), bytes.end());
  if (tail_.size() > tail_limit_) {
    const std::size_t excess = tail_.size() - tail_limit_;
    tail_.erase(tail_.begin(), tail_.begin() + static_cast<std::ptrdiff_t>(excess));
    dropped_ += excess;
  }
}

std::string OutputBuffer::text() const {
  std::string text = head_;
  if (dropped_ > 0) text += fmt::format("\n[... {} bytes not kept ...]\n", dropped_);
  text.append(tail_.begin(), tail_.end());
  return text;
}

}  // namespace netsettle::runners
