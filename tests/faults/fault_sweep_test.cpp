// A machine that fails at its n-th operation: afterwards all originals are back, or the report and the journal say which are not, and the
// next restore brings them back. With NETSETTLE_SWEEP=full for every n and every errno of a list, else for a sample of both.

#include <cerrno>
#include <cstdlib>
#include <iostream>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "runners/settings/guard.hpp"
#include "tests/support/fake_settings_machine.hpp"

using namespace netsettle;
using namespace netsettle::runners;
using Machine = netsettle::tests::FakeSettingsMachine;

namespace {

constexpr int kErrors[] = {ENOENT, EPERM, EACCES, EROFS, EINVAL, EIO, ENOSPC, EOVERFLOW, EBUSY, EINTR, ENODEV};

using Contents = std::map<std::string, std::string>;

/// Two configurations one after the other, as two trials would have them, and everything given back.
RestoreReport study(Machine& machine) {
  const auto guard = SettingsGuard::open(machine.guard_options()).value();
  const auto context = machine.context();
  auto rows = guard->apply(context, {{"sysctl.net.core.rmem_max", "4194304"},
                                     {"sysctl.net.core.rps_sock_flow_entries", "1000"},
                                     {"sysctl.net.ipv4.udp_mem", "1 2 3"},
                                     {"queues.rps.count", "2"}});
  guard->read_back(context, rows);
  rows =
      guard->apply(context, {{"sysctl.net.core.rmem_max", "300000"}, {"sysctl.net.ipv4.udp_rmem_min", "8192"}, {"queues.rps.count", "3"}});
  guard->read_back(context, rows);
  return guard->restore();
}

using Rows = std::vector<AppliedSetting>;

/// Two configurations of a network card, one of whose interrupts the kernel keeps for itself, and of CPUs.
Rows card_rows(SettingsGuard& guard, const SettingContext& context) {
  Rows rows = guard.apply(context, {{"interrupts.count", "2"},
                                    {"interrupts.node", "remote"},
                                    {"queues.rfs.entries", "1000"},
                                    {"queues.rps.mask", "0-1"},
                                    {"queues.xps.count", "2"}});
  guard.read_back(context, rows);
  Rows more = guard.apply(context, {{"interrupts.map", "0 1 2"},
                                    {"queues.xps.count", "0"},
                                    {"napi.threaded", "1"},
                                    {"nic.features.gro", "1"},
                                    {"nic.coalesce.rx-usecs", "50"},
                                    {"cpu.governor", "performance"},
                                    {"cpu.idle", "0"},
                                    {"cpu.dma_latency", "0"}});
  guard.read_back(context, more);
  std::ranges::move(more, std::back_inserter(rows));
  return rows;
}

/// Two configurations of the queues themselves: fewer and more of them, with what is said of each.
Rows queue_rows(SettingsGuard& guard, const SettingContext& context) {
  Rows rows =
      guard.apply(context, {{"nic.channels.combined", "2"}, {"nic.ring.rx", "1024"}, {"queues.rps.count", "2"}, {"interrupts.count", "1"}});
  guard.read_back(context, rows);
  Rows more =
      guard.apply(context, {{"nic.channels.combined", "5"}, {"nic.rss.count", "3"}, {"nic.rss.udp4", "sdfn"}, {"queues.xps.count", "2"}});
  guard.read_back(context, more);
  std::ranges::move(more, std::back_inserter(rows));
  return rows;
}

RestoreReport queue_study(Machine& machine) {
  const auto guard = SettingsGuard::open(machine.guard_options()).value();
  queue_rows(*guard, machine.card_context());
  return guard->restore();
}

RestoreReport card_study(Machine& machine) {
  const auto guard = SettingsGuard::open(machine.guard_options()).value();
  card_rows(*guard, machine.card_context());
  return guard->restore();
}

using Study = RestoreReport (*)(Machine&);

void equip(Machine& machine, Study study) {
  if (study == queue_study) {
    machine.add_card();
    // As an administrator has it: none of it is what the driver makes of a new queue.
    for (int queue = 0; queue < 4; ++queue) {
      machine.server.set_content(fmt::format("/sys/class/net/nic0/queues/rx-{}/rps_cpus", queue), fmt::format("{:x}\n", 8 >> queue));
      machine.server.set_content(fmt::format("/sys/class/net/nic0/queues/tx-{}/xps_cpus", queue), "5\n");
      machine.host.set_content(Machine::affinity_path(41 + queue), fmt::format("{}\n", queue));
    }
  }
  if (study != card_study) return;
  machine.add_card();
  machine.add_processors();
  machine.make_kernels_own(42, EPERM);
}

std::size_t operations_of(Study study) {
  Machine machine;
  equip(machine, study);
  REQUIRE(study(machine).complete());
  return machine.log->operations().size();
}

/// Every file that differs from its original, or is missing, is named as not given back.
void check_honest(const Machine& machine, const Contents& originals, const RestoreReport& report) {
  CHECK(journal_is_open(machine.paths()) == !report.complete());
  const Contents now = machine.contents();
  for (const auto& [key, original] : originals) {
    const std::string content = now.contains(key) ? now.at(key) : "is not there";
    if (content == original) continue;
    const std::string path = key.substr(key.find(':') + 1);
    const bool is_named = std::ranges::any_of(report.items, [&](const RestoreItem& item) {
      return item.what.starts_with(path) && (item.status == RestoreItem::Status::failed || item.status == RestoreItem::Status::conflict);
    });
    CAPTURE(key, content, machine.journal_text());
    CHECK(is_named);
  }
}

void check_given_back_at_last(Machine& machine, const Contents& originals) {
  machine.log->stop_failing();
  const auto report = restore_from_journal(machine.paths(), machine.restore_options());
  REQUIRE(report);
  CAPTURE(to_json(*report));
  CHECK(report->complete());
  CHECK(machine.contents() == originals);
  CHECK(!journal_is_open(machine.paths()));
}

/// Journals in memory: a sweep makes thousands.
void keep_temporary_files_in_memory() { ::setenv("TMPDIR", "/dev/shm", 1); }

bool is_full() {
  const char* wanted = std::getenv("NETSETTLE_SWEEP");
  return wanted != nullptr && std::string_view(wanted) == "full";
}

struct Point {
  std::size_t operation;
  int error;
};

/// All of them, or some two hundred spread over the study, each with another error.
std::vector<Point> points(std::size_t count) {
  constexpr std::size_t kSample = 200;
  std::vector<Point> points;
  for (std::size_t n = 1; n <= count; ++n)
    for (const int error : kErrors) points.push_back({n, error});
  if (is_full()) return points;
  std::vector<Point> sample;
  for (std::size_t i = 0; i < kSample; ++i) sample.push_back(points[i * points.size() / kSample + i % std::size(kErrors)]);
  return sample;
}

template <typename Break>
void sweep(std::string_view what, Study study, Break break_at) {
  keep_temporary_files_in_memory();
  const std::size_t count = operations_of(study);
  std::size_t runs = 0, incomplete = 0;
  for (const auto& [n, error] : points(count)) {
    CAPTURE(n, error);
    Machine machine;
    equip(machine, study);
    const auto originals = machine.contents();
    break_at(*machine.log, n, error);
    const auto report = study(machine);
    ++runs;
    if (!report.complete()) ++incomplete;
    check_honest(machine, originals, report);
    check_given_back_at_last(machine, originals);
  }
  std::cout << what << ": " << runs << " runs (of " << count << " operations x " << std::size(kErrors) << " errors), all byte-identical; "
            << incomplete << " of them only by a second restore\n";
}

}  // namespace

