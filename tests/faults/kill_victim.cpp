// kill_victim NAMESPACE|- INTERFACE N GUARD_PROGRAM|- alone|with-guard
// A study in small: a child, two configurations, and everything given back. Kills itself (SIGKILL), and its guard too if told so, right
// before its N-th operation on the machine. Prints the pid of its child, and the number of operations when it was not killed.

#include <unistd.h>

#include <charconv>
#include <csignal>
#include <cstdio>

#include <fmt/format.h>

#include "runners/hosts/files.hpp"
#include "runners/hosts/local_host.hpp"
#include "runners/settings/guard.hpp"
#include "runners/settings/values.hpp"

using namespace netsettle;
using namespace netsettle::runners;

namespace {

class Executioner {
 public:
  enum class Victims { alone, with_guard };
  Executioner(std::int64_t last, Victims victims) : last_(last), victims_(victims) {}

  void before_operation() {
    if (++count_ != last_) return;
    std::fflush(stdout);
    if (victims_ == Victims::with_guard) kill_guard();
    ::kill(::getpid(), SIGKILL);
  }
  std::int64_t count() const { return count_; }

 private:
  static void kill_guard() {
    const auto names = names_in("/proc").value();
    for (const auto& name : names) {
      const auto stat = read_whole_file("/proc/" + name + "/stat");
      if (!stat || stat->find("(netsettle-guard) ") == std::string::npos) continue;
      if (std::stoi(stat->substr(stat->rfind(") ") + 4)) == ::getpid()) ::kill(static_cast<pid_t>(*decimal(name)), SIGKILL);
    }
  }

  std::int64_t last_, count_ = 0;
  Victims victims_;
};

class DoomedHost final : public Host {
 public:
  DoomedHost(std::unique_ptr<Host> host, Executioner& executioner) : host_(std::move(host)), executioner_(executioner) {}
  Expected<std::string> read_file(const std::string& path) override { return doomed().read_file(path); }
  Expected<void> write_file(const std::string& path, std::string_view text) override { return doomed().write_file(path, text); }
  Expected<std::vector<std::string>> list_directory(const std::string& path) override { return doomed().list_directory(path); }
  Expected<std::string> real_path(const std::string& path) override { return doomed().real_path(path); }
  Expected<void> check_writable(const std::string& path) override { return doomed().check_writable(path); }
  Expected<std::unique_ptr<Process>> start(const ProcessSpec& spec) override { return doomed().start(spec); }
  Expected<std::string> exchange_datagram(const std::string& address, int port, std::string_view bytes, Microseconds timeout) override {
    return doomed().exchange_datagram(address, port, bytes, timeout);
  }
  Clock& clock() override { return host_->clock(); }
  std::string network_namespace() const override { return host_->network_namespace(); }

 private:
  Host& doomed() {
    executioner_.before_operation();
    return *host_;
  }
  std::unique_ptr<Host> host_;
  Executioner& executioner_;
};

Expected<std::unique_ptr<Host>> open_doomed(const std::string& netns, Executioner& executioner) {
  if (netns.empty()) return std::make_unique<DoomedHost>(make_local_host(), executioner);
  NETSETTLE_ASSIGN(auto host, make_namespace_host(netns));
  return std::make_unique<DoomedHost>(std::move(host), executioner);
}

constexpr std::string_view kNoNamespace = "-";

using Wanted = std::map<std::string, std::string>;
const std::vector<Wanted> kOfNamespace = {{{"sysctl.net.ipv4.udp_rmem_min", "8192"},
                                           {"nic.channels.rx", "1"},
                                           {"nic.features.gro", "1"},
                                           {"queues.rps.count", "2"},
                                           {"queues.xps.count", "1"},
                                           {"napi.defer_hard_irqs", "2"},
                                           {"sysctl.net.ipv4.ip_local_port_range", "20000 50000"}},
                                          {{"sysctl.net.ipv4.udp_rmem_min", "16384"},
                                           {"sysctl.net.ipv4.udp_early_demux", "0"},
                                           {"nic.channels.tx", "1"},
                                           {"queues.rps.count", "1"},
                                           {"napi.gro_flush_timeout", "20000"}}};
const std::vector<Wanted> kOfMachine = {{{"nic.channels.combined", "2"},
                                         {"nic.features.gro", "1"},
                                         {"interrupts.count", "1"},
                                         {"queues.rps.count", "2"},
                                         {"cpu.governor", "performance"},
                                         {"cpu.idle", "0"}},
                                        {{"nic.coalesce.rx-usecs", "50"},
                                         {"interrupts.map", "1 1 0"},
                                         {"queues.rfs.entries", "1024"},
                                         {"queues.xps.count", "2"},
                                         {"cpu.dma_latency", "10"}}};

Expected<void> check(const std::vector<AppliedSetting>& rows) {
  for (const auto& row : rows)
    if (row.status != SettingStatus::ok) return fail(ErrorCode::refused, row.setting, std::string(to_text(row.status)));
  return {};
}

Expected<void> study(const std::string& netns, const std::string& interface, const std::string& guard_program, Executioner& executioner) {
  NETSETTLE_ASSIGN(const auto host, open_doomed("", executioner));
  NETSETTLE_ASSIGN(const auto server, open_doomed(netns == kNoNamespace ? "" : netns, executioner));
  GuardOptions options{.paths = default_guard_paths(), .study = "victim", .database = "none"};
  if (guard_program != "-") options.guard_program = guard_program;
  options.open_host = [&](const std::string& name) { return open_doomed(name, executioner); };
  NETSETTLE_ASSIGN(const auto guard, SettingsGuard::open(options));
  const SettingContext context{
      .host = host.get(), .server = server.get(), .interface = interface, .cpus = {0, 1}, .dedicated_namespace = true};

  NETSETTLE_ASSIGN(const auto child, server->start({.argv = {"sleep", "1000"}}));
  fmt::print("child {}\n", child->pid());
  NETSETTLE_TRY(guard->watch_child(child->pid()));
  for (const auto& wanted : netns == kNoNamespace ? kOfMachine : kOfNamespace) {
    auto rows = guard->apply(context, wanted);
    guard->read_back(context, rows);
    NETSETTLE_TRY(check(rows));
  }
  if (!guard->restore().complete()) return fail(ErrorCode::io, "restore", "is not complete");
  return {};
}

}  // namespace

int main(int count, char** words) {
  const auto last = count == 6 ? decimal(words[3]) : std::nullopt;
  if (!last) return 2;
  Executioner executioner(*last,
                          std::string_view(words[5]) == "with-guard" ? Executioner::Victims::with_guard : Executioner::Victims::alone);
  const auto done = study(words[1], words[2], words[4], executioner);
  if (!done) fmt::print(stderr, "{}\n", to_text(done.error()));
  fmt::print("operations {}\n", executioner.count());
  return done ? 0 : 1;
}
