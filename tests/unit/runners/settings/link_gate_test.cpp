// Not locking people out: which interfaces carry the login or a default route, and what is looked at after a reset.

#include "runners/settings/link_gate.hpp"

#include <catch2/catch.hpp>

#include "tests/support/fake_host.hpp"

using namespace netsettle;
using namespace netsettle::runners;
using netsettle::tests::FakeHost;
using namespace std::chrono_literals;

namespace {

// 192.0.2.0/24 on eth0 with the default route, 198.51.100.0/24 on eth1, 203.0.113.0/24 on br0.
constexpr const char* kRoutes =
    "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n"
    "eth0\t00000000\t010200C0\t0003\t0\t0\t0\t00000000\t0\t0\t0\n"
    "eth0\t000200C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0\n"
    "eth1\t006433C6\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0\n"
    "br0\t007100CB\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0\n";
constexpr const char* kArp =
    "IP address       HW type     Flags       HW address            Mask     Device\n"
    "192.0.2.1        0x1         0x2         02:fc:00:00:00:05     *        eth0\n";
constexpr const char* kNoArp =
    "IP address       HW type     Flags       HW address            Mask     Device\n"
    "192.0.2.1        0x1         0x0         00:00:00:00:00:00     *        eth0\n";
// 192.0.2.9:22 with 192.0.2.50:52044, and 203.0.113.9:22 with 203.0.113.7 as a daemon on IPv6 alone has it.
constexpr const char* kTcp =
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
    "   0: 090200C0:0016 320200C0:CB4C 01 00000000:00000000 00:00000000 00000000     0        0 1 1 0\n";
constexpr const char* kTcp6 =
    "  sl  local_address                         remote_address                        st\n"
    "   0: 0000000000000000FFFF0000097100CB:0016 0000000000000000FFFF0000077100CB:CB4C 01 0 0\n";

struct Machine {
  Machine() {
    host.add_file("/proc/net/route", kRoutes);
    host.add_file("/proc/net/arp", kArp);
    for (const char* name : {"eth0", "eth1", "eth2"}) host.add_file(std::string("/sys/class/net/") + name + "/carrier", "1\n");
    host.add_file("/sys/class/net/br0/lower_bond0.100/carrier", "1\n");
    host.add_file("/sys/class/net/bond0.100/lower_bond0/carrier", "1\n");
    host.add_file("/sys/class/net/bond0/lower_eth2/carrier", "1\n");
    host.answer_datagrams([](const std::string&, int, std::string_view) { return fail(ErrorCode::timed_out, "", "no answer"); });
  }

  SettingContext context(const std::string& interface, const char* ssh_connection = nullptr, bool allowed = false) {
    return {.host = &host, .server = &host, .interface = interface, .link_resets = link_resets(ssh_connection, allowed)};
  }

  FakeHost host;
};

constexpr const char* kLoginOnBridge = "203.0.113.7 52044 203.0.113.9 22";
constexpr const char* kLoginOnEth0 = "192.0.2.50 52044 192.0.2.9 22";

}  // namespace

TEST_CASE("SSH_CONNECTION is two addresses with their ports, and anything else is no login") {
  const LinkResets login = link_resets(kLoginOnEth0, true);
  CHECK(login.allowed);
  CHECK(login.login_of == "192.0.2.50");
  CHECK(login.login_here == "192.0.2.9");
  CHECK(link_resets("fe80::7%eth0 52044 fe80::9%eth0 22", false).login_here == "fe80::9%eth0");
  for (const char* bad : {"", "192.0.2.50", "192.0.2.50 1 here 22", "192.0.2.50 1 192.0.2.9 22 more"})
    CHECK(link_resets(bad, false).login_here.empty());
  CHECK(link_resets(nullptr, false).login_of.empty());
}

TEST_CASE("the interface of the default route and that of the login are not reset, others are") {
  Machine machine;
  CHECK(what_it_carries(machine.context("eth0")).value() == "which carries a default route");
  CHECK(!what_it_carries(machine.context("eth1")));
  CHECK(what_it_carries(machine.context("eth1", "198.51.100.3 52044 198.51.100.9 22")).value() ==
        "which carries your login from 198.51.100.3");
  machine.host.add_file("/proc/net/ipv6_route",
                        "00000000000000000000000000000000 00 00000000000000000000000000000000 00 fe800000000000000000000000000001 00000400 "
                        "00000001 00000000 00000003 eth1\n");
  CHECK(what_it_carries(machine.context("eth1")).value() == "which carries a default route");
}

TEST_CASE("an interface below a bridge, a VLAN and a bond carries what they carry") {
  Machine machine;
  CHECK(!what_it_carries(machine.context("eth2")));
  CHECK(what_it_carries(machine.context("eth2", kLoginOnBridge)).value() ==
        "which br0 stands on, and that carries your login from 203.0.113.7");
  CHECK(what_it_carries(machine.context("br0", kLoginOnBridge)).value() == "which carries your login from 203.0.113.7");
}

