// The cpuset of netsettle's control group, of version 2 (one hierarchy) or 1 (one for cpuset).

#include <algorithm>

#include <fmt/format.h>

#include "runners/probes/text_lines.hpp"
#include "runners/topology/cpu_survey.hpp"

namespace netsettle::runners {
namespace {

/// A mounted hierarchy: where it is, and which of its groups is seen there ("/" but in containers).
struct Mount {
  std::string point;
  std::string root;
};

struct Hierarchy {
  std::string group;  // netsettle's own, "/machine.slice/bench.scope"
  Mount mount;
  std::vector<std::string> files;  // in the order to be tried
};

bool has_option(std::string_view options, std::string_view wanted) {
  while (!options.empty()) {
    const std::size_t end = std::min(options.find(','), options.size());
    if (options.substr(0, end) == wanted) return true;
    options.remove_prefix(std::min(end + 1, options.size()));
  }
  return false;
}

/// "25 1 0:22 / /sys/fs/cgroup rw shared:9 - cgroup2 cgroup2 rw": the first of the type, and with the option where one is wanted.
std::optional<Mount> find_mount(std::string_view mounts, std::string_view type, std::string_view option) {
  for (const std::string_view line : split_lines(mounts)) {
    const auto words = split_words(line);
    const auto dash = std::ranges::find(words, "-");
    if (words.size() < 6 || words.end() - dash < 4 || *(dash + 1) != type) continue;
    if (option.empty() || has_option(*(dash + 3), option)) return Mount{std::string(words[4]), std::string(words[3])};
  }
  return std::nullopt;
}

/// The group in "0::/path", or in "4:cpuset,cpu:/path" for version 1.
std::optional<std::string> find_group(std::string_view groups, std::string_view controller) {
  for (const std::string_view line : split_lines(groups)) {
    const std::size_t first = line.find(':'), second = line.find(':', std::min(first, line.size() - 1) + 1);
    if (first == std::string_view::npos || second == std::string_view::npos) continue;
    const std::string_view controllers = line.substr(first + 1, second - first - 1);
    if (controller.empty() ? controllers.empty() : has_option(controllers, controller)) return std::string(line.substr(second + 1));
  }
  return std::nullopt;
}

/// The group's path below the mount point: what the mount shows as its root is cut off.
std::string below_mount(const std::string& group, const Mount& mount) {
  std::string path = group == "/" ? "" : group;
  if (mount.root != "/" && (path == mount.root || path.starts_with(mount.root + "/"))) path.erase(0, mount.root.size());
  return path.starts_with('/') && path.find("/..") == std::string::npos ? path : "";
}

std::optional<CpuSet> cpus_of(Host& host, const Hierarchy& hierarchy) {
  std::string path = below_mount(hierarchy.group, hierarchy.mount);
  for (;;) {
    for (const std::string& file : hierarchy.files) {
      const auto cpus = read_cpu_list_file(host, fmt::format("{}{}/{}", hierarchy.mount.point, path, file));
      if (cpus && !cpus->empty()) return cpus;
    }
    if (path.empty()) return std::nullopt;
    path.erase(path.rfind('/'));
  }
}

}  // namespace

std::optional<CpuSet> read_cpuset(Host& host) {
  const auto groups = host.read_file("/proc/self/cgroup");
  if (!groups) return std::nullopt;
  const std::string mounts = host.read_file("/proc/self/mountinfo").value_or("");
  if (const auto group = find_group(*groups, "cpuset")) {
    const auto mount = find_mount(mounts, "cgroup", "cpuset").value_or(Mount{"/sys/fs/cgroup/cpuset", "/"});
    if (const auto cpus = cpus_of(host, {*group, mount, {"cpuset.effective_cpus", "cpuset.cpus"}})) return cpus;
  }
  const auto group = find_group(*groups, "");
  if (!group) return std::nullopt;
  const auto mount = find_mount(mounts, "cgroup2", "").value_or(Mount{"/sys/fs/cgroup", "/"});
  return cpus_of(host, {*group, mount, {"cpuset.cpus.effective"}});
}

}  // namespace netsettle::runners
