// queues.* and napi.*: values become the texts of all files, and texts the value again.

#include <cerrno>

#include <catch2/catch.hpp>

#include "datasets/model/setting_form.hpp"
#include "runners/settings/guard.hpp"
#include "tests/support/fake_settings_machine.hpp"

using namespace netsettle;
using namespace netsettle::runners;
using Machine = netsettle::tests::FakeSettingsMachine;
using Texts = std::vector<std::string>;

namespace {

struct Card {
  Card() { machine.add_card(); }
  ResolvedSetting resolve(const std::string& name) { return resolve_setting(machine.card_context(), name).value(); }
  Expected<Texts> texts(const std::string& name, const std::string& value) {
    return texts_for(machine.card_context(), resolve(name), value);
  }
  Value value(const std::string& name, const Texts& texts) { return value_of(machine.card_context(), resolve(name), texts); }

  Machine machine;
};

}  // namespace

TEST_CASE("every setting of the catalogue is found on a machine that has all of them") {
  Machine machine;
  machine.add_card();
  machine.add_processors();
  for (const auto& known : machine_settings()) {
    CAPTURE(known.name);
    if (known.name.starts_with("nic.")) continue;    // no card has all of them: nic_settings_test.cpp
    if (known.name == kIrqbalanceSetting) continue;  // no file carries it: tests/actors
    const auto setting = resolve_setting(machine.card_context(), known.name);
    REQUIRE(setting);
    CHECK(setting->name == known.name);
    CHECK(!setting->files.empty());
    CHECK(to_text(setting->as_found) != "as-found");
  }
  for (const auto& operation : machine.log->operations()) CHECK(operation.kind != tests::OperationKind::write);
}

TEST_CASE("a list of CPUs for packet steering becomes each queue's mask, and off turns it off") {
  Card card;
  CHECK(card.resolve("queues.rps.mask").as_found == Value(std::string("off")));
  CHECK(card.texts("queues.rps.mask", "0-1,3").value() == Texts(4, "b"));
  CHECK(card.texts("queues.rps.mask", "off").value() == Texts(4, "0"));
  CHECK(card.value("queues.rps.mask", Texts(4, "0000000b\n")) == Value(std::string("0-1,3")));
  CHECK(card.value("queues.rps.mask", {"1", "2", "1", "1"}) == Value(std::string("1 2 1 1")));
  for (const std::string bad : {"", "0x3", "on", "3-1"}) CHECK(card.texts("queues.rps.mask", bad).error().code == ErrorCode::invalid_input);
}

TEST_CASE("flow steering sets the machine's table first and gives each queue its share") {
  Card card;
  const auto setting = card.resolve("queues.rfs.entries");
  CHECK(setting.scope == SettingScope::host);
  REQUIRE(setting.files.size() == 5);
  CHECK(setting.files[0].path == Machine::kFlowEntries);
  CHECK(setting.files[0].netns == "");
  CHECK(setting.files[1].path == "/sys/class/net/nic0/queues/rx-0/rps_flow_cnt");
  CHECK(setting.files[1].netns == "nss-test");
  CHECK(setting.as_found == Value(std::int64_t{0}));
  CHECK(card.texts("queues.rfs.entries", "32768").value() == Texts{"32768", "8192", "8192", "8192", "8192"});
  CHECK(card.texts("queues.rfs.entries", "0").value() == Texts(5, "0"));
  CHECK(card.texts("queues.rfs.entries", "2").value() == Texts{"2", "1", "1", "1", "1"});
}

TEST_CASE("a flow table that the kernel rounds up is the rounded number, and one that fits no rule is all its numbers") {
  Card card;
  CHECK(card.texts("queues.rfs.entries", "1000").value() == Texts{"1000", "256", "256", "256", "256"});
  CHECK(card.value("queues.rfs.entries", {"1024\n", "256\n", "256\n", "256\n", "256\n"}) == Value(std::int64_t{1024}));
  CHECK(card.value("queues.rfs.entries", {"1024", "256", "0", "256", "256"}) == Value(std::string("1024 256 0 256 256")));
}

TEST_CASE("a flow table is bounded by the machine's memory") {
  Card card;
  CHECK(card.texts("queues.rfs.entries", "536870912"));
  CHECK_FALSE(card.texts("queues.rfs.entries", "1073741824"));
  card.machine.host.add_file("/proc/meminfo", "MemTotal:        1048576 kB\nMemFree: 1 kB\n");
  CHECK(card.texts("queues.rfs.entries", "524288"));
  const auto refused = card.texts("queues.rfs.entries", "1048576");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().text.find("takes at most") != std::string::npos);
}

