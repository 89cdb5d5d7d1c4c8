#include "tests/support/fake_settings_machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <charconv>

#include "datasets/model/cpu_set.hpp"
#include "runners/hosts/files.hpp"

namespace netsettle::tests {
namespace {

/// As rps_cpus of a kernel with four CPUs.
std::expected<std::string, int> write_mask(std::string_view written) {
  const auto cpus = parse_cpu_mask(written);
  if (!cpus) return std::unexpected(EINVAL);
  if (!cpus->empty() && *cpus->rbegin() >= 4) return std::unexpected(EOVERFLOW);
  return to_cpu_mask(*cpus) + "\n";
}

/// As rps_sock_flow_entries: rounded up to a power of two.
std::expected<std::string, int> write_rounded(std::string_view written) {
  unsigned number = 0;
  const auto [end, status] = std::from_chars(written.data(), written.data() + written.size(), number);
  if (status != std::errc()) return std::unexpected(EINVAL);
  return fmt::format("{}\n", number == 0 ? 0u : std::bit_ceil(number));
}

/// As the triples of net.ipv4: separated by tabs.
std::expected<std::string, int> write_triple(std::string_view written) {
  std::string text(written.substr(0, written.find('\n')));
  std::ranges::replace(text, ' ', '\t');
  return text + "\n";
}

/// As smp_affinity_list of a kernel with four CPUs.
std::expected<std::string, int> write_list(std::string_view written) {
  const auto cpus = parse_cpu_list(written);
  if (!cpus || cpus->empty()) return std::unexpected(EINVAL);
  if (*cpus->rbegin() >= 4) return std::unexpected(ERANGE);
  return to_cpu_list(*cpus) + "\n";
}

std::expected<std::string, int> write_number(std::string_view written) {
  long long number = 0;
  const auto [end, status] = std::from_chars(written.data(), written.data() + written.size(), number);
  if (status != std::errc()) return std::unexpected(EINVAL);
  return fmt::format("{}\n", number);
}

std::expected<std::string, int> write_governor(std::string_view written) {
  const std::string word(written.substr(0, written.find('\n')));
  if (word != "performance" && word != "powersave") return std::unexpected(EINVAL);
  return word + "\n";
}

/// As sched/preempt: takes a word, shows all of them.
std::expected<std::string, int> write_preemption(std::string_view written) {
  const std::string word(written.substr(0, written.find('\n')));
  std::string text;
  for (const std::string known : {"none", "voluntary", "full"}) text += known == word ? "(" + known + ") " : known + " ";
  if (!text.contains('(')) return std::unexpected(EINVAL);
  return text + "\n";
}

std::expected<std::string, int> write_latency(std::string_view written) {
  return written.starts_with("n/a") ? std::expected<std::string, int>("n/a\n") : write_number(written);
}

}  // namespace

FakeSettingsMachine::FakeSettingsMachine() {
  host.add_number_file(kRmemMax, "212992\n");
  host.add_number_file(kRmemDefault, "212992\n");
  host.add_number_file(kBudgetUsecs, "8000\n");
  host.add_file(kFlowEntries, "0\n");
  host.on_write(kFlowEntries, write_rounded);
  host.add_file(kUdpMem, "188694\t251592\t377388\n");
  host.on_write(kUdpMem, write_triple);
  host.add_number_file(kUdpRmemMin, "4096\n");
  server.add_file(kRmemMax, "212992\n");
  server.make_read_only(kRmemMax);
  server.add_number_file(kUdpRmemMin, "4096\n");
  for (const char* queue : {kQueue0, kQueue1}) {
    server.add_file(queue, "0\n");
    server.on_write(queue, write_mask);
  }
  server.share_clock(host);
}

void FakeSettingsMachine::add_setting(FakeHost& owner, const std::string& path, std::string content, FakeHost::WriteRule rule) {
  owner.add_file(path, std::move(content));
  owner.on_write(path, std::move(rule));
  if (std::ranges::find(added_, std::pair(&owner, path)) == added_.end()) added_.emplace_back(&owner, path);
}

std::string FakeSettingsMachine::affinity_path(int irq) { return fmt::format("/proc/irq/{}/smp_affinity_list", irq); }

void FakeSettingsMachine::count_interrupts(int count) {
  std::string table = "            CPU0       CPU1       CPU2       CPU3\n";
  table += fmt::format(" 40: {0:10} {0:10} {0:10} {0:10}   PCI-MSIX-0000:81:00.0   0-edge      nic0\n", 1);
  for (int queue = 0; queue < 4; ++queue)
    table += fmt::format(" {1}: {0:10} {0:10} {0:10} {0:10}   PCI-MSIX-0000:81:00.0   {2}-edge      nic0-TxRx-{3}\n", count, 41 + queue,
                         queue + 1, queue);
  show_interrupts(table);
}

void FakeSettingsMachine::show_interrupts(const std::string& table) {
  host.add_file("/proc/interrupts", table);
  server.add_file("/proc/interrupts", table);
}

void FakeSettingsMachine::make_kernels_own(int irq, int errno_value) { host.fail_writes(affinity_path(irq), errno_value); }

void FakeSettingsMachine::add_card() {
  card.emplace("nic0");
  card->on_reset = [this] { reset_queues(); };
  server.add_program("ethtool", [this](const runners::ProcessSpec& spec) { return card->ethtool(spec); });
  const std::string card_folder = "/sys/class/net/nic0/";
  const std::string device = kCardDevice;
  server.add_link(card_folder + "device", device);
  server.add_file(device + "/numa_node", "1\n");
  server.add_file(device + "/msi_irqs/40", "msix\n");
  for (int queue = 0; queue < 4; ++queue) {
    const int irq = 41 + queue;
    server.add_file(fmt::format("{}/msi_irqs/{}", device, irq), "msix\n");
    const std::string effective = fmt::format("/proc/irq/{}/effective_affinity_list", irq);
    host.add_file(effective, "0\n");
    add_setting(host, affinity_path(irq), "0-3\n", [this, effective](std::string_view written) {
      auto list = write_list(written);
      if (list) host.add_file(effective, fmt::format("{}\n", *parse_cpu_list(*list)->begin()));
      return list;
    });
    add_queue(queue);
  }
  for (const char* file : {"threaded", "napi_defer_hard_irqs", "gro_flush_timeout"})
    add_setting(server, card_folder + file, "0\n", write_number);
  for (FakeHost* owner : {&host, &server}) {
    owner->add_file("/sys/devices/system/cpu/online", "0-3\n");
    owner->add_file("/sys/devices/system/node/node0/cpulist", "0-1\n");
    owner->add_file("/sys/devices/system/node/node1/cpulist", "2-3\n");
  }
  count_interrupts(0);
}

void FakeSettingsMachine::add_queue(int queue) {
  const std::string queues = "/sys/class/net/nic0/queues";
  add_setting(server, fmt::format("{}/rx-{}/rps_cpus", queues, queue), "0\n", write_mask);
  add_setting(server, fmt::format("{}/rx-{}/rps_flow_cnt", queues, queue), "0\n", write_rounded);
  add_setting(server, fmt::format("{}/tx-{}/xps_cpus", queues, queue), fmt::format("{:x}\n", 1 << queue), write_mask);
}

/// As a driver does it: queues that go lose all, the others keep their receive side; transmit masks and interrupts are the driver's again.
void FakeSettingsMachine::reset_queues() {
  const std::string queues = "/sys/class/net/nic0/queues";
  for (int queue = 0; queue < FakeCard::kMostChannels; ++queue) {
    const std::string receive = fmt::format("{}/rx-{}/", queues, queue), mask = fmt::format("{}/tx-{}/xps_cpus", queues, queue);
    if (queue >= card->channels()) {
      for (const std::string& path : {receive + "rps_cpus", receive + "rps_flow_cnt", mask}) server.remove_file(path);
    } else {
      if (!server.has_file(mask)) add_queue(queue);
      server.set_content(mask, fmt::format("{:x}\n", 1 << queue % 4));
    }
  }
  for (int irq = 41; irq < 45; ++irq) host.set_content(affinity_path(irq), "0-3\n");
}

void FakeSettingsMachine::add_processors() {
  const std::string cpus = "/sys/devices/system/cpu/";
  for (int cpu = 0; cpu < 2; ++cpu) {
    const std::string policy = fmt::format("{}cpufreq/policy{}/", cpus, cpu);
    add_setting(host, policy + "scaling_governor", "powersave\n", write_governor);
    host.add_file(policy + "scaling_available_governors", "performance powersave\n");
    add_setting(host, policy + "energy_performance_preference", "balance_performance\n",
                [](std::string_view written) { return std::string(written.substr(0, written.find('\n'))) + "\n"; });
    for (int state = 0; state < 3; ++state)
      add_setting(host, fmt::format("{}cpu{}/cpuidle/state{}/disable", cpus, cpu, state), "0\n", write_number);
    add_setting(host, fmt::format("{}cpu{}/power/pm_qos_resume_latency_us", cpus, cpu), "0\n", write_latency);
  }
  add_setting(host, cpus + "intel_pstate/no_turbo", "0\n", write_number);
  for (const char* key : {"base_slice_ns", "wakeup_granularity_ns", "latency_ns", "migration_cost_ns", "nr_migrate", "tunable_scaling"})
    add_setting(host, std::string("/sys/kernel/debug/sched/") + key, "2\n", write_number);
  add_setting(host, "/sys/kernel/debug/sched/preempt", "none (voluntary) full \n", write_preemption);
}

runners::SettingContext FakeSettingsMachine::card_context() {
  auto with_card = context();
  with_card.interface = "nic0";
  with_card.cpus = {0, 1, 2, 3};
  return with_card;
}

runners::SettingContext FakeSettingsMachine::context() {
  return {.host = &host, .server = &server, .interface = "nss0", .cpus = {0, 1, 2}, .dedicated_namespace = true};
}

runners::GuardPaths FakeSettingsMachine::paths() const {
  return {.lock_file = folder.path() / "run/lock",
          .undo_directory = folder.path() / "state/undo",
          .lock_info = folder.path() / "run/holder.json"};
}

runners::HostOpener FakeSettingsMachine::opener() {
  return [this](const std::string& netns) -> Expected<std::unique_ptr<runners::Host>> {
    if (netns.empty()) return borrow(host);
    if (netns == "nss-test") return borrow(server);
    return fail(ErrorCode::not_found, netns, "no such namespace");
  };
}

runners::GuardOptions FakeSettingsMachine::guard_options() {
  return {.paths = paths(), .study = "a study", .database = "/tmp/a.db", .guard_program = {}, .open_host = opener()};
}

runners::RestoreOptions FakeSettingsMachine::restore_options() { return {.open_host = opener()}; }

std::map<std::string, std::string> FakeSettingsMachine::contents() const {
  std::map<std::string, std::string> contents;
  for (const char* path : {kRmemMax, kRmemDefault, kBudgetUsecs, kFlowEntries, kUdpMem, kUdpRmemMin}) contents[path] = host.content(path);
  for (const char* path : {kUdpRmemMin, kQueue0, kQueue1}) contents[std::string("nss-test:") + path] = server.content(path);
  if (card)
    for (const auto& [name, value] : card->contents()) contents["nss-test:" + name] = value;
  for (const auto& [owner, path] : added_) {
    const std::string space = owner->network_namespace();
    if (owner->has_file(path)) contents[space.empty() ? path : space + ":" + path] = owner->content(path);
  }
  return contents;
}

std::string FakeSettingsMachine::journal_text() const {
  return runners::read_whole_file((paths().undo_directory / "journal").string()).value_or("");
}

}  // namespace netsettle::tests
