#pragma once
// A folder that looks like a root: proc/… and sys/… below. For `netsettle parse`, which reads what a person has copied there.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "datasets/model/cpu_set.hpp"
#include "datasets/model/error.hpp"

namespace netsettle::tuner {

class CounterTree {
 public:
  explicit CounterTree(std::filesystem::path root) : root_(std::move(root)) {}

  /// A file below the root, "proc/stat", at most 16 MiB. not_found, io.
  Expected<std::string> text(std::string_view path) const;
  bool has(std::string_view path) const;
  /// The CPUs on line, sys/devices/system/cpu/online; nullopt where the tree does not say it.
  Expected<std::optional<CpuSet>> online() const;

 private:
  std::filesystem::path root_;
};

}  // namespace netsettle::tuner