TEST_CASE("transmit queues are dealt out to CPUs in turn") {
  Card card;
  CHECK(card.resolve("queues.xps.count").as_found == Value(std::int64_t{4}));
  CHECK(card.texts("queues.xps.count", "2").value() == Texts{"1", "2", "0", "0"});
  CHECK(card.texts("queues.xps.count", "0").value() == Texts(4, "0"));
  CHECK_FALSE(card.texts("queues.xps.count", "5"));
  CHECK(card.value("queues.xps.count", {"1", "2", "0", "0"}) == Value(std::int64_t{2}));
  CHECK(card.value("queues.xps.count", {"f", "0", "0", "0"}) == Value(std::string("f 0 0 0")));
  auto context = card.machine.card_context();
  card.machine.server.remove_file("/sys/class/net/nic0/queues/tx-2/xps_cpus");
  card.machine.server.remove_file("/sys/class/net/nic0/queues/tx-3/xps_cpus");
  CHECK(texts_for(context, resolve_setting(context, "queues.xps.count").value(), "4").value() == Texts{"5", "a"});
}

TEST_CASE("a device with one transmit queue has no choice among queues") {
  Machine machine;
  machine.server.add_file("/sys/class/net/nss0/queues/tx-0/byte_queue_limits/limit", "0\n");
  const auto setting = resolve_setting(machine.context(), "queues.xps.count");
  REQUIRE_FALSE(setting);
  CHECK(setting.error().code == ErrorCode::unsupported);
  CHECK(setting.error().text.find("one transmit queue") != std::string::npos);
}

TEST_CASE("NAPI settings are the device's files") {
  Card card;
  CHECK(card.resolve("napi.defer_hard_irqs").files[0].path == "/sys/class/net/nic0/napi_defer_hard_irqs");
  CHECK(card.resolve("napi.gro_flush_timeout").files[0].path == "/sys/class/net/nic0/gro_flush_timeout");
  CHECK(card.resolve("napi.gro_flush_timeout").unit == "ns");
  CHECK(card.texts("napi.threaded", "1").value() == Texts{"1"});
  CHECK(card.texts("napi.threaded", "true").value() == Texts{"1"});
  CHECK_FALSE(card.texts("napi.threaded", "2"));
  CHECK_FALSE(card.texts("napi.gro_flush_timeout", "18446744073709551615"));
  CHECK_FALSE(card.texts("napi.defer_hard_irqs", "-1"));
  CHECK(resolve_setting(card.machine.context(), "napi.threaded").error().code == ErrorCode::unsupported);
}

TEST_CASE("numbers that would take the machine down are refused before they are written") {
  Machine machine;
  machine.host.add_file("/proc/meminfo", "MemTotal:        1048576 kB\n");
  machine.host.add_number_file("/proc/sys/net/core/netdev_budget", "300\n");
  machine.host.add_number_file("/proc/sys/vm/min_free_kbytes", "5000\n");
  struct Row {
    const char *name, *good, *bad;
  };
  const Row rows[] = {{"sysctl.net.core.rmem_max", "134217728", "134217729"},
                      {"sysctl.net.core.netdev_budget", "1", "0"},
                      {"sysctl.vm.min_free_kbytes", "65536", "65537"},
                      {"sysctl.net.ipv4.udp_mem", "1 2 262144", "1 2 262145"},
                      {"sysctl.net.core.rmem_default", "2304", "0"}};
  for (const auto& row : rows) {
    CAPTURE(row.name);
    const auto setting = resolve_setting(machine.context(), row.name).value();
    CHECK(texts_for(machine.context(), setting, row.good));
    CHECK(texts_for(machine.context(), setting, row.bad).error().code == ErrorCode::invalid_input);
  }
}

TEST_CASE("buffers and default queue disciplines say when they take effect") {
  Machine machine;
  CHECK(resolve_setting(machine.context(), "sysctl.net.core.rmem_max")->takes_effect == TakesEffect::new_sockets);
  CHECK(resolve_setting(machine.context(), "sysctl.net.core.netdev_budget_usecs")->takes_effect == TakesEffect::at_once);
  machine.host.add_file("/proc/sys/net/core/default_qdisc", "fq\n");
  CHECK(resolve_setting(machine.context(), "sysctl.net.core.default_qdisc")->takes_effect == TakesEffect::new_devices);
}

TEST_CASE("of two settings that write the same files only one is carried out") {
  Card card;
  const auto before = card.machine.contents();
  const auto guard = SettingsGuard::open(card.machine.guard_options()).value();
  const auto rows = guard->apply(card.machine.card_context(), {{"queues.rfs.entries", "1024"},
                                                               {"queues.rps.count", "1"},
                                                               {"queues.rps.mask", "0-1"},
                                                               {"sysctl.net.core.rps_sock_flow_entries", "2048"}});
  REQUIRE(rows.size() == 4);
  CHECK(rows[0].status == SettingStatus::ok);
  CHECK(rows[1].status == SettingStatus::ok);
  CHECK(rows[2].status == SettingStatus::einval);
  CHECK(rows[3].status == SettingStatus::einval);
  CHECK(card.machine.server.content("/sys/class/net/nic0/queues/rx-0/rps_cpus") == "1\n");
  CHECK(guard->restore().complete());
  CHECK(card.machine.contents() == before);
}