TEST_CASE("the study of card and CPUs applies all that it asks for") {
  Machine machine;
  equip(machine, card_study);
  const auto guard = SettingsGuard::open(machine.guard_options()).value();
  const Rows rows = card_rows(*guard, machine.card_context());
  CHECK(rows.size() == 13);
  for (const auto& row : rows) {
    CAPTURE(row.setting, to_text(row.status));
    CHECK((row.status == SettingStatus::ok && row.at_end == row.effective));
  }
}

TEST_CASE("the study of channels and queues applies all that it asks for") {
  Machine machine;
  equip(machine, queue_study);
  const auto guard = SettingsGuard::open(machine.guard_options()).value();
  const Rows rows = queue_rows(*guard, machine.card_context());
  CHECK(rows.size() == 8);
  for (const auto& row : rows) {
    CAPTURE(row.setting, to_text(row.status), row.errno_value);
    CHECK((row.status == SettingStatus::ok && row.at_end == row.effective));
  }
}

TEST_CASE("whichever single operation fails, everything is given back or named") {
  const auto fail_one = [](tests::OperationLog& log, std::size_t n, int error) { log.fail_operation(n, error); };
  sweep("one failing operation", study, fail_one);
  sweep("one failing operation, card and CPUs", card_study, fail_one);
  sweep("one failing operation, channels and queues", queue_study, fail_one);
}

TEST_CASE("from whichever operation on everything fails, everything is given back later") {
  const auto fail_all = [](tests::OperationLog& log, std::size_t n, int error) { log.fail_from(n, error); };
  sweep("all operations failing from one on", study, fail_all);
  sweep("all operations failing from one on, card and CPUs", card_study, fail_all);
  sweep("all operations failing from one on, channels and queues", queue_study, fail_all);
}

TEST_CASE("a write that is reported as failed but took effect is given back") {
  keep_temporary_files_in_memory();
  Machine machine;
  const auto originals = machine.contents();
  machine.host.on_write(Machine::kRmemMax, [&](std::string_view text) -> std::expected<std::string, int> {
    machine.host.set_content(Machine::kRmemMax, std::string(text));
    return std::unexpected(EIO);
  });
  const auto guard = SettingsGuard::open(machine.guard_options()).value();
  const auto rows = guard->apply(machine.context(), {{"sysctl.net.core.rmem_max", "4194304"}});
  CHECK(rows[0].status == SettingStatus::eio);
  CHECK(guard->restore().complete());
  CHECK(machine.contents() == originals);
}
