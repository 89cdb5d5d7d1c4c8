#pragma once
// A fake machine with settings for the guard: host-wide sysctls on the host, namespace sysctls and two receive queues in "nss-test"; the
// lock and the journal are real, in a temporary folder.

#include "runners/settings/guard.hpp"
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

  FakeSettingsMachine();

  runners::SettingContext context();
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
};

}  // namespace netsettle::tests
