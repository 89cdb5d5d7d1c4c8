#include "runners/settings/guard.hpp"

#include <unistd.h>

#include <cerrno>

#include <catch2/catch.hpp>

#include "tests/support/fake_settings_machine.hpp"

using namespace netsettle;
using namespace netsettle::runners;
using Machine = netsettle::tests::FakeSettingsMachine;
using netsettle::tests::OperationKind;

namespace {

std::vector<std::string> writes_of(const Machine& machine) {
  std::vector<std::string> writes;
  for (const auto& operation : machine.log->operations())
    if (operation.kind == OperationKind::write) writes.push_back(to_text(operation));
  return writes;
}

std::unique_ptr<SettingsGuard> open_on(Machine& machine) { return SettingsGuard::open(machine.guard_options()).value(); }

const AppliedSetting& row_of(const std::vector<AppliedSetting>& rows, const std::string& name) {
  const auto row = std::ranges::find(rows, name, &AppliedSetting::setting);
  REQUIRE(row != rows.end());
  return *row;
}

}  // namespace

TEST_CASE("settings are applied, read back, and given back byte for byte") {
  Machine machine;
  const auto before = machine.contents();
  const auto guard = open_on(machine);
  const auto rows = guard->apply(
      machine.context(), {{"sysctl.net.core.rmem_max", "4194304"}, {"queues.rps.count", "2"}, {"sysctl.net.ipv4.udp_mem", "1 2 3"}});
  REQUIRE(rows.size() == 3);
  const auto& rmem = row_of(rows, "sysctl.net.core.rmem_max");
  CHECK(rmem.status == SettingStatus::ok);
  CHECK(rmem.requested == "4194304");
  CHECK(rmem.before == "212992");
  CHECK(rmem.effective == "4194304");
  CHECK(rmem.target == Machine::kRmemMax);
  const auto& rps = row_of(rows, "queues.rps.count");
  CHECK(rps.before == "0");
  CHECK(rps.effective == "2");
  CHECK(rps.target == std::string(Machine::kQueue0) + " and 1 more (namespace nss-test)");
  REQUIRE(rps.files.size() == 2);
  CHECK(rps.files[1].path == Machine::kQueue1);
  CHECK(rps.files[1].netns == "nss-test");
  CHECK(rps.files[1].before == "0");
  CHECK(rps.files[1].effective == "3");
  CHECK(row_of(rows, "sysctl.net.ipv4.udp_mem").effective == "1 2 3");
  CHECK(machine.server.content(Machine::kQueue1) == "3\n");
  const auto report = guard->restore();
  CHECK(report.complete());
  CHECK(report.items.size() == 4);
  CHECK(machine.contents() == before);
  CHECK(!journal_is_open(machine.paths()));
}

TEST_CASE("only differences are written") {
  Machine machine;
  const auto guard = open_on(machine);
  guard->apply(machine.context(), {{"sysctl.net.core.rmem_max", "500000"}, {"sysctl.net.core.rmem_default", "212992"}});
  CHECK(writes_of(machine) == std::vector<std::string>{"write /proc/sys/net/core/rmem_max 500000"});
  const auto rows = guard->apply(machine.context(), {{"sysctl.net.core.rmem_max", "500000"}, {"sysctl.net.core.rmem_default", "300000"}});
  CHECK(row_of(rows, "sysctl.net.core.rmem_max").status == SettingStatus::same);
  CHECK(writes_of(machine).size() == 2);
}

TEST_CASE("a setting that the next configuration leaves alone goes back as it was found") {
  Machine machine;
  const auto guard = open_on(machine);
  guard->apply(machine.context(), {{"sysctl.net.core.rmem_max", "500000"}, {"queues.rps.count", "1"}});
  const auto rows = guard->apply(machine.context(), {{"queues.rps.count", "1"}});
  CHECK(rows.size() == 1);
  CHECK(machine.host.content(Machine::kRmemMax) == "212992\n");
  const auto last = guard->apply(machine.context(), {{"queues.rps.count", "as-found"}});
  CHECK(last[0].effective == "0");
  CHECK(machine.server.content(Machine::kQueue0) == "0\n");
}

