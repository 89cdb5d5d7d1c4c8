// The namespaces rig for real: made, used, removed.

#include <catch2/catch.hpp>

#include "runners/hosts/local_host.hpp"
#include "runners/rigs/rig.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace netsettle;
using namespace netsettle::runners;

namespace {

struct Guarded {
  Guarded() {
    const GuardPaths paths{.lock_file = folder.file("lock"), .undo_directory = folder.file("undo"), .lock_info = folder.file("lock.json")};
    auto opened = SettingsGuard::open({.paths = paths, .study = "rig", .database = "none", .guard_program = ""});
    INFO((opened ? std::string() : to_text(opened.error())));
    REQUIRE(opened.has_value());
    guard = std::move(*opened);
  }
  tests::TemporaryFolder folder;
  std::unique_ptr<Host> host = make_local_host();
  std::unique_ptr<SettingsGuard> guard;
};

bool exists(Host& host, const std::string& name) {
  const auto names = host.list_directory("/run/netns");
  return names && std::ranges::find(*names, name) != names->end();
}

}  // namespace

TEST_CASE("two namespaces joined by veth reach each other and vanish at the restore") {
  for (const auto family : {AddressFamily::ipv4, AddressFamily::ipv6}) {
    Guarded machine;
    auto rig = make_namespaces_rig(*machine.host, *machine.guard, "rigtest", family);
    INFO((rig ? std::string() : to_text(rig.error())));
    REQUIRE(rig.has_value());
    CHECK(exists(*machine.host, "netsettle-rigtest-server"));
    const auto interfaces = run_program((*rig)->client(), {.argv = {"cat", "/proc/net/dev"}, .cpus = {}, .input = {}, .environment = {}},
                                        std::chrono::seconds(5));
    REQUIRE(interfaces.has_value());
    CHECK(interfaces->standard_output.find("nsc0") != std::string::npos);
    CHECK(interfaces->standard_output.find("eth0") == std::string::npos);
    const auto mask = (*rig)->server().read_file("/sys/class/net/" + (*rig)->interface() + "/queues/rx-0/rps_cpus");
    CHECK(mask.has_value());
    rig->reset();
    CHECK(machine.guard->restore().complete());
    CHECK_FALSE(exists(*machine.host, "netsettle-rigtest-server"));
    CHECK_FALSE(exists(*machine.host, "netsettle-rigtest-client"));
  }
}
