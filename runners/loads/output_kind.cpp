#include "runners/loads/output_kind.hpp"

#include <algorithm>
#include <array>

namespace netsettle::runners {
namespace {

constexpr std::string_view kDnsperfBanner = "DNS Performance Testing Tool", kResperfBanner = "DNS Resolution Performance Testing Tool";

struct Mark {
  std::string_view start;  // of a line
  std::string_view kind;
};
constexpr std::array kMarks = {
    Mark{kDnsperfBanner, "dnsperf"},
    Mark{"[Status] Command line: dnsperf", "dnsperf"},
    Mark{"  Queries per second:", "dnsperf"},
    Mark{kResperfBanner, "resperf"},
    Mark{"[Status] Command line: resperf", "resperf"},
    Mark{"  Maximum throughput:", "resperf"},
    Mark{"using interface ", "kxdpgun"},
    Mark{"total queries:", "kxdpgun"},
};
constexpr std::string_view kKxdpgunJson = "\"generator\": \"kxdpgun\"";

/// Calls `visit` with each line and where it begins, until it says false.
template <typename Visit>
void for_each_line(std::string_view text, Visit visit) {
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (!visit(text.substr(begin, end - begin), begin)) return;
    begin = end + 1;
  }
}

}  // namespace

std::optional<std::string_view> kind_of_output(std::string_view text) {
  std::optional<std::string_view> kind;
  for_each_line(text, [&](std::string_view line, std::size_t) {
    const auto mark = std::ranges::find_if(kMarks, [line](const Mark& one) { return line.starts_with(one.start); });
    if (mark != kMarks.end())
      kind = mark->kind;
    else if (line.find(kKxdpgunJson) != std::string_view::npos)
      kind = "kxdpgun";
    return !kind;
  });
  return kind;
}

std::vector<std::string_view> single_outputs(std::string_view text) {
  std::vector<std::size_t> starts = {0};
  bool banner_seen = false;
  for_each_line(text, [&](std::string_view line, std::size_t begin) {
    const bool banner = line == kDnsperfBanner || line == kResperfBanner;
    if (banner && banner_seen) starts.push_back(begin);
    banner_seen = banner_seen || banner;
    return true;
  });
  std::vector<std::string_view> outputs;
  outputs.reserve(starts.size());
  for (std::size_t i = 0; i < starts.size(); ++i)
    outputs.push_back(text.substr(starts[i], (i + 1 < starts.size() ? starts[i + 1] : text.size()) - starts[i]));
  return outputs;
}

}  // namespace netsettle::runners
