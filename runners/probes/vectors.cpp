#include "runners/probes/vectors.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "runners/probes/text_lines.hpp"

namespace netsettle::runners {
namespace {

std::vector<int> device_vectors(Host& host, const std::string& interface) {
  std::vector<int> vectors;
  const std::string device = "/sys/class/net/" + interface + "/device/";
  for (const char* folder : {"msi_irqs", "../msi_irqs"}) {
    if (!vectors.empty()) break;
    const auto names = host.list_directory(device + folder);
    if (!names) continue;
    for (const std::string& name : *names)
      if (const auto number = whole_number<int>(name)) vectors.push_back(*number);
  }
  std::ranges::sort(vectors);
  return vectors;
}

bool is_word_character(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

/// "eth1" in "i40e-eth1-TxRx-0", not in "eth10-TxRx-0".
bool names_interface(const std::string& action, const std::string& interface) {
  for (std::size_t at = action.find(interface); at != std::string::npos; at = action.find(interface, at + 1)) {
    const std::size_t end = at + interface.size();
    const bool begins = at == 0 || !is_word_character(action[at - 1]);
    if (begins && (end == action.size() || !is_word_character(action[end]))) return true;
  }
  return false;
}

/// Not of the device's management, and not the interface's bare name (its link interrupt). A queue has its number in the name.
bool serves_queue(const std::string& action, const std::string& interface) {
  constexpr std::array kOthers = {"async", "mgmnt", "misc", "fdir", "config", "control", "cmd", "pages", "hwc", "event", "mbx"};
  if (action == interface) return false;
  const std::string own = action.substr(0, action.find('@'));  // behind it is the bus address
  if (std::ranges::any_of(kOthers, [&](const char* other) { return own.find(other) != std::string::npos; })) return false;
  return std::ranges::any_of(own, [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; });
}

}  // namespace

std::vector<int> queue_vectors(Host& host, const std::string& interface, const Interrupts& interrupts) {
  if (interface.empty() || interface == "lo") return {};
  const std::vector<int> own = device_vectors(host, interface);
  std::vector<int> vectors;
  for (const auto& [number, row] : interrupts.irqs) {
    const bool is_own = own.empty() ? std::ranges::any_of(row.actions, [&](const auto& name) { return names_interface(name, interface); })
                                    : std::ranges::binary_search(own, number);
    if (is_own && std::ranges::any_of(row.actions, [&](const auto& name) { return serves_queue(name, interface); }))
      vectors.push_back(number);
  }
  return vectors;
}

}  // namespace netsettle::runners
