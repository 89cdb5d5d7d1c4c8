// A real interrupt of this machine, the one that comes least often, as if it were that of a card's queue: moved by the guard, read back,
// given back byte for byte. The card is a fake one; /proc/irq and /proc/interrupts are real.

#include <numeric>

#include <catch2/catch.hpp>

#include "runners/hosts/local_host.hpp"
#include "runners/probes/interrupts.hpp"
#include "runners/settings/guard.hpp"
#include "tests/support/fake_host.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace netsettle;
using namespace netsettle::runners;

namespace {

int quietest(Host& host) {
  const Interrupts table = parse_interrupts(host.read_file("/proc/interrupts").value()).value();
  std::optional<std::pair<std::uint64_t, int>> least;
  for (const auto& [irq, row] : table.irqs) {
    const auto total = std::accumulate(row.counts.begin(), row.counts.end(), std::uint64_t{0});
    if (!row.actions.empty() && (!least || total < least->first)) least = {total, irq};
  }
  REQUIRE(least);
  return least->second;
}

/// One CPU of the list, or another one than the only one in it, where there is one.
std::string other_place(Host& host, const std::string& list) {
  const CpuSet now = parse_cpu_list(list).value();
  CpuSet online = parse_cpu_list(host.read_file("/sys/devices/system/cpu/online").value()).value();
  if (now.size() == 1 && online.size() > 1) online.erase(*now.begin());
  return to_cpu_list({*online.begin()});
}

void add_card(tests::FakeHost& server, int irq) {
  const std::string device = "/sys/devices/pci0000:80/0000:81:00.0";
  server.add_link("/sys/class/net/nic0/device", device);
  server.add_file("/sys/class/net/nic0/queues/rx-0/rps_cpus", "0\n");
  server.add_file(device + "/numa_node", "0\n");
  server.add_file(fmt::format("{}/msi_irqs/{}", device, irq), "msix\n");
  server.add_file("/sys/devices/system/cpu/online", "0-1\n");
  server.add_file("/proc/interrupts", fmt::format("     CPU0  CPU1\n {}: 0 0  PCI-MSIX-0000:81:00.0  1-edge  nic0-TxRx-0\n", irq));
}

}  // namespace

TEST_CASE("a real interrupt is moved, read back and given back") {
  const auto host = make_local_host();
  const int irq = quietest(*host);
  const std::string path = fmt::format("/proc/irq/{}/smp_affinity_list", irq);
  const std::string before = host->read_file(path).value();
  CAPTURE(path, before);
  tests::FakeHost server("nst-card");
  add_card(server, irq);
  tests::TemporaryFolder folder;
  const GuardPaths paths{.lock_file = folder.file("lock"), .undo_directory = folder.file("undo"), .lock_info = folder.file("holder.json")};
  const auto guard = SettingsGuard::open({.paths = paths, .study = "interrupt", .database = "none", .guard_program = {}}).value();
  const SettingContext context{.host = host.get(), .server = &server, .interface = "nic0", .cpus = {0, 1}};
  const std::string place = other_place(*host, before);
  auto rows = guard->apply(context, {{"interrupts.map", place}});
  REQUIRE(rows.size() == 1);
  CAPTURE(rows[0].target, rows[0].errno_value, to_text(rows[0].status));
  CHECK((rows[0].status == SettingStatus::ok || rows[0].status == SettingStatus::same));
  CHECK(host->read_file(path).value() == place + "\n");
  guard->read_back(context, rows);
  CHECK(rows[0].at_end == place);
  CHECK(guard->restore().complete());
  CHECK(host->read_file(path).value() == before);
  CHECK(!journal_is_open(paths));
}