TEST_CASE("a login over IPv6 is found by the address of this machine") {
  Machine machine;
  machine.host.add_file("/proc/net/if_inet6", "20010db8000000000000000000000009 02 40 00 80     eth1\n");
  CHECK(what_it_carries(machine.context("eth1", "2001:db8::7 52044 2001:db8::9 22")));
  CHECK(!what_it_carries(machine.context("eth2", "2001:db8::7 52044 2001:db8::9 22")));
}

TEST_CASE("only settings that reset the link are refused, with the reason and the way out") {
  Machine machine;
  const auto refused = check_link_reset(machine.context("eth0"), "nic.ring.rx");
  REQUIRE(!refused);
  CHECK(refused.error().code == ErrorCode::refused);
  CHECK(refused.error().subject == "nic.ring.rx");
  CHECK(refused.error().text == "resets the link of eth0, which carries a default route: only with [safety] allow_link_reset = true");
  for (const char* harmless : {"nic.coalesce.rx-usecs", "nic.features.gro", "nic.rss.count", "queues.rps.count"})
    CHECK(check_link_reset(machine.context("eth0"), harmless));
  for (const char* resetting : {"nic.channels.combined", "nic.ring.tx", "nic.features.ntuple", "nic.features.rx-gro-hw"}) {
    CHECK(!check_link_reset(machine.context("eth0"), resetting));
    CHECK(check_link_reset(machine.context("eth1"), resetting));
    CHECK(check_link_reset(machine.context("eth0", nullptr, true), resetting));
    auto dedicated = machine.context("eth0");
    dedicated.dedicated_namespace = true;
    CHECK(check_link_reset(dedicated, resetting));
  }
}

TEST_CASE("after a reset the link, the login and the gateway are waited for, for ten seconds") {
  Machine machine;
  machine.host.add_file("/proc/net/tcp", kTcp);
  const auto context = machine.context("eth0", kLoginOnEth0);
  const Reach before = read_reach(context);
  CHECK((before.carrier && before.login && before.gateway));
  CHECK(stays_reachable(context, before));

  struct Row {
    const char *path, *gone, *back;
  };
  const Row rows[] = {{"/sys/class/net/eth0/carrier", "0\n", "1\n"}, {"/proc/net/tcp", "", kTcp}, {"/proc/net/arp", kNoArp, kArp}};
  for (const auto& row : rows) {
    CAPTURE(row.path);
    machine.host.set_content(row.path, row.gone);
    const auto start = machine.host.clock().monotonic();
    CHECK(!stays_reachable(context, before));
    CHECK(machine.host.clock().monotonic() - start >= 10s);
    machine.host.set_content(row.path, row.back);
    CHECK(stays_reachable(context, before));
  }
}

TEST_CASE("what was not reachable before need not be so afterwards") {
  Machine machine;
  machine.host.set_content("/sys/class/net/eth1/carrier", "0\n");
  const Reach before = read_reach(machine.context("eth1"));
  CHECK((!before.carrier && !before.login && !before.gateway));
  CHECK(stays_reachable(machine.context("eth1"), before));
}

TEST_CASE("a login over IPv4 to a daemon that listens on IPv6 alone is seen") {
  Machine machine;
  machine.host.add_file("/proc/net/tcp", "  sl  local_address rem_address   st\n");
  CHECK(!read_reach(machine.context("br0", kLoginOnBridge)).login);
  machine.host.add_file("/proc/net/tcp6", kTcp6);
  CHECK(read_reach(machine.context("br0", kLoginOnBridge)).login);
}

TEST_CASE("where the environment tells no login, connections to port 22 do") {
  Machine machine;
  machine.host.add_file("/proc/net/tcp6", kTcp6);
  CHECK(what_it_carries(machine.context("eth2")).value() == "which br0 stands on, and that carries a login over ssh, on 203.0.113.9");
  CHECK(!what_it_carries(machine.context("eth2", "198.51.100.3 52044 198.51.100.9 22")));  // the user's own is known
  machine.host.add_file("/proc/net/if_inet6", "20010db8000000000000000000000009 02 40 00 80     eth1\n");
  machine.host.add_file("/proc/net/tcp6",
                        "  sl  local_address rem_address st\n   0: B80D0120000000000000000009000000:0016 "
                        "B80D0120000000000000000007000000:CB4C 01 0 0\n   1: garbage:0016 x 01 0\n");
  CHECK(what_it_carries(machine.context("eth1")).value() == "which carries a login over ssh, on 2001:db8::9");
  CHECK(!what_it_carries(machine.context("eth2")));
}
