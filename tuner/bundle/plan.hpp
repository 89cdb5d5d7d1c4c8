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

/// One call of apply.sh. What belongs to an interface is named without it: the target has its own.
struct BundleWrite {
  enum class Kind {
    file,         // an absolute path
    device,       // below /sys/class/net/IF: "threaded", "queues/tx-1/xps_cpus"
    every_queue,  // "rx-" and "rps_cpus": all queues get one value, however many the target has
    interrupts,   // of the interface's queues, in their order: one list of CPUs each, starting over where the target has more
    ethtool       // "-k" and "gro"
  } kind = Kind::file;
  std::string target, name;
  std::vector<std::string> values;
  std::string as_found;
};

struct BundlePlan {
  std::string id;
  std::string slug;     // the study's name, safe in file names
  std::string created;  // "2026-11-30T06:30:00Z"
  std::vector<SysctlWrite> sysctls;
  std::vector<BundleWrite> writes;  // all of them, sysctls too, in order
  bool keeps_irqbalance_away = false;
  std::vector<std::string> notes;  // what no file of the bundle can carry, as sentences for people
};

bool needs_interface(const BundlePlan& plan);
/// Whether there is anything that sysctl.d cannot carry.
bool needs_script(const BundlePlan& plan);

/// Failures as render_bundle.
Expected<BundlePlan> plan_bundle(const BundleInput& input);

/// The text in one line of printable characters, for comments and pages: everything else becomes a space.
std::string one_line(std::string_view text);

std::string sysctl_conf(const BundleInput& input, const BundlePlan& plan);
std::string apply_script(const BundleInput& input, const BundlePlan& plan);
std::string revert_script(const BundlePlan& plan);
/// For irqbalance's option --policyscript.
std::string policy_script(const BundlePlan& plan);
/// Runs apply.sh at boot; a template with the interface as its instance where one is needed.
std::string unit_name(const BundlePlan& plan);
std::string unit(const BundleInput& input, const BundlePlan& plan);
/// Where the unit looks for the scripts.
std::string install_folder(const BundlePlan& plan);
/// Failure: invalid_input where the host facts are no JSON.
Expected<std::string> manifest_json(const BundleInput& input, const BundlePlan& plan);
std::string readme(const BundleInput& input, const BundlePlan& plan);

}  // namespace netsettle::tuner
