// The forms of names that drivers give their interrupts, with other interfaces, addresses, numbers of queues and CPUs than any captured
// machine has, with the list of message interrupts and without it.

#include <catch2/catch.hpp>

#include <functional>

#include "tests/unit/runners/topology/card_machine.hpp"

using namespace netsettle;
using namespace netsettle::runners;
using tests::Machine;
using tests::numbers;

namespace {

struct Card {
  std::string interface, address;
};

struct Driver {
  std::string name;
  std::function<std::vector<std::string>(const Card&, int)> queue;  // the handlers of one queue
  std::function<std::vector<std::string>(const Card&)> others;
};

using Names = std::vector<std::string>;

std::vector<Driver> drivers() {
  const auto one = [](std::string_view form) {
    return [form](const Card& card, int queue) {
      return Names{fmt::format(fmt::runtime(form), fmt::arg("if", card.interface), fmt::arg("pci", card.address), fmt::arg("q", queue))};
    };
  };
  const auto plain = [](std::initializer_list<std::string_view> forms) {
    return [list = std::vector<std::string_view>(forms)](const Card& card) {
      Names names;
      for (const auto form : list)
        names.push_back(fmt::format(fmt::runtime(form), fmt::arg("if", card.interface), fmt::arg("pci", card.address)));
      return names;
    };
  };
  return {
      {"ixgbe", one("{if}-TxRx-{q}"), plain({"{if}"})},
      {"i40e", one("i40e-{if}-TxRx-{q}"), plain({"i40e-{pci}:misc", "i40e-{pci}:fdir-TxRx-0"})},
      {"ice", one("ice-{if}-TxRx-{q}"), plain({"ice-{pci}:misc", "ice-{pci}:ctrl-TxRx-1"})},
      {"iavf", one("iavf-{if}-TxRx-{q}"), plain({"iavf-{pci}:mbx"})},
      {"igb",
       [](const Card& card, int q) {
         return Names{fmt::format("{}-rx-{}", card.interface, q), fmt::format("{}-tx-{}", card.interface, q)};
       },
       plain({"{if}"})},
      {"mlx5_core", one("mlx5_comp{q}@pci:{pci}"), plain({"mlx5_async0@pci:{pci}", "mlx5_pages_eq@pci:{pci}"})},
      {"mlx4_core", one("mlx4-{q}@{pci}"), plain({"mlx4-async@pci:{pci}"})},
      {"bnx2x", one("{if}-fp-{q}"), plain({"{if}"})},
      {"bnxt_en", one("{if}-TxRx-{q}"), plain({"bnxt_re-nq-0@pci:{pci}"})},
      {"ena", one("{if}-Tx-Rx-{q}"), plain({"ena-mgmnt@pci:{pci}"})},
      {"vmxnet3", one("{if}-rxtx-{q}"), plain({"{if}-event-9"})},
      {"mana", one("mana_q{q}@pci:{pci}"), plain({"mana_hwc@pci:{pci}"})},
      {"cxgb4", one("{if} (queue {q})"), plain({"{pci}", "{pci}-FWeventq"})},
      {"hns3", one("hns3-{pci}-TxRx-{q}"), plain({"hclge-misc-{pci}"})},
      {"octeontx2", one("{if}-rxtx-{q}"), plain({"RVUPF0_MBOX-{pci}"})},
      {"sfc", one("{if}-{q}"), plain({"{if}-ptp"})},
  };
}

const std::vector<Card> kCards = {{"eth0", "0000:01:00.0"},      {"eth1", "0000:c1:00.1"},  {"eth10", "10000:e1:00.0"},
                                  {"ens3f0np0", "0000:3b:00.0"}, {"lan-2", "0001:00:02.0"}, {"enp65s0f1np1", "0000:41:1f.7"},
                                  {"rx0", "7870:00:00.0"},       {"wan_a", "0000:00:05.0"}, {"p1p1.x", "abcd:ef:1a.3"}};

std::string folder_of(const Card& card) { return "/sys/devices/pci0000:00/" + card.address; }

struct Numbers {
  std::vector<int> queues, others;
};

/// Adds the card and its interrupts from `first` on, in an order that is not that of the queues.
Numbers add(Machine& machine, const Driver& driver, const Card& card, int queues, int first, bool listed) {
  const std::string device = machine.add(card.interface, folder_of(card), "pci", driver.name);
  Numbers expected;
  int irq = first;
  const auto note = [&](const std::string& action, std::vector<int>& list) {
    machine.add_irq(irq, action, listed ? device : "");
    list.push_back(irq++);
  };
  for (const auto& action : driver.others(card)) note(action, expected.others);
  std::map<int, std::vector<int>> by_queue;
  for (int queue = queues - 1; queue >= 0; --queue)
    for (const auto& action : driver.queue(card, queue)) note(action, by_queue[queue]);
  for (const auto& [queue, list] : by_queue) expected.queues.insert(expected.queues.end(), list.begin(), list.end());
  machine.host.add_file(device + "/irq", "0\n");
  return expected;
}

std::vector<int> sorted(std::vector<int> list) {
  std::ranges::sort(list);
  return list;
}

std::vector<int> numbers_of(const std::vector<OtherIrq>& irqs) {
  std::vector<int> result;
  for (const auto& irq : irqs) result.push_back(irq.irq);
  return sorted(result);
}

}  // namespace

