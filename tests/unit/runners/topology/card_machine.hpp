#pragma once
// A machine in memory to which a test adds network cards and interrupts.

#include <string>
#include <vector>

#include <fmt/format.h>

#include "runners/topology/nic.hpp"
#include "tests/support/fake_host.hpp"

namespace netsettle::tests {

/// A machine with four CPUs on two nodes, to which a test adds devices.
class Machine {
 public:
  Machine() {
    host.add_file("/sys/devices/system/cpu/online", "0-3\n");
    host.add_file("/sys/devices/system/node/node0/cpulist", "0-1\n");
    host.add_file("/sys/devices/system/node/node1/cpulist", "2-3\n");
    host.add_file("/proc/interrupts", "  CPU0 CPU1 CPU2 CPU3\n");
  }

  /// An interface on a device; the device's folder.
  std::string add(const std::string& name, const std::string& device, const std::string& bus, const std::string& driver) {
    const std::string folder = device + "/net/" + name;
    host.add_link("/sys/class/net/" + name, folder);
    host.add_link(folder + "/device", "../..");
    host.add_link(device + "/driver", "/sys/bus/" + bus + "/drivers/" + driver);
    host.add_file("/sys/bus/" + bus + "/drivers/" + driver + "/bind", "");
    host.add_file(folder + "/queues/rx-0/rps_cpus", "0\n");
    host.add_file(folder + "/queues/tx-0/xps_cpus", "0\n");
    return device;
  }
  std::string add_virtual(const std::string& name, const std::vector<std::string>& lower = {}) {
    const std::string folder = "/sys/devices/virtual/net/" + name;
    host.add_link("/sys/class/net/" + name, folder);
    host.add_file(folder + "/type", "1\n");
    for (const std::string& below : lower) host.add_link(folder + "/lower_" + below, "/sys/class/net/" + below);
    return folder;
  }
  void add_irq(int number, const std::string& action, const std::string& device = "") {
    host.set_content("/proc/interrupts",
                     host.content("/proc/interrupts") + fmt::format(" {}: 1 0 0 0  PCI-MSI {}-edge      {}\n", number, number, action));
    if (!device.empty()) host.add_file(fmt::format("{}/msi_irqs/{}", device, number), "msix\n");
  }
  runners::Nic nic(const std::string& name) { return runners::read_nic(host, name).value(); }

  FakeHost host;
};

/// The numbers of interrupts, in their order.
inline std::vector<int> numbers(const std::vector<runners::QueueIrq>& irqs) {
  std::vector<int> result;
  for (const auto& irq : irqs) result.push_back(irq.irq);
  return result;
}

}  // namespace netsettle::tests
