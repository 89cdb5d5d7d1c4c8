#pragma once
// Time and stalls of the CPUs, memory, heat and frequency: /proc/stat, /proc/pressure, /proc/meminfo and files of /sys/devices/system/cpu.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "datasets/model/error.hpp"

namespace netsettle::runners {

struct CpuTimes {  // USER_HZ ticks
  std::uint64_t user = 0, nice = 0, system = 0, idle = 0, iowait = 0, irq = 0, softirq = 0;
  std::optional<std::uint64_t> steal;              // absent: the kernel does not count it
  std::optional<std::uint64_t> guest, guest_nice;  // already in user and nice
  std::size_t columns = 0;                         // of the file
};
/// Key -1 is the sum line. invalid_input; "line N: " in front where a line is to blame.
Expected<std::map<int, CpuTimes>> parse_stat(std::string_view text);
/// All time, guest time once.
std::uint64_t total_of(const CpuTimes& times);

struct Pressure {
  std::uint64_t some_us = 0;             // time in which some task waited
  std::optional<std::uint64_t> full_us;  // time in which all waited; absent for the CPU on old kernels
};
/// /proc/pressure/{cpu,memory,io}. invalid_input, "line N: ".
Expected<Pressure> parse_pressure(std::string_view text);

/// MemAvailable / MemTotal of /proc/meminfo, percent.
Expected<double> parse_memory_available(std::string_view text);

/// "name number" lines, as snapshots make them of many small files. invalid_input, "line N: ".
Expected<std::map<std::string, std::uint64_t>> parse_named_values(std::string_view text);

}  // namespace netsettle::runners
