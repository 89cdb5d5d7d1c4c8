// kill -9 at every operation on the machine, on real sysctls of a network namespace and real queues of a veth pair in it. Afterwards the
// guard, or a restore from the journal where the guard was killed too (or never ran), leaves byte-identical values. Each operation is a
// point of death in one of the three ways, in turn; with NETSETTLE_SWEEP=full in all of them.

#include <cstdlib>
#include <iostream>
#include <thread>

#include <catch2/catch.hpp>

#include "runners/hosts/files.hpp"
#include "runners/hosts/local_host.hpp"
#include "runners/settings/guard.hpp"
#include "runners/settings/process_identity.hpp"
#include "runners/settings/values.hpp"
#include "tests/support/network_namespace.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace netsettle;
using namespace netsettle::runners;
using netsettle::tests::NetworkNamespace;
using netsettle::tests::TemporaryFolder;
using namespace std::chrono_literals;

namespace {

constexpr const char* kGuard = NETSETTLE_BIN_DIR "/netsettle-guard";

enum class Death { guarded, unguarded, both };

std::string_view name_of(Death death) {
  constexpr std::string_view kNames[] = {"netsettle killed, the guard restores", "no guard, the next start restores",
                                         "both killed, the next start restores"};
  return kNames[static_cast<std::size_t>(death)];
}

class Laboratory {
 public:
  Laboratory() : space_("nst-kill") {
    space_.ip({"link", "add", "nsk0", "numrxqueues", "2", "numtxqueues", "2", "type", "veth", "peer", "name", "nsk1"});
    host_ = make_namespace_host(space_.name()).value();
  }

  std::map<std::string, std::string> contents() const {
    std::map<std::string, std::string> contents;
    for (const char* path :
         {"/proc/sys/net/ipv4/udp_rmem_min", "/proc/sys/net/ipv4/ip_local_port_range", "/proc/sys/net/ipv4/udp_early_demux",
          "/sys/class/net/nsk0/queues/rx-0/rps_cpus", "/sys/class/net/nsk0/queues/rx-1/rps_cpus",
          "/sys/class/net/nsk0/queues/tx-0/xps_cpus", "/sys/class/net/nsk0/queues/tx-1/xps_cpus",
          "/sys/class/net/nsk0/napi_defer_hard_irqs", "/sys/class/net/nsk0/gro_flush_timeout"})
      contents[path] = host_->read_file(path).value();
    return contents;
  }

  Finished run_victim(std::size_t n, Death death) {
    const auto local = make_local_host();
    ProcessSpec spec;
    spec.argv = {NETSETTLE_KILL_VICTIM,
                 space_.name(),
                 "nsk0",
                 fmt::format("{}", n),
                 death == Death::unguarded ? "-" : kGuard,
                 death == Death::both ? "with-guard" : "alone"};
    spec.environment = {{"NETSETTLE_RUN_DIR", folder_.file("run")}, {"NETSETTLE_STATE_DIR", folder_.file("state")}};
    return run_program(*local, spec, 120s).value();
  }

  GuardPaths paths() const {
    return {.lock_file = folder_.path() / "run/lock",
            .undo_directory = folder_.path() / "state/undo",
            .lock_info = folder_.path() / "run/holder.json"};
  }

 private:
  TemporaryFolder folder_;
  NetworkNamespace space_;
  std::unique_ptr<Host> host_;
};

/// Until the guard has let go of the lock.
void await_guard(const GuardPaths& paths) {
  while (lock_holder(paths)) std::this_thread::sleep_for(2ms);
}

void check_child_gone(const Finished& victim) {
  if (!victim.standard_output.starts_with("child ")) return;  // killed before it started one
  const auto pid = decimal(victim.standard_output.substr(6, victim.standard_output.find('\n') - 6)).value();
  while (const auto process = identify(pid)) {
    if (!is_running(*process)) break;  // ended, and not yet reaped by its new parent
    std::this_thread::sleep_for(2ms);
  }
}

/// One death and what comes after it. False when the victim lived to its end.
bool die_at(Laboratory& laboratory, std::size_t n, Death death, std::chrono::microseconds& longest) {
  CAPTURE(n, name_of(death));
  const auto before = laboratory.contents();
  const Finished victim = laboratory.run_victim(n, death);
  const auto killed = std::chrono::steady_clock::now();
  if (victim.status.ok()) {
    CHECK(laboratory.contents() == before);
    CHECK(!journal_is_open(laboratory.paths()));
    return false;
  }
  CAPTURE(victim.standard_output, victim.standard_error);
  REQUIRE(to_text(victim.status) == "signal 9");
  if (death == Death::guarded) {
    await_guard(laboratory.paths());
    longest = std::max(longest, std::chrono::ceil<std::chrono::microseconds>(std::chrono::steady_clock::now() - killed));
    CHECK(!journal_is_open(laboratory.paths()));
  } else {
    const auto report = restore_from_journal(laboratory.paths(), {});
    REQUIRE(report);
    CAPTURE(to_json(*report));
    CHECK(report->complete());
  }
  CHECK(laboratory.contents() == before);
  check_child_gone(victim);
  return true;
}

}  // namespace

TEST_CASE("a netsettle killed at any operation leaves the machine as it found it") {
  Laboratory laboratory;
  const char* wanted = std::getenv("NETSETTLE_SWEEP");
  const bool is_full = wanted != nullptr && std::string_view(wanted) == "full";
  std::size_t runs[3] = {};
  std::chrono::microseconds longest{0};
  bool lived = false;
  for (std::size_t n = 1; !lived; ++n) {
    for (const Death death : {Death::guarded, Death::unguarded, Death::both}) {
      if (!is_full && n % 3 != static_cast<std::size_t>(death)) continue;
      if (!die_at(laboratory, n, death, longest))
        lived = true;
      else
        ++runs[static_cast<std::size_t>(death)];
    }
  }
  CHECK(runs[0] + runs[1] + runs[2] > 50);
  for (const Death death : {Death::guarded, Death::unguarded, Death::both})
    std::cout << "kill sweep, " << name_of(death) << ": " << runs[static_cast<std::size_t>(death)] << " runs, all byte-identical\n";
  std::cout << "kill sweep, longest time from the kill to the guard's end: " << longest.count() / 1000 << " ms\n";
}
