#include "runners/settings/catalogue.hpp"

#include <cerrno>

#include <catch2/catch.hpp>

#include "tests/support/fake_settings_machine.hpp"

using namespace netsettle;
using namespace netsettle::runners;
using Machine = netsettle::tests::FakeSettingsMachine;
using netsettle::tests::FakeHost;
using netsettle::tests::OperationKind;

TEST_CASE("a sysctl that the namespace shows read-only is the host's") {
  Machine machine;
  const auto setting = resolve_setting(machine.context(), "sysctl.net.core.rmem_max");
  REQUIRE(setting);
  CHECK(setting->files.size() == 1);
  CHECK(setting->files[0].path == Machine::kRmemMax);
  CHECK(setting->files[0].netns == "");
  CHECK(setting->scope == SettingScope::host);
  CHECK(setting->as_found == Value(std::int64_t{212992}));
  CHECK(setting->unit == "bytes");
}

TEST_CASE("a sysctl that the namespace does not have is the host's") {
  Machine machine;
  const auto setting = resolve_setting(machine.context(), "sysctl.net.ipv4.udp_mem");
  REQUIRE(setting);
  CHECK(setting->files[0].netns == "");
  CHECK(setting->scope == SettingScope::host);
  CHECK(setting->files[0].comparator == Comparator::vector);
  CHECK(setting->as_found == Value(std::string("188694 251592 377388")));
  CHECK(setting->unit == "pages");
}

TEST_CASE("a sysctl of the namespace's own is written there") {
  Machine machine;
  const auto setting = resolve_setting(machine.context(), "sysctl.net.ipv4.udp_rmem_min");
  REQUIRE(setting);
  CHECK(setting->files[0].netns == "nss-test");
  CHECK(setting->scope == SettingScope::network_namespace);
}

TEST_CASE("on loopback everything is the host's") {
  Machine machine;
  auto context = machine.context();
  context.server = &machine.host;
  CHECK(resolve_setting(context, "sysctl.net.ipv4.udp_rmem_min")->files[0].netns == "");
  CHECK(resolve_setting(context, "sysctl.net.ipv4.udp_rmem_min")->scope == SettingScope::network_namespace);
  CHECK(resolve_setting(context, "sysctl.net.core.rmem_max")->scope == SettingScope::host);
}

TEST_CASE("RPS has a file for each receive queue, in the order of their numbers") {
  Machine machine;
  machine.server.add_file("/sys/class/net/nss0/queues/rx-10/rps_cpus", "0\n");
  machine.server.add_file("/sys/class/net/nss0/queues/tx-0/xps_cpus", "0\n");
  const auto setting = resolve_setting(machine.context(), "queues.rps.count");
  REQUIRE(setting);
  CHECK(setting->scope == SettingScope::device);
  REQUIRE(setting->files.size() == 3);
  CHECK(setting->files[1].path == Machine::kQueue1);
  CHECK(setting->files[2].path == "/sys/class/net/nss0/queues/rx-10/rps_cpus");
  CHECK(setting->files[2].netns == "nss-test");
  CHECK(setting->as_found == Value(std::int64_t{0}));
}

TEST_CASE("the RPS masks found are a count where one makes them, else the masks") {
  Machine machine;
  machine.server.set_content(Machine::kQueue0, "00000003\n");
  machine.server.set_content(Machine::kQueue1, "3\n");
  CHECK(resolve_setting(machine.context(), "queues.rps.count")->as_found == Value(std::int64_t{2}));
  machine.server.set_content(Machine::kQueue1, "8\n");
  CHECK(resolve_setting(machine.context(), "queues.rps.count")->as_found == Value(std::string("3 8")));
}

TEST_CASE("a misspelled sysctl is not found, with the nearest name that exists") {
  Machine machine;
  const auto error = resolve_setting(machine.context(), "sysctl.net.core.rmem_maxx").error();
  CHECK(error.code == ErrorCode::not_found);
  CHECK(error.text.ends_with("did you mean sysctl.net.core.rmem_max"));
  CHECK(resolve_setting(machine.context(), "sysctl.net.core.something_else").error().text == "no such setting in this kernel");
}

TEST_CASE("what nobody may write is permission_denied and says what would help") {
  Machine machine;
  machine.host.make_read_only(Machine::kRmemMax);
  auto error = resolve_setting(machine.context(), "sysctl.net.core.rmem_max").error();
  CHECK(error.code == ErrorCode::permission_denied);
  CHECK(error.subject == "sysctl.net.core.rmem_max");
  CHECK(error.text.find("needs root") != std::string::npos);
  machine.host.fail_path(Machine::kRmemDefault, EROFS);
  error = resolve_setting(machine.context(), "sysctl.net.core.rmem_default").error();
  CHECK(error.text.find("mounted read-only") != std::string::npos);
}

TEST_CASE("names that leave their room are invalid input and touch nothing") {
  Machine machine;
  for (const std::string name : {"sysctl.kernel.panic", "sysctl.net.core.../../kernel/panic", "sysctl.net.core.a/b", "sysctl.net.core.",
                                 "sysctl.net.core..x", "sysctl.vm.x", "sysctl.net.ipv4.a b", "rmem_max", "", "queues.xps.mask",
                                 "sysctl.kernel.core_pattern", "cpu.", "interrupts.spread", "server.processes"}) {
    CAPTURE(name);
    const auto setting = resolve_setting(machine.context(), name);
    REQUIRE(!setting);
    CHECK(setting.error().code == ErrorCode::invalid_input);
  }
  auto context = machine.context();
  for (const std::string interface : {"", "..", "a/b", "averyverylongname"}) {
    context.interface = interface;
    CHECK(resolve_setting(context, "queues.rps.count").error().code == ErrorCode::invalid_input);
  }
  CHECK(machine.log->operations().empty());
}

TEST_CASE("an interface without queues or a kernel without RPS is named") {
  Machine machine;
  auto context = machine.context();
  context.interface = "eth9";
  CHECK(resolve_setting(context, "queues.rps.count").error().text == "no interface eth9");
  machine.server.add_file("/sys/class/net/tx0/queues/tx-0/xps_cpus", "0\n");
  context.interface = "tx0";
  CHECK(resolve_setting(context, "queues.rps.count").error().code == ErrorCode::unsupported);
  machine.server.add_file("/sys/class/net/old0/queues/rx-0/x", "0\n");
  context.interface = "old0";
  CHECK(resolve_setting(context, "queues.rps.count").error().code == ErrorCode::unsupported);
}

TEST_CASE("finding a setting writes nothing") {
  Machine machine;
  for (const std::string name : {"sysctl.net.core.rmem_max", "sysctl.net.ipv4.udp_mem", "queues.rps.count"})
    REQUIRE(resolve_setting(machine.context(), name));
  for (const auto& operation : machine.log->operations()) CHECK(operation.kind != OperationKind::write);
}
