#pragma once
// /proc/interrupts and /proc/softirqs: how often what happened on which CPU. Numbered interrupts are counted in 32 bits.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/model/cpu_set.hpp"
#include "datasets/model/error.hpp"

namespace netsettle::runners {

struct InterruptRow {
  std::vector<std::uint32_t> counts;  // in the order of the header's CPUs
  std::string chip;                   // "PCI-MSIX-0000:00:03.0", "IO-APIC-edge" on old kernels
  std::optional<std::uint64_t> hardware_number;
  std::string trigger;               // "edge", "Level"; "" where it is not printed
  std::vector<std::string> actions;  // names of who handles it; may have spaces, colons, commas
};

struct Interrupts {
  std::vector<CpuId> cpus;                                  // of the header: those on line
  std::map<int, InterruptRow> irqs;                         // by number
  std::map<std::string, std::vector<std::uint64_t>> named;  // "LOC", "IPI0": as many counts as CPUs, or one, or none
};

/// invalid_input, the text begins with "line N: ".
Expected<Interrupts> parse_interrupts(std::string_view text);

struct SoftInterrupts {
  std::vector<CpuId> cpus;                                   // of the header: possible ones
  std::map<std::string, std::vector<std::uint32_t>> counts;  // "NET_RX" → in the order of the CPUs
};

/// invalid_input, "line N: ".
Expected<SoftInterrupts> parse_softirqs(std::string_view text);

}  // namespace netsettle::runners
