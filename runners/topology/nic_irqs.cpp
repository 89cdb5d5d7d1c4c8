// The interrupts of one device.

#include <algorithm>
#include <climits>
#include <tuple>

#include "runners/probes/text_lines.hpp"
#include "runners/topology/fact_reader.hpp"
#include "runners/topology/nic.hpp"

namespace netsettle::runners {
namespace {

using Kind = ActionRole::Kind;

std::string last_part(std::string_view path) { return std::string(path.substr(path.rfind('/') + 1)); }

std::vector<int> msi_numbers(Host& host, const std::string& folder) {
  std::vector<int> numbers;
  for (const std::string& name : host.list_directory(folder + "/msi_irqs").value_or(std::vector<std::string>()))
    if (const auto number = whole_number<int>(name)) numbers.push_back(*number);
  std::ranges::sort(numbers);
  return numbers;
}

/// The number in the function's irq file; nullopt for 0, which is what it says with message interrupts.
std::optional<int> irq_file(Host& host, const std::string& folder) {
  const auto text = host.read_file(folder + "/irq");
  const auto number = text ? whole_number<int>(first_line(*text)) : std::nullopt;
  return number && *number > 0 ? number : std::nullopt;
}

class IrqFinder {
 public:
  IrqFinder(Host& host, const NicDevice& device, const IrqLines& lines, const std::set<std::string>& interfaces,
            const std::set<std::string>& same_function)
      : host_(host), device_(device), lines_(lines), interfaces_(interfaces), same_function_(same_function) {}

  NicIrqs find() {
    NicIrqs irqs;
    if (device_.bus.empty() || device_.kind == NicKind::vmbus) return irqs;  // vmbus: channels instead of interrupts
    const auto numbers = candidates(irqs.evidence);
    for (const int number : numbers) sort_in(number, irqs);
    promote(irqs);
    if (device_.driver == "gve" || device_.driver == "gvnic") split_blocks(irqs.queues);
    std::ranges::stable_sort(irqs.queues, {},
                             [](const QueueIrq& irq) { return std::tuple(irq.queue.value_or(INT_MAX), irq.direction, irq.irq); });
    if (irqs.queues.empty() && irqs.others.empty()) irqs.evidence = IrqEvidence::none;
    return irqs;
  }

 private:
  std::vector<int> candidates(IrqEvidence& evidence) {
    const bool is_own = device_.bus == device_.device;
    evidence = is_own ? IrqEvidence::msi_irqs : IrqEvidence::msi_irqs_of_parent;
    if (auto numbers = msi_numbers(host_, device_.bus); !numbers.empty()) return numbers;
    evidence = IrqEvidence::names;
    auto numbers = named();
    const auto line = irq_file(host_, device_.bus);
    const bool is_the_line = line && (numbers.empty() || numbers == std::vector<int>{*line});
    if (!is_the_line || lines_.actions(*line).empty()) return numbers;
    evidence = IrqEvidence::irq_file;
    return {*line};
  }

  /// Interrupts with the interface, the function's address, the virtio index or a platform device's name in a handler's name.
  std::vector<int> named() {
    std::vector<int> numbers;
    for (const int number : lines_.numbers()) {
      const auto actions = lines_.actions(number);
      if (std::ranges::any_of(actions, [&](const std::string& action) { return is_named(action); })) numbers.push_back(number);
    }
    return numbers;
  }
  bool is_named(const std::string& action) const {
    if (const auto name = named_interface(action, interfaces_)) return name == device_.name;
    if (device_.pci && has_word(action, *device_.pci)) return true;
    const bool is_called_by_device = device_.kind == NicKind::virtio || device_.kind == NicKind::platform;
    return is_called_by_device && has_word(action, last_part(device_.device));
  }

  /// The handler of a line that is this interface's; nullopt where the line is another port's of the same function.
  std::optional<std::string> own_action(const std::vector<std::string>& actions) const {
    std::optional<std::string> best;
    for (const std::string& action : actions) {
      const auto name = named_interface(action, interfaces_);
      if (name == device_.name) return action;
      if (name && same_function_.contains(*name)) continue;
      if (!best) best = action;
    }
    return best;
  }

  void sort_in(int number, NicIrqs& irqs) {
    const auto actions = lines_.actions(number);
    const auto action = own_action(actions);
    if (!action) return;  // no handler: the vector is not in use; or another port's
    const bool is_line = irqs.evidence == IrqEvidence::irq_file;
    const ActionRole role = role_of_action(*action, device_.name, device_.pci.value_or(""));
    if (role.kind == Kind::queue && !is_line) {
      irqs.queues.push_back({number, role.queue, role.direction, *action, std::nullopt});
    } else {
      irqs.others.push_back({number, *action});
      roles_[number] = role;
    }
    if (is_line && actions.size() > 1) irqs.shared_actions = actions;
  }

  /// Where no name has a known form: those of an unknown form are kept as queues, or those with the bare name where there is no other
  /// (one that serves all queues, or one for each, all called the same).
  void promote(NicIrqs& irqs) {
    if (!irqs.queues.empty() || irqs.evidence == IrqEvidence::irq_file) return;
    const bool all_bare =
        std::ranges::all_of(irqs.others, [this](const OtherIrq& other) { return roles_.at(other.irq).kind == Kind::bare; });
    std::erase_if(irqs.others, [&](const OtherIrq& other) {
      const ActionRole& role = roles_.at(other.irq);
      if (role.kind != Kind::unknown && !(role.kind == Kind::bare && all_bare)) return false;
      irqs.queues.push_back({other.irq, role.queue, QueueDirection::combined, other.action, std::nullopt});
      return true;
    });
  }

  /// gve: the first half of the notify blocks sends, the second receives.
  static void split_blocks(std::vector<QueueIrq>& queues) {
    std::ranges::sort(queues, {}, [](const QueueIrq& irq) { return irq.queue.value_or(INT_MAX); });
    for (std::size_t i = 0; i < queues.size(); ++i) queues[i].direction = i < queues.size() / 2 ? QueueDirection::tx : QueueDirection::rx;
  }

  Host& host_;
  const NicDevice& device_;
  const IrqLines& lines_;
  const std::set<std::string>& interfaces_;
  const std::set<std::string>& same_function_;
  std::map<int, ActionRole> roles_;
};

}  // namespace

std::string_view to_text(IrqEvidence evidence) {
  switch (evidence) {
    case IrqEvidence::msi_irqs:
      return "msi_irqs";
    case IrqEvidence::msi_irqs_of_parent:
      return "msi_irqs of the parent";
    case IrqEvidence::names:
      return "names";
    case IrqEvidence::irq_file:
      return "irq file";
    case IrqEvidence::lower_device:
      return "lower device";
    case IrqEvidence::lower_devices:
      return "lower devices";
    case IrqEvidence::none:
      return "none";
  }
  return "";
}

NicIrqs find_device_irqs(Host& host, const NicDevice& device, const IrqLines& lines, const std::set<std::string>& interfaces,
                         const std::set<std::string>& same_function) {
  return IrqFinder(host, device, lines, interfaces, same_function).find();
}

}  // namespace netsettle::runners
