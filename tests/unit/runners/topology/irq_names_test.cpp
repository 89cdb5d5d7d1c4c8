#include "runners/topology/irq_names.hpp"

#include <catch2/catch.hpp>

using namespace netsettle::runners;
using Kind = ActionRole::Kind;

TEST_CASE("an interface's name counts as a whole word only") {
  CHECK(has_word("i40e-eth1-TxRx-0", "eth1"));
  CHECK(has_word("eth1", "eth1"));
  CHECK(has_word("eth1 (queue 0)", "eth1"));
  CHECK(has_word("eth1:lsc", "eth1"));
  CHECK(has_word("ena-mgmnt@pci:0000:00:05.0", "0000:00:05.0"));
  CHECK_FALSE(has_word("eth10-TxRx-0", "eth1"));
  CHECK_FALSE(has_word("veth1-TxRx-0", "eth1"));
  CHECK_FALSE(has_word("eth1.5-TxRx-0", "eth1"));
  CHECK_FALSE(has_word("mlx5_comp0@pci:0000:01:00.01", "0000:01:00.0"));
  CHECK_FALSE(has_word("eth1", ""));
}

TEST_CASE("the longest name of an interface wins") {
  CHECK(named_interface("lan-2-TxRx-0", {"lan", "lan-2"}) == "lan-2");
  CHECK(named_interface("lan-TxRx-0", {"lan", "lan-2"}) == "lan");
  CHECK(named_interface("mlx5_comp0@pci:0000:01:00.0", {"eth0"}) == std::nullopt);
}

TEST_CASE("the names that drivers give queue interrupts") {
  struct Row {
    const char *action, *interface, *address;
    std::optional<int> queue;
    QueueDirection direction;
  };
  using enum QueueDirection;
  for (const Row& row : {Row{"p1p1-TxRx-3", "p1p1", "0000:05:00.0", 3, combined},
                         Row{"i40e-ens5f0-TxRx-12", "ens5f0", "0000:81:00.0", 12, combined},
                         Row{"ice-em3-TxRx-0", "em3", "", 0, combined},
                         Row{"iavf-eth0-TxRx-1", "eth0", "", 1, combined},
                         Row{"ens5-Tx-Rx-7", "ens5", "", 7, combined},
                         Row{"ens192-rxtx-2", "ens192", "", 2, combined},
                         Row{"em1-fp-0", "em1", "", 0, combined},
                         Row{"eth0-rx-1", "eth0", "", 1, rx},
                         Row{"eth0-tx-0", "eth0", "", 0, tx},
                         Row{"eth2 (queue 3)", "eth2", "0000:82:00.4", 3, combined},
                         Row{"eth2-Rx4", "eth2", "", 4, rx},
                         Row{"mlx4-8@0000:03:00.0", "ens2", "0000:03:00.0", 8, combined},
                         Row{"mlx5_comp11@pci:0000:01:00.0", "eth0", "0000:01:00.0", 11, combined},
                         Row{"mana_q5@pci:7870:00:00.0", "eth1", "7870:00:00.0", 5, combined},
                         Row{"gve-ntfy-blk6@pci:0000:00:04.0", "ens4", "0000:00:04.0", 6, combined},
                         Row{"virtio2-input.0", "eth0", "0000:00:03.0", 0, rx},
                         Row{"virtio2-output.3", "eth0", "0000:00:03.0", 3, tx},
                         Row{"virtio2-input", "eth0", "", std::nullopt, rx},
                         Row{"eth0-q1-rx", "eth0", "", 1, rx},
                         Row{"eth0-q0-tx", "eth0", "", 0, tx},
                         Row{"eth0-rx", "eth0", "", std::nullopt, rx},
                         Row{"hns3-0000:7d:00.0-TxRx-2", "eno1", "0000:7d:00.0", 2, combined},
                         Row{"eth0_qp3", "eth0", "", 3, combined}}) {
    INFO(row.action);
    const ActionRole role = role_of_action(row.action, row.interface, row.address);
    CHECK(role.kind == Kind::queue);
    CHECK(role.queue == row.queue);
    CHECK(role.direction == row.direction);
  }
}

TEST_CASE("vectors that serve no queue are told apart, also where their names have numbers") {
  for (const char* action : {"mlx5_async0@pci:0000:01:00.0", "mlx4-async@pci:0000:01:00.0", "ena-mgmnt@pci:0000:01:00.0",
                             "i40e-0000:01:00.0:misc", "i40e-0000:01:00.0:fdir-TxRx-0", "ice-0000:01:00.0:ctrl-TxRx-0", "eth0-event-4",
                             "virtio0-config", "0000:01:00.0-FWeventq", "bnxt_re-nq-0@pci:0000:01:00.0", "mana_hwc@pci:0000:01:00.0",
                             "gve-mgmnt@pci:0000:01:00.0", "irdma-ceq-1", "eth0-err", "iavf-0000:01:00.0:mbx"}) {
    INFO(action);
    CHECK(role_of_action(action, "eth0", "0000:01:00.0").kind == Kind::other);
  }
}

TEST_CASE("a bare name and an unknown form are neither queue nor other") {
  CHECK(role_of_action("eth0", "eth0", "").kind == Kind::bare);
  CHECK(role_of_action("0000:82:00.4", "eth0", "0000:82:00.4").kind == Kind::bare);
  const ActionRole unknown = role_of_action("eth0-3", "eth0", "");
  CHECK(unknown.kind == Kind::unknown);
  CHECK(unknown.queue == 3);
  CHECK(role_of_action("ahci", "eth0", "").kind == Kind::unknown);
  CHECK(role_of_action("", "eth0", "").kind == Kind::bare);
}