TEST_CASE("each driver's names are understood for any interface, address and number of queues") {
  for (const Driver& driver : drivers())
    for (const Card& card : kCards)
      for (const int queues : {1, 2, 3, 16, 64}) {
        INFO(driver.name << " " << card.interface << " " << card.address << " " << queues);
        Machine machine;
        const auto expected = add(machine, driver, card, queues, 100, true);
        const Nic nic = machine.nic(card.interface);
        CHECK(nic.irqs.evidence == IrqEvidence::msi_irqs);
        CHECK(numbers(nic.irqs.queues) == expected.queues);
        CHECK(numbers_of(nic.irqs.others) == sorted(expected.others));
        CHECK(nic.device.pci == card.address);
        for (const auto& queue : nic.irqs.queues) CHECK(queue.queue.has_value());
      }
}

TEST_CASE("without a list of message interrupts the names tell, beside another card of the same driver") {
  for (const Driver& driver : drivers()) {
    if (driver.name == "octeontx2") continue;  // its mailbox has no name of interface or function that would find it
    for (const auto& [card, other] : {std::pair(kCards[0], kCards[1]), std::pair(kCards[1], kCards[2]), std::pair(kCards[3], kCards[4])})
      for (const int queues : {1, 4, 16}) {
        INFO(driver.name << " " << card.interface << " beside " << other.interface << ", " << queues);
        Machine machine;
        const auto expected = add(machine, driver, card, queues, 100, false);
        const auto neighbour = add(machine, driver, other, queues, 300, false);
        machine.add_irq(500, "ahci[0000:00:1f.2]");
        machine.add_irq(501, "nvme0q1");
        const Nic nic = machine.nic(card.interface), second = machine.nic(other.interface);
        CHECK(nic.irqs.evidence == IrqEvidence::names);
        CHECK(numbers(nic.irqs.queues) == expected.queues);
        CHECK(numbers_of(nic.irqs.others) == sorted(expected.others));
        CHECK(numbers(second.irqs.queues) == neighbour.queues);
      }
  }
}

TEST_CASE("a virtio card is told by its index, from 0 to one of two digits") {
  for (const int index : {0, 1, 10, 12})
    for (const int queues : {1, 2, 8})
      for (const bool listed : {true, false}) {
        INFO(index << " " << queues << " " << listed);
        Machine machine;
        const std::string function = "/sys/devices/pci0000:00/0000:00:0a.0";
        machine.add("ens10", fmt::format("{}/virtio{}", function, index), "virtio", "virtio_net");
        std::vector<int> expected;
        for (int queue = 0; queue < queues; ++queue)
          for (const char* way : {"input", "output"}) {
            expected.push_back(40 + static_cast<int>(expected.size()));
            machine.add_irq(expected.back(), fmt::format("virtio{}-{}.{}", index, way, queue), listed ? function : "");
          }
        machine.add_irq(39, fmt::format("virtio{}-config", index), listed ? function : "");
        machine.add_irq(90, fmt::format("virtio{}1-input.0", index));
        machine.add_irq(91, fmt::format("virtio{}-req.0", index + 3));
        const Nic nic = machine.nic("ens10");
        CHECK(nic.irqs.evidence == (listed ? IrqEvidence::msi_irqs_of_parent : IrqEvidence::names));
        CHECK(numbers(nic.irqs.queues) == expected);
        CHECK(numbers_of(nic.irqs.others) == std::vector<int>{39});
      }
}

