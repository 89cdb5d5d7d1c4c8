#pragma once
// The version line at the head of dnsperf's and resperf's output.

#include <optional>
#include <string>
#include <string_view>

namespace netsettle::runners {

struct ProgramBanner {
  std::optional<std::string> version;        // "2.14.0", "2.1.1.0.d"
  std::optional<std::string> vendor_prefix;  // "Nominum", up to 2.1

  /// True where it is a version line. The first one counts.
  bool line(std::string_view text) {
    constexpr std::string_view kVersion = "Version ", kVendor = "Nominum";
    const bool vendor = text.starts_with(kVendor) && text.substr(kVendor.size()).starts_with(' ');
    if (vendor) text.remove_prefix(kVendor.size() + 1);
    if (!text.starts_with(kVersion)) return false;
    if (!version) {
      version = text.substr(kVersion.size());
      if (vendor) vendor_prefix = kVendor;
    }
    return true;
  }
};

}  // namespace netsettle::runners