TEST_CASE("limits go before what they limit, both ways") {
  Machine machine;
  const auto guard = open_on(machine);
  guard->apply(machine.context(),
               {{"sysctl.net.core.rmem_max", "500000"}, {"sysctl.net.core.rmem_default", "500000"}, {"queues.rps.count", "1"}});
  guard->apply(machine.context(), {});
  const std::vector<std::string> expected = {
      fmt::format("write nss-test:{} 1", Machine::kQueue0),    fmt::format("write nss-test:{} 1", Machine::kQueue1),
      fmt::format("write {} 500000", Machine::kRmemMax),       fmt::format("write {} 500000", Machine::kRmemDefault),
      fmt::format("write nss-test:{} 0\n", Machine::kQueue0),  fmt::format("write nss-test:{} 0\n", Machine::kQueue1),
      fmt::format("write {} 212992\n", Machine::kRmemDefault), fmt::format("write {} 212992\n", Machine::kRmemMax)};
  CHECK(writes_of(machine) == expected);
}

TEST_CASE("the journal holds the original before the first write") {
  Machine machine;
  const auto guard = open_on(machine);
  std::string seen;
  machine.log->on_operation = [&](const tests::Operation& operation) {
    if (operation.kind == OperationKind::write && seen.empty()) seen = machine.journal_text();
  };
  guard->apply(machine.context(), {{"sysctl.net.core.rmem_max", "500000"}});
  CHECK(seen.find(R"("original":"212992\n")") != std::string::npos);
  CHECK(seen.find(R"("text":"500000")") != std::string::npos);
}

TEST_CASE("a value that the kernel rounds is in force as rounded, and still given back") {
  Machine machine;
  const auto guard = open_on(machine);
  const auto rows = guard->apply(machine.context(), {{"sysctl.net.core.rps_sock_flow_entries", "1000"}});
  CHECK(rows[0].status == SettingStatus::ok);
  CHECK(rows[0].effective == "1024");
  CHECK(guard->restore().complete());
  CHECK(machine.host.content(Machine::kFlowEntries) == "0\n");
}

TEST_CASE("a value that the kernel cuts is recorded as clamped, and still given back") {
  Machine machine;
  machine.host.on_write(Machine::kRmemMax, [](std::string_view) { return std::string("100000\n"); });
  const auto guard = open_on(machine);
  const auto rows = guard->apply(machine.context(), {{"sysctl.net.core.rmem_max", "500000"}});
  CHECK(rows[0].status == SettingStatus::clamped);
  CHECK(rows[0].effective == "100000");
  machine.host.on_write(Machine::kRmemMax, [](std::string_view text) { return std::string(text); });
  const auto report = guard->restore();
  CHECK(report.complete());
  CHECK(report.items[0].status == RestoreItem::Status::restored);
  CHECK(machine.host.content(Machine::kRmemMax) == "212992\n");
}

TEST_CASE("each refusal has its status") {
  const auto [error, status] = GENERATE(table<int, SettingStatus>({{EPERM, SettingStatus::eperm},
                                                                   {EACCES, SettingStatus::eacces},
                                                                   {EROFS, SettingStatus::eacces},
                                                                   {EINVAL, SettingStatus::einval},
                                                                   {ERANGE, SettingStatus::einval},
                                                                   {EIO, SettingStatus::eio},
                                                                   {ENOSPC, SettingStatus::enospc},
                                                                   {EOVERFLOW, SettingStatus::eoverflow},
                                                                   {ENOENT, SettingStatus::absent},
                                                                   {EOPNOTSUPP, SettingStatus::refused},
                                                                   {EBUSY, SettingStatus::refused}}));
  Machine machine;
  machine.host.fail_writes(Machine::kRmemMax, error);
  const auto guard = open_on(machine);
  const auto rows = guard->apply(machine.context(), {{"sysctl.net.core.rmem_max", "500000"}, {"queues.rps.count", "1"}});
  const auto& row = row_of(rows, "sysctl.net.core.rmem_max");
  CHECK(row.status == status);
  CHECK(row.errno_value == error);
  CHECK(row.effective == "212992");
  CHECK(row_of(rows, "queues.rps.count").status == SettingStatus::ok);
  CHECK(guard->restore().complete());
}

