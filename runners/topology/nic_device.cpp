// Interfaces and their devices: bus, driver, the function that has the interrupts, what an interface stands on.

#include <algorithm>
#include <array>

#include "runners/topology/fact_reader.hpp"
#include "runners/topology/nic.hpp"

namespace netsettle::runners {
namespace {

const std::string kNetFolder = "/sys/class/net/";

std::string last_part(std::string_view path) { return std::string(path.substr(path.rfind('/') + 1)); }
std::string parent_of(const std::string& path) { return path.substr(0, path.rfind('/')); }

bool exists(Host& host, const std::string& path) { return host.real_path(path).has_value(); }

std::optional<std::string> line_of_file(Host& host, const std::string& path) {
  const auto text = host.read_file(path);
  return text ? std::optional(first_line(*text)) : std::nullopt;
}

/// "0000:81:00.1", and "10000:e1:00.0" behind a volume management device.
bool is_pci_address(std::string_view text) {
  const auto is_hex = [](std::string_view digits) {
    return !digits.empty() && digits.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
  };
  const std::size_t bus = text.find(':'), slot = text.find(':', bus + 1), function = text.find('.');
  if (bus == text.npos || slot == text.npos || function == text.npos || function < slot || bus < 4) return false;
  return is_hex(text.substr(0, bus)) && is_hex(text.substr(bus + 1, slot - bus - 1)) &&
         is_hex(text.substr(slot + 1, function - slot - 1)) && is_hex(text.substr(function + 1));
}

struct Driver {
  std::string bus;   // "pci"
  std::string name;  // "ixgbe"
};

/// From the link "driver", which leads to /sys/bus/BUS/drivers/NAME.
std::optional<Driver> driver_of(Host& host, const std::string& device) {
  constexpr std::string_view kBus = "/sys/bus/", kDrivers = "/drivers/";
  const auto path = host.real_path(device + "/driver");
  if (!path) return std::nullopt;
  const std::size_t drivers = path->find(kDrivers);
  if (!path->starts_with(kBus) || drivers == std::string::npos) return std::nullopt;
  return Driver{path->substr(kBus.size(), drivers - kBus.size()), last_part(*path)};
}

NicKind kind_of_bus(std::string_view bus) {
  constexpr std::array<std::pair<std::string_view, NicKind>, 7> kKinds = {{{"pci", NicKind::pci},
                                                                           {"virtio", NicKind::virtio},
                                                                           {"vmbus", NicKind::vmbus},
                                                                           {"xen", NicKind::xen},
                                                                           {"xen-backend", NicKind::xen},
                                                                           {"usb", NicKind::usb},
                                                                           {"auxiliary", NicKind::pci}}};
  const auto kind = std::ranges::find(kKinds, bus, &std::pair<std::string_view, NicKind>::first);
  return kind == kKinds.end() ? NicKind::platform : kind->second;
}

std::string bus_of(Host& host, const std::string& device, const std::optional<Driver>& driver) {
  if (driver) return driver->bus;
  if (is_pci_address(last_part(device))) return "pci";
  const auto subsystem = host.real_path(device + "/subsystem");
  return subsystem ? last_part(*subsystem) : "";
}

/// The first PCI function at or above the device.
std::optional<std::string> pci_function(std::string path) {
  for (; path.size() > 1; path = parent_of(path)) {
    if (is_pci_address(last_part(path))) return path;
    if (path.find('/') == std::string::npos) break;
  }
  return std::nullopt;
}

/// mlx4_core drives the function, mlx4_en the interface.
std::string interface_driver(const std::string& name) { return name == "mlx4_core" ? "mlx4_en" : name; }

std::string without_digits(const std::string& name) {
  const auto end = name.find_last_not_of("0123456789");
  return end == std::string::npos ? name : name.substr(0, end + 1);
}

/// What DEVTYPE or the name of an interface says; the drivers' own names for both.
std::optional<std::string> driver_by_word(const std::string& word) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 16> kDrivers = {{{"bridge", "bridge"},
                                                                                       {"bond", "bonding"},
                                                                                       {"vlan", "8021q"},
                                                                                       {"macvlan", "macvlan"},
                                                                                       {"macvtap", "macvtap"},
                                                                                       {"ipvlan", "ipvlan"},
                                                                                       {"vxlan", "vxlan"},
                                                                                       {"geneve", "geneve"},
                                                                                       {"wireguard", "wireguard"},
                                                                                       {"gre", "gre"},
                                                                                       {"team", "team"},
                                                                                       {"dummy", "dummy"},
                                                                                       {"veth", "veth"},
                                                                                       {"ifb", "ifb"},
                                                                                       {"tun", "tun"},
                                                                                       {"tap", "tun"}}};
  const auto driver = std::ranges::find(kDrivers, word, &std::pair<std::string_view, std::string_view>::first);
  return driver == kDrivers.end() ? std::nullopt : std::optional(std::string(driver->second));
}

/// sysfs does not name the driver of a virtual interface: by the files that only one driver makes, then by the name, then by the links.
std::optional<std::string> virtual_driver(Host& host, const NicDevice& device) {
  constexpr std::string_view kLoopback = "772";  // ARPHRD_LOOPBACK
  const auto file = [&](const char* name) { return line_of_file(host, device.folder + "/" + name); };
  if (file("type") == kLoopback) return "loopback";
  for (const auto& [name, driver] : {std::pair{"bridge", "bridge"}, {"bonding", "bonding"}, {"tun_flags", "tun"}})
    if (exists(host, device.folder + "/" + name)) return driver;
  const auto event = host.read_file(device.folder + "/uevent");
  if (const auto type = event ? field_of(*event, "DEVTYPE", '=') : std::nullopt)
    if (auto driver = driver_by_word(*type)) return driver;
  if (host.read_file("/proc/net/vlan/" + device.name)) return "8021q";
  if (device.lower.size() == 1 && device.name.starts_with(device.lower.front() + ".")) return "8021q";
  if (auto driver = driver_by_word(without_digits(device.name))) return driver;
  const auto index = file("ifindex"), link = file("iflink");
  if (index && link && *index != *link) return device.lower.empty() ? "veth" : "macvlan";
  return device.name.starts_with("veth") ? std::optional(std::string("veth")) : std::nullopt;
}

void add_device(Host& host, NicDevice& device) {
  const auto path = host.real_path(device.folder + "/device");
  if (!path) {
    device.driver = virtual_driver(host, device);
    return;
  }
  device.device = *path;
  const auto driver = driver_of(host, *path);
  if (driver) device.driver = interface_driver(driver->name);
  device.kind = kind_of_bus(bus_of(host, *path, driver));
  const bool is_on_pci = device.kind == NicKind::pci || device.kind == NicKind::virtio;
  const auto function = is_on_pci ? pci_function(*path) : std::nullopt;
  if (function) device.pci = last_part(*function);
  if (device.kind != NicKind::usb) device.bus = function.value_or(*path);
}

std::vector<std::string> lower_interfaces(Host& host, const std::string& folder) {
  constexpr std::string_view kLower = "lower_";
  std::vector<std::string> lower;
  for (const std::string& name : host.list_directory(folder).value_or(std::vector<std::string>()))
    if (name.starts_with(kLower)) lower.push_back(name.substr(kLower.size()));
  return lower;
}

}  // namespace

std::string_view to_text(NicKind kind) {
  switch (kind) {
    case NicKind::virtual_:
      return "virtual";
    case NicKind::pci:
      return "pci";
    case NicKind::virtio:
      return "virtio";
    case NicKind::vmbus:
      return "vmbus";
    case NicKind::xen:
      return "xen";
    case NicKind::usb:
      return "usb";
    case NicKind::platform:
      return "platform";
  }
  return "";
}

Expected<std::map<std::string, NicDevice>> read_nic_devices(Host& host) {
  NETSETTLE_ASSIGN(const auto names, host.list_directory(kNetFolder.substr(0, kNetFolder.size() - 1)));
  std::map<std::string, NicDevice> devices;
  for (const std::string& name : names) {
    const auto folder = host.real_path(kNetFolder + name);
    if (!folder || !host.list_directory(*folder)) continue;  // gone meanwhile, or a control file like bonding_masters
    NicDevice device;
    device.name = name;
    device.folder = *folder;
    device.lower = lower_interfaces(host, *folder);
    add_device(host, device);
    devices.emplace(name, std::move(device));
  }
  return devices;
}

}  // namespace netsettle::runners
