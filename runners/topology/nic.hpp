#pragma once
// Network interfaces of a machine: device, queues, interrupts, NUMA node, the CPUs to place them on, and how the kernel spreads their
// packets. From files through Host only, so that captured trees work; changes nothing. Nothing is guessed: an unknown node is absent, never
// 0.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "runners/hosts/host.hpp"
#include "runners/topology/cpu_survey.hpp"
#include "runners/topology/irq_lines.hpp"
#include "runners/topology/irq_names.hpp"

namespace netsettle::runners {

/// How a device is attached. `virtual_`: it has none (bridge, bond, veth, loopback).
enum class NicKind { virtual_, pci, virtio, vmbus, xen, usb, platform };
std::string_view to_text(NicKind kind);

/// An interface's device, without its interrupts.
struct NicDevice {
  std::string name;
  std::string folder;  // of the interface, without links: "/sys/devices/…/net/eth0"
  std::string device;  // of the device; "" for a virtual interface
  std::string bus;     // the function that has interrupts, node and local CPUs: the device itself, or the parent of a virtio one; or ""
  NicKind kind = NicKind::virtual_;
  std::optional<std::string> driver;
  std::optional<std::string> pci;  // address of the function, "0000:01:00.0"
  std::vector<std::string> lower;  // what it stands on: ports of a bond, the virtual function below hv_netvsc
};

/// Every interface of the host's network namespace, by name. Failure: /sys/class/net cannot be listed.
Expected<std::map<std::string, NicDevice>> read_nic_devices(Host& host);

struct QueueIrq {
  int irq = 0;
  std::optional<int> queue;  // the number in the handler's name
  QueueDirection direction = QueueDirection::combined;
  std::string action;
  std::optional<std::string> interface;  // of a port below, where a virtual interface stands on it
};
struct OtherIrq {
  int irq = 0;
  std::string action;
};

/// Where the list of interrupts comes from, in the order in which it is tried. `lower_device`: the virtual function below a synthetic
/// interface; `lower_devices`: whatever a virtual interface stands on.
enum class IrqEvidence { msi_irqs, msi_irqs_of_parent, names, irq_file, lower_device, lower_devices, none };
std::string_view to_text(IrqEvidence evidence);

struct NicIrqs {
  std::vector<QueueIrq> queues;  // by queue, then rx, tx, combined
  std::vector<OtherIrq> others;  // of the device and no queue: never to be pinned as one
  IrqEvidence evidence = IrqEvidence::none;
  std::vector<std::string> shared_actions;  // all handlers of the one line that is shared with other devices
};

/// The interrupts of one device: msi_irqs of the function, else handlers with the interface's name, the bus address or the virtio index as
/// a whole word, else the function's irq file. `same_function`: the interfaces on the same function, itself among them.
NicIrqs find_device_irqs(Host& host, const NicDevice& device, const IrqLines& lines, const std::set<std::string>& interfaces,
                         const std::set<std::string>& same_function);

/// Why a node is the node.
enum class NodeSource { file, single_node, local_cpulist, unknown, none };
std::string_view to_text(NodeSource source);

struct Nic {
  NicDevice device;
  int rx_queues = 0, tx_queues = 0;
  NicIrqs irqs;
  std::optional<int> node_file;  // what numa_node says, -1 too; absent where there is no such file
  std::optional<int> node;       // the node to use; absent where it is not known
  NodeSource node_source = NodeSource::none;
  std::optional<CpuSet> local_cpus;          // of the bus device; may name CPUs that are off line
  std::optional<CpuSet> leaf_cpus;           // local CPUs of the devices below
  std::vector<std::string> leaf_devices;     // the lowest ones; those with a device where there are some
  std::vector<std::string> shared_with;      // interfaces that the same queue interrupts serve
  CpuSet placement_cpus;                     // local and allowed; all allowed ones with `placement_fallback`
  bool placement_fallback = false;           // there are no local CPUs that are allowed, or they are not known
  std::map<int, int> channel_cpus;           // hv_netvsc: VMBus channel → CPU
  std::map<int, CpuSet> rps_cpus, xps_cpus;  // queue → CPUs, of the queues that can be read
  std::map<int, int> rps_flow_cnt;
  std::optional<bool> threaded;
  std::optional<int> dev_port;
  std::vector<std::string> problems;  // what a user should know, as sentences: no interrupt found where there should be some, …
};

/// All interfaces by name.
Expected<std::map<std::string, Nic>> read_nics(Host& host, const CpuSurvey& cpus, const std::map<int, CpuSet>& nodes,
                                               const IrqLines& lines);

/// One of them. not_found with the names that there are.
Expected<Nic> read_nic(Host& host, const std::string& interface);

/// Queue masks, thread mode, channels: the parts of a Nic that only its own files tell. For read_nics.
void add_queue_settings(Host& host, Nic& nic);

}  // namespace netsettle::runners
