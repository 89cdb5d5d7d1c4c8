// Any files as a captured machine, and any bytes as an archive of one. The files come as "F<path> 0 <content> 0", "L<path> 0 <target> 0"
// and "D<path> 0 0", where 0 is a zero byte.

#include <algorithm>

#include "runners/hosts/tree_archive.hpp"
#include "runners/hosts/tree_host.hpp"
#include "runners/topology/machine_view.hpp"
#include "tests/fuzz/fuzz_target.hpp"

using netsettle::CpuSet;
using netsettle::fuzz::require;
using namespace netsettle::runners;

namespace {

std::string take(std::string_view& text) {
  const std::size_t end = std::min(text.find('\0'), text.size());
  std::string part(text.substr(0, end));
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

FileTree tree_of(std::string_view text) {
  FileTree tree;
  while (!text.empty()) {
    const std::string name = take(text);
    std::string content = take(text);
    if (name.size() < 2 || name[1] != '/') continue;
    const std::string path = name.substr(1);
    if (name[0] == 'F') tree[path] = TreeFile{std::move(content)};
    if (name[0] == 'L') tree[path] = TreeLink{std::move(content)};
    if (name[0] == 'D') tree[path] = TreeFolder{};
  }
  return tree;
}

bool includes(const CpuSet& whole, const CpuSet& part) { return std::ranges::includes(whole, part); }

void check_nic(const Nic& nic, const CpuSurvey& cpus) {
  require(includes(cpus.allowed, nic.placement_cpus));
  require(cpus.allowed.empty() || !nic.placement_cpus.empty());
  require(nic.rx_queues >= 0 && nic.tx_queues >= 0);
  require(!nic.node || *nic.node >= 0);
  require((nic.irqs.evidence == IrqEvidence::none) == (nic.irqs.queues.empty() && nic.irqs.others.empty()));
  std::set<int> numbers;
  for (const auto& irq : nic.irqs.queues) require(numbers.insert(irq.irq).second && (!irq.queue || *irq.queue >= 0));
  for (const auto& irq : nic.irqs.others) require(numbers.insert(irq.irq).second);
}

void check_machine(const FileTree& tree) {
  const auto host = make_tree_host(tree);
  const auto view = read_machine(*host);
  const auto captured = capture_machine(*host);
  require(view.has_value() == captured.has_value());
  if (!view) return;
  require(includes(view->cpus.online, view->cpus.allowed));
  for (const auto& [name, nic] : view->interfaces) check_nic(nic, view->cpus);
  for (const auto& [irq, counts] : view->interrupts) require(!counts.empty());
  const auto again = make_tree_host(*captured);
  const auto second = read_machine(*again);
  require(second && second->interfaces.size() == view->interfaces.size());
}

}  // namespace

void fuzz_one(std::span<const std::uint8_t> input) {
  const std::string_view text = netsettle::fuzz::as_text(input);
  check_machine(tree_of(text));
  if (const auto tree = parse_tree_archive(text, "input"))
    for (const auto& [path, node] : *tree) require(path.starts_with('/') && path.find("/../") == std::string::npos);
}