TEST_CASE("of gve the first half of the blocks sends, whatever their number") {
  for (const int blocks : {2, 8, 32}) {
    Machine machine;
    const Driver gve{"gve", [](const Card& card, int q) { return Names{fmt::format("gve-ntfy-blk.{}@pci:{}", q, card.address)}; },
                     [](const Card& card) { return Names{fmt::format("gve-mgmnt@pci:{}", card.address)}; }};
    const auto expected = add(machine, gve, {"ens4", "0000:00:04.0"}, blocks, 30, true);
    const Nic nic = machine.nic("ens4");
    CHECK(numbers(nic.irqs.queues) == expected.queues);
    CHECK(numbers_of(nic.irqs.others) == expected.others);
    CHECK(std::ranges::count(nic.irqs.queues, QueueDirection::tx, &QueueIrq::direction) == blocks / 2);
    CHECK(nic.irqs.queues.front().direction == QueueDirection::tx);
  }
}

TEST_CASE("handlers that all have the interface's bare name are its queues") {
  Machine machine;
  const std::string card = machine.add("enp1s0", "/sys/devices/pci0000:00/0000:01:00.0", "pci", "atlantic");
  for (const int irq : {60, 61, 62, 63}) machine.add_irq(irq, "enp1s0", card);
  const Nic nic = machine.nic("enp1s0");
  CHECK(numbers(nic.irqs.queues) == std::vector<int>{60, 61, 62, 63});
  CHECK(nic.irqs.others.empty());
}

TEST_CASE("a device of a chip is told by its own name where its interrupts have not the interface's") {
  Machine machine;
  machine.add("end0", "/sys/devices/platform/soc/30be0000.ethernet", "platform", "fec");
  machine.add("end1", "/sys/devices/platform/soc/30bf0000.ethernet", "platform", "fec");
  for (const int irq : {51, 52, 53}) machine.add_irq(irq, "30be0000.ethernet");
  machine.add_irq(54, "30bf0000.ethernet");
  CHECK(numbers(machine.nic("end0").irqs.queues) == std::vector<int>{51, 52, 53});
  CHECK(numbers(machine.nic("end1").irqs.queues) == std::vector<int>{54});
}

TEST_CASE("xen has one event channel a queue or one for all, of guests and of the host's side") {
  Machine machine;
  machine.add("eth0", "/sys/devices/vif-0", "xen", "vif");
  machine.add("vif1.0", "/sys/devices/xen-backend/vif-1-0", "xen-backend", "vif");
  machine.add("eth3", "/sys/devices/vif-3", "xen", "vif");
  int irq = 80;
  for (const int queue : {0, 1, 2}) {
    machine.add_irq(irq++, fmt::format("eth0-q{}-tx", queue));
    machine.add_irq(irq++, fmt::format("eth0-q{}-rx", queue));
  }
  machine.add_irq(90, "vif1.0-q0-rx");
  machine.add_irq(91, "vif1.0-q0-tx");
  machine.add_irq(92, "eth3");
  CHECK(numbers(machine.nic("eth0").irqs.queues) == std::vector<int>{81, 80, 83, 82, 85, 84});
  CHECK(machine.nic("vif1.0").device.kind == NicKind::xen);
  CHECK(numbers(machine.nic("vif1.0").irqs.queues) == std::vector<int>{90, 91});
  CHECK(numbers(machine.nic("eth3").irqs.queues) == std::vector<int>{92});
}

TEST_CASE("a synthetic interface of Hyper-V has the interrupts of the virtual function below it, by any driver") {
  for (const auto& [driver, form, address] :
       {std::tuple("mlx5_core", "mlx5_comp{}@pci:{}", "a1b2:00:02.0"), {"mana", "mana_q{}@pci:{}", "7870:00:00.0"}}) {
    INFO(driver);
    Machine machine;
    const std::string channel = "/sys/devices/LNXSYSTM:00/vmbus/f8615163";
    machine.add("eth7", channel, "vmbus", "hv_netvsc");
    machine.host.add_file(channel + "/channels/21/cpu", "3\n");
    machine.host.add_file(channel + "/channels/4/cpu", "0\n");
    CHECK(machine.nic("eth7").irqs.evidence == IrqEvidence::none);
    CHECK(machine.nic("eth7").problems.empty());
    const std::string function = fmt::format("/sys/devices/LNXSYSTM:00/vmbus/pci{0}/{0}", address);
    machine.add("enP1s2", function, "pci", driver);
    for (const int queue : {0, 1, 2}) machine.add_irq(70 + queue, fmt::format(fmt::runtime(form), queue, address), function);
    machine.host.add_link(channel + "/net/eth7/lower_enP1s2", "/sys/class/net/enP1s2");
    const Nic nic = machine.nic("eth7");
    CHECK(nic.irqs.evidence == IrqEvidence::lower_device);
    CHECK(numbers(nic.irqs.queues) == std::vector<int>{70, 71, 72});
    CHECK(nic.channel_cpus == std::map<int, int>{{4, 0}, {21, 3}});
  }
}