TEST_CASE("a setting that cannot be found or a value that is none is refused in its row") {
  Machine machine;
  const auto guard = open_on(machine);
  const auto rows =
      guard->apply(machine.context(), {{"sysctl.net.core.nothing", "1"}, {"sysctl.net.core.rmem_max", "4k"}, {"queues.rps.count", "9"}});
  CHECK(row_of(rows, "sysctl.net.core.nothing").status == SettingStatus::absent);
  CHECK(row_of(rows, "sysctl.net.core.rmem_max").status == SettingStatus::einval);
  CHECK(row_of(rows, "queues.rps.count").status == SettingStatus::einval);
  CHECK(writes_of(machine).empty());
}

TEST_CASE("what somebody else writes is reported and never overwritten") {
  Machine machine;
  const auto guard = open_on(machine);
  auto rows = guard->apply(machine.context(), {{"sysctl.net.core.rmem_max", "500000"}, {"queues.rps.count", "1"}});
  machine.host.set_content(Machine::kRmemMax, "777777\n");

  guard->read_back(machine.context(), rows);
  CHECK(row_of(rows, "sysctl.net.core.rmem_max").status == SettingStatus::drifted);
  CHECK(row_of(rows, "sysctl.net.core.rmem_max").at_end == "777777");
  CHECK(row_of(rows, "queues.rps.count").status == SettingStatus::ok);
  CHECK(row_of(rows, "queues.rps.count").at_end == "1");

  rows = guard->apply(machine.context(), {{"sysctl.net.core.rmem_max", "600000"}});
  CHECK(rows[0].status == SettingStatus::drifted);
  CHECK(rows[0].effective == "777777");
  rows = guard->apply(machine.context(), {});
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].requested == "as-found");
  CHECK(rows[0].status == SettingStatus::drifted);

  const auto report = guard->restore();
  CHECK(!report.complete());
  CHECK(machine.host.content(Machine::kRmemMax) == "777777\n");
  CHECK(machine.server.content(Machine::kQueue0) == "0\n");
  CHECK(journal_is_open(machine.paths()));
}

TEST_CASE("a setting that the study never wrote is looked at as well") {
  Machine machine;
  const auto guard = open_on(machine);
  std::vector<AppliedSetting> rows = {
      {.setting = "sysctl.net.core.rmem_max", .requested = "as-found", .effective = "212992", .status = SettingStatus::same},
      {.setting = "server.processes", .requested = "2", .effective = "2", .at_end = "2"}};
  guard->read_back(machine.context(), rows);
  CHECK(rows[0].status == SettingStatus::same);
  CHECK(rows[1].status == SettingStatus::ok);
  machine.host.set_content(Machine::kRmemMax, "5\n");
  guard->read_back(machine.context(), rows);
  CHECK(rows[0].status == SettingStatus::drifted);
}

TEST_CASE("settings can be given back in a pause and applied again") {
  Machine machine;
  const auto before = machine.contents();
  const auto guard = open_on(machine);
  guard->apply(machine.context(), {{"sysctl.net.core.rmem_max", "500000"}});
  CHECK(guard->restore_settings().complete());
  CHECK(machine.contents() == before);
  machine.host.set_content(Machine::kRmemMax, "300000\n");  // the administrator's new value, while the study paused
  guard->apply(machine.context(), {{"sysctl.net.core.rmem_max", "500000"}});
  CHECK(guard->restore().complete());
  CHECK(machine.host.content(Machine::kRmemMax) == "300000\n");
}

TEST_CASE("the destructor gives back what nobody gave back") {
  Machine machine;
  const auto before = machine.contents();
  open_on(machine)->apply(machine.context(), {{"sysctl.net.core.rmem_max", "500000"}});
  CHECK(machine.contents() == before);
  CHECK(!lock_holder(machine.paths()));
}

