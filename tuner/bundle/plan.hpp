#pragma once
// What the files of a bundle have in common: the checked, normalised writes. Private to tuner/bundle.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tuner/bundle/bundle.hpp"

namespace netsettle::tuner {

struct SysctlWrite {
  std::string key;  // "net.core.rmem_max"; with slashes where a part has a dot: "net/ipv4/conf/eth0.7/rp_filter"
  std::string path;
  std::string value;
  std::string as_found;
};

/// The same mask for every receive queue of an interface: queues are counted anew on the target.
struct QueueWrite {
  std::string mask;
  std::string as_found;
};

struct BundlePlan {
  std::string id;
  std::string slug;     // the study's name, safe in file names
  std::string created;  // "2026-11-30T06:30:00Z"
  std::vector<SysctlWrite> sysctls;
  std::optional<QueueWrite> rps;
};

/// Failures as render_bundle.
Expected<BundlePlan> plan_bundle(const BundleInput& input);

/// The text in one line of printable characters, for comments and pages: everything else becomes a space.
std::string one_line(std::string_view text);

std::string sysctl_conf(const BundleInput& input, const BundlePlan& plan);
std::string apply_script(const BundleInput& input, const BundlePlan& plan);
std::string revert_script(const BundlePlan& plan);
/// Failure: invalid_input where the host facts are no JSON.
Expected<std::string> manifest_json(const BundleInput& input, const BundlePlan& plan);
std::string readme(const BundleInput& input, const BundlePlan& plan);

}  // namespace netsettle::tuner