TEST_CASE("a VLAN over a bond of two cards has the queues and the near CPUs of both") {
  Machine machine;
  const Driver ice = drivers()[2];
  const auto first = add(machine, ice, {"eth1", "0000:01:00.0"}, 2, 30, true);
  const auto second = add(machine, ice, {"eth10", "0000:81:00.0"}, 2, 40, true);
  machine.host.add_file(folder_of({"", "0000:01:00.0"}) + "/local_cpulist", "0-1\n");
  machine.host.add_file(folder_of({"", "0000:81:00.0"}) + "/local_cpulist", "2-3\n");
  machine.add_virtual("bond7", {"eth1", "eth10"});
  machine.add_virtual("bond7.100", {"bond7"});
  machine.add_virtual("br-lan", {"bond7.100"});
  for (const char* name : {"bond7", "bond7.100", "br-lan"}) {
    INFO(name);
    const Nic nic = machine.nic(name);
    std::vector<int> both = first.queues;
    both.insert(both.end(), second.queues.begin(), second.queues.end());
    CHECK(numbers(nic.irqs.queues) == both);
    CHECK(nic.leaf_devices == Names{"eth1", "eth10"});
    CHECK(nic.leaf_cpus == CpuSet{0, 1, 2, 3});
    CHECK(nic.irqs.evidence == IrqEvidence::lower_devices);
  }
}

TEST_CASE("the node without a file for it: from the near CPUs, from the only node, or unknown") {
  for (const int cpus : {1, 2, 8, 96, 256}) {
    INFO(cpus);
    Machine machine;
    const std::string card = machine.add("eth0", "/sys/devices/pci0000:00/0000:01:00.0", "pci", "ixgbe");
    const int half = cpus / 2;
    const std::string all = fmt::format("0-{}\n", cpus - 1), upper = fmt::format("{}-{}\n", half, cpus - 1);
    machine.host.add_file("/sys/devices/system/cpu/online", all);
    machine.host.add_file("/sys/devices/system/node/node0/cpulist", half > 0 ? fmt::format("0-{}\n", half - 1) : "\n");
    machine.host.add_file("/sys/devices/system/node/node1/cpulist", upper);
    CHECK(machine.nic("eth0").node_source == NodeSource::unknown);
    CHECK_FALSE(machine.nic("eth0").node.has_value());
    machine.host.add_file(card + "/local_cpulist", upper);
    CHECK(machine.nic("eth0").node == 1);
    CHECK(machine.nic("eth0").node_source == NodeSource::local_cpulist);
    CHECK(machine.nic("eth0").placement_cpus.size() == static_cast<std::size_t>(cpus - half));
    machine.host.remove_file("/sys/devices/system/node/node1/cpulist");
    machine.host.remove_file(card + "/local_cpulist");
    CHECK(machine.nic("eth0").node_source == NodeSource::single_node);
  }
}

TEST_CASE("near CPUs that are off line are not placed on") {
  Machine machine;
  const std::string card = machine.add("eth0", "/sys/devices/pci0000:00/0000:01:00.0", "pci", "ixgbe");
  machine.host.add_file("/sys/devices/system/cpu/online", "0-1,3\n");
  machine.host.add_file(card + "/numa_node", "1\n");
  machine.host.add_file(card + "/local_cpulist", "2-3\n");
  CHECK(machine.nic("eth0").placement_cpus == CpuSet{3});  // a lone CPU 3 is CPU 3
  machine.host.add_file("/sys/devices/system/cpu/online", "0-1\n");
  const Nic nic = machine.nic("eth0");
  CHECK(nic.placement_fallback);
  CHECK(nic.placement_cpus == CpuSet{0, 1});
  CHECK(std::ranges::any_of(nic.problems, [](const std::string& text) { return text.find("none of its local CPUs (2-3)") != text.npos; }));
}