TEST_CASE("after everything is given back nothing is changed any more") {
  Machine machine;
  const auto before = machine.contents();
  const auto guard = open_on(machine);
  CHECK(guard->restore().complete());
  const auto rows = guard->apply(machine.context(), {{"sysctl.net.core.rmem_max", "500000"}});
  CHECK(rows[0].status == SettingStatus::refused);
  CHECK(guard->will_create_namespace("x").error().code == ErrorCode::internal);
  CHECK(guard->watch_child(1).error().code == ErrorCode::internal);
  CHECK(machine.contents() == before);
}

TEST_CASE("namespaces and links are noted before they are made, and removed after the settings in them") {
  Machine machine;
  machine.host.add_file("/run/netns/other", "");
  machine.host.add_file("/sys/class/net/lo/mtu", "65536\n");
  machine.host.add_program("ip", [&](const ProcessSpec& spec) {
    const std::string name = spec.argv.back();
    return tests::FakeProgram{.at_end = [&machine, name] {
      machine.host.remove_file("/run/netns/" + name);
      machine.host.remove_file("/sys/class/net/" + name + "/mtu");
    }};
  });
  const auto guard = open_on(machine);
  CHECK(guard->will_create_namespace("other").error().code == ErrorCode::conflict);
  CHECK(guard->will_create_link("lo").error().code == ErrorCode::conflict);
  REQUIRE(guard->will_create_namespace("nss-test"));
  REQUIRE(guard->will_create_namespace("never-made"));
  REQUIRE(guard->will_create_link("nsl0"));
  machine.host.add_file("/run/netns/nss-test", "");
  machine.host.add_file("/sys/class/net/nsl0/mtu", "1500\n");
  guard->apply(machine.context(), {{"queues.rps.count", "1"}});
  const auto report = guard->restore();
  CHECK(report.complete());
  const auto operations = machine.log->texts();
  const auto position = [&](const std::string& text) { return std::ranges::find(operations, text) - operations.begin(); };
  CHECK(position(fmt::format("write nss-test:{} 0\n", Machine::kQueue0)) < position("start ip link del nsl0"));
  CHECK(position("start ip link del nsl0") < position("start ip netns del nss-test"));
  CHECK(position("start ip netns del nss-test") < static_cast<std::ptrdiff_t>(operations.size()));
  CHECK(std::ranges::find(operations, "start ip netns del never-made") == operations.end());
  CHECK(!machine.host.has_file("/run/netns/nss-test"));
}

TEST_CASE("a study does not start over an earlier one that is not given back") {
  Machine machine;
  {
    const auto guard = open_on(machine);
    guard->apply(machine.context(), {{"sysctl.net.core.rmem_max", "500000"}});
    machine.host.fail_path(Machine::kRmemMax, EIO);
    CHECK(!guard->restore().complete());
  }
  const auto second = SettingsGuard::open(machine.guard_options());
  REQUIRE(!second);
  CHECK(second.error().code == ErrorCode::conflict);
  CHECK(second.error().text.find("netsettle restore") != std::string::npos);
  machine.host.fail_path(Machine::kRmemMax, 0);
  CHECK(restore_from_journal(machine.paths(), machine.restore_options())->complete());
  CHECK(machine.host.content(Machine::kRmemMax) == "212992\n");
  CHECK(SettingsGuard::open(machine.guard_options()));
}

TEST_CASE("two starts at once: one wins, the other says who holds the machine") {
  Machine machine;
  const auto guard = open_on(machine);
  const auto second = SettingsGuard::open(machine.guard_options());
  REQUIRE(!second);
  CHECK(second.error().code == ErrorCode::busy);
  CHECK(second.error().text.find(fmt::format("pid {}, study 'a study' (/tmp/a.db), since 2", ::getpid())) != std::string::npos);
  CHECK(restore_from_journal(machine.paths(), machine.restore_options()).error().code == ErrorCode::busy);
  const auto holder = lock_holder(machine.paths());
  REQUIRE(holder);
  CHECK(holder->pid == ::getpid());
  CHECK(holder->study == "a study");
}
