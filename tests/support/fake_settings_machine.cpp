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
  return contents;
}

std::string FakeSettingsMachine::journal_text() const {
  return runners::read_whole_file((paths().undo_directory / "journal").string()).value_or("");
}

}  // namespace netsettle::tests
