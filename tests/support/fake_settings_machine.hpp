#pragma once
// A fake machine with settings for the guard: host-wide sysctls on the host, namespace sysctls and two receive queues in "nss-test"; the
// lock and the journal are real, in a temporary folder. With a card: a network card "nic0" of four queues on node 1, with interrupts; with
// processors: what CPUs and the scheduler offer.

#include "runners/settings/guard.hpp"
#include "tests/support/fake_card.hpp"
#include "tests/support/fake_host.hpp"
#include "tests/support/temporary_folder.hpp"

namespace netsettle::tests {

class FakeSettingsMachine {
 public:
  static constexpr const char* kRmemMax = "/proc/sys/net/core/rmem_max";
  static constexpr const char* kRmemDefault = "/proc/sys/net/core/rmem_default";
  static constexpr const char* kBudgetUsecs = "/proc/sys/net/core/netdev_budget_usecs";
  static constexpr const char* kFlowEntries = "/proc/sys/net/core/rps_sock_flow_entries";
  static constexpr const char* kUdpMem = "/proc/sys/net/ipv4/udp_mem";
  static constexpr const char* kUdpRmemMin = "/proc/sys/net/ipv4/udp_rmem_min";
  static constexpr const char* kQueue0 = "/sys/class/net/nss0/queues/rx-0/rps_cpus";
  static constexpr const char* kQueue1 = "/sys/class/net/nss0/queues/rx-1/rps_cpus";

  static constexpr const char* kCardDevice = "/sys/devices/pci0000:80/0000:81:00.0";

  FakeSettingsMachine();

  void add_card();
  std::optional<FakeCard> card;
  void add_processors();
  static std::string affinity_path(int irq);  // 41 to 44 are those of nic0's queues
  /// The n-th of four counts of each queue's interrupt, all the same, for /proc/interrupts.
  void count_interrupts(int count);
  /// /proc/interrupts, which no namespace changes.
  void show_interrupts(const std::string& table);
  /// As EIO or EPERM of an interrupt that the kernel places itself.
  void make_kernels_own(int irq, int errno_value);

  runners::SettingContext context();
  /// The same with nic0 as the interface, and all four CPUs.
  runners::SettingContext card_context();
  runners::GuardPaths paths() const;
  runners::GuardOptions guard_options();
  runners::RestoreOptions restore_options();
  /// Everything that settings can change, by host and path.
  std::map<std::string, std::string> contents() const;
  std::string journal_text() const;

  std::shared_ptr<OperationLog> log = std::make_shared<OperationLog>();
  FakeHost host{"", log};
  FakeHost server{"nss-test", log};
  TemporaryFolder folder;

 private:
  runners::HostOpener opener();
  void add_setting(FakeHost& owner, const std::string& path, std::string content, FakeHost::WriteRule rule);
  void add_queue(int queue);
  void reset_queues();
  std::vector<std::pair<FakeHost*, std::string>> added_;
};

}  // namespace netsettle::tests
