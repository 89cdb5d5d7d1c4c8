#pragma once
// Which interrupts belong to a network interface.

#include <string>
#include <vector>

#include "runners/hosts/host.hpp"
#include "runners/probes/interrupts.hpp"

namespace netsettle::runners {

/// The numbers of the interrupts of an interface's queues, sorted: those of its device (msi_irqs; of the parent for virtio), else those
/// whose action has the interface's name. Interrupts of the device that serve no queue (configuration, management, events) are left out.
/// None for an interface without a device, and where `interrupts` has none of them.
std::vector<int> queue_vectors(Host& host, const std::string& interface, const Interrupts& interrupts);

}  // namespace netsettle::runners
