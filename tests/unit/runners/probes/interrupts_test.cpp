#include "runners/probes/interrupts.hpp"

#include <catch2/catch.hpp>

#include "runners/probes/text_lines.hpp"

namespace netsettle::runners {
namespace {

using Names = std::vector<std::string>;

/// The one numbered row behind a header of two CPUs.
InterruptRow row_of(const std::string& line) {
  const auto interrupts = parse_interrupts("           CPU0       CPU1\n" + line);
  REQUIRE(interrupts);
  REQUIRE(interrupts->irqs.size() == 1);
  return interrupts->irqs.begin()->second;
}

TEST_CASE("chip, hardware number, trigger and actions are told apart, whatever the kernel's form") {
  struct Row {
    const char* line;
    std::string chip;
    std::optional<std::uint64_t> number;
    std::string trigger;
    Names actions;
  };
  for (const Row& row :
       {Row{" 38:  0  416 PCI-MSIX-0000:00:03.0   1-edge      virtio2-input.0", "PCI-MSIX-0000:00:03.0", 1, "edge", {"virtio2-input.0"}},
        Row{" 30:  1  2   PCI-MSI 530-edge      eth0-TxRx-0\n", "PCI-MSI", 530, "edge", {"eth0-TxRx-0"}},
        Row{" 11:  1  2     GICv3  30 Level     arch_timer", "GICv3", 30, "Level", {"arch_timer"}},
        Row{" 51:  1  2   MSI-INTA 1971731 Level     8000000.ethernet", "MSI-INTA", 1971731, "Level", {"8000000.ethernet"}},
        Row{" 53:  1  2   ITS-MSI 526336 Edge      eth2 (queue 0)", "ITS-MSI", 526336, "Edge", {"eth2 (queue 0)"}},
        Row{" 54:  1  2     GICv3  45 Level     a, b:c, d", "GICv3", 45, "Level", {"a", "b:c", "d"}},
        Row{" 16:  1  2   IO-APIC-fasteoi   uhci_hcd:usb3, eth0", "IO-APIC-fasteoi", std::nullopt, "", {"uhci_hcd:usb3", "eth0"}},
        Row{"  2:  0  0    XT-PIC      cascade", "XT-PIC", std::nullopt, "", {"cascade"}},
        Row{" 14:  0  0   IO-APIC  14-edge      ", "IO-APIC", 14, "edge", {}},
        Row{" 15:  0  0     GICv3  45 Level     ", "GICv3", 45, "Level", {}},
        Row{" 17:  0  0   PCI-MSI 530-edge      7-segment", "PCI-MSI", 530, "edge", {"7-segment"}},
        Row{" 60:  4294967295 9   ITS-MSI 8 Edge      mlx5_comp0@pci:0000:01:00.0", "ITS-MSI", 8, "Edge", {"mlx5_comp0@pci:0000:01:00.0"}},
        Row{" 61:  0  0\n", "", std::nullopt, "", {}}}) {
    INFO(row.line);
    const InterruptRow found = row_of(row.line);
    CHECK(found.counts.size() == 2);
    CHECK(found.chip == row.chip);
    CHECK(found.hardware_number == row.number);
    CHECK(found.trigger == row.trigger);
    CHECK(found.actions == row.actions);
  }
}

TEST_CASE("named rows have a count for each CPU, or one, or none") {
  const auto interrupts =
      parse_interrupts("  CPU0 CPU2\nLOC:  1 18446744073709551615   Local timer\nERR:  7\nFIQ:  usb_fiq\nIPI0:12 3  x\n");
  REQUIRE(interrupts);
  CHECK(interrupts->cpus == std::vector<CpuId>{0, 2});
  CHECK(interrupts->named.at("LOC") == std::vector<std::uint64_t>{1, UINT64_MAX});
  CHECK(interrupts->named.at("ERR") == std::vector<std::uint64_t>{7});
  CHECK(interrupts->named.at("FIQ").empty());
  CHECK(interrupts->named.at("IPI0") == std::vector<std::uint64_t>{12, 3});
}

TEST_CASE("interrupts texts that are cut or doubled are refused with the line") {
  struct Row {
    const char* text;
    std::size_t line;
  };
  for (const Row& row : {Row{"", 1}, Row{"\n", 1}, Row{"CPU0 CPUx\n", 1}, Row{"CPU0 CPU0\n", 1}, Row{"eth0\n", 1},
                         Row{"CPU0 CPU1\n 7: 1", 2}, Row{"CPU0 CPU1\n 7:", 2}, Row{"CPU0 CPU1\n 7: 1 2\n 7: 1 2\n", 3},
                         Row{"CPU0 CPU1\nno colon\n", 2}, Row{"CPU0 CPU1\n 7: 1 4294967296\n", 2}, Row{"CPU0 CPU1 CPU2\nLOC: 1 2\n", 2},
                         Row{"CPU0\nA: 1\nA: 2\n", 3}, Row{"CPU0\n: 1\n", 2}, Row{"CPU0 CPU1\n 7: 1 -2\n", 2}}) {
    INFO(row.text);
    const auto interrupts = parse_interrupts(row.text);
    REQUIRE_FALSE(interrupts);
    CHECK(line_of(interrupts.error()) == row.line);
  }
}

TEST_CASE("softirqs are read by name, and refused where a count is missing") {
  const auto softirqs =
      parse_softirqs("                    CPU0       CPU1\n          HI:          0          1\n      NET_RX:         12 4294967295\n");
  REQUIRE(softirqs);
  CHECK(softirqs->counts.at("NET_RX") == std::vector<std::uint32_t>{12, UINT32_MAX});
  for (const char* text :
       {"", "HI: 0\n", "CPU0 CPU1\nHI: 1\n", "CPU0\nHI: 1 2\n", "CPU0\nHI 1\n", "CPU0\nHI: x\n", "CPU0\nHI: 4294967296\n"})
    CHECK_FALSE(parse_softirqs(text));
}

}  // namespace
}  // namespace netsettle::runners
