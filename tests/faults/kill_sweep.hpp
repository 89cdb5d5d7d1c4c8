#pragma once
// What the kill sweeps have in common: one death after the other, each at another operation of kill_victim, and what is found afterwards.
// A laboratory has contents(), run_victim(n, death) and paths().

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <thread>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "runners/hosts/host.hpp"
#include "runners/hosts/local_host.hpp"
#include "runners/settings/guard.hpp"
#include "runners/settings/process_identity.hpp"
#include "runners/settings/values.hpp"
#include "tests/support/temporary_folder.hpp"

namespace netsettle::tests {

using namespace netsettle::runners;
using namespace std::chrono_literals;

enum class Death { guarded, unguarded, both };

inline std::string_view name_of(Death death) {
  constexpr std::string_view kNames[] = {"netsettle killed, the guard restores", "no guard, the next start restores",
                                         "both killed, the next start restores"};
  return kNames[static_cast<std::size_t>(death)];
}

/// Where the victim's journal and lock are, and how it is started.
class Scene {
 public:
  Finished run_victim(const std::string& netns, const std::string& interface, std::size_t n, Death death,
                      std::vector<std::pair<std::string, std::string>> environment = {}) const {
    const auto local = make_local_host();
    ProcessSpec spec;
    spec.argv = {NETSETTLE_KILL_VICTIM,
                 netns,
                 interface,
                 fmt::format("{}", n),
                 death == Death::unguarded ? "-" : NETSETTLE_BIN_DIR "/netsettle-guard",
                 death == Death::both ? "with-guard" : "alone"};
    environment.emplace_back("NETSETTLE_RUN_DIR", folder_.file("run"));
    environment.emplace_back("NETSETTLE_STATE_DIR", folder_.file("state"));
    spec.environment = {environment.begin(), environment.end()};
    return run_program(*local, spec, 120s).value();
  }

  GuardPaths paths() const {
    return {.lock_file = folder_.path() / "run/lock",
            .undo_directory = folder_.path() / "state/undo",
            .lock_info = folder_.path() / "run/holder.json"};
  }
  std::string file(const std::string& name) const { return folder_.file(name); }

 private:
  TemporaryFolder folder_;
};

/// Until the guard has let go of the lock.
inline void await_guard(const GuardPaths& paths) {
  while (lock_holder(paths)) std::this_thread::sleep_for(2ms);
}

inline void check_child_gone(const Finished& victim) {
  if (!victim.standard_output.starts_with("child ")) return;  // killed before it started one
  const auto pid = decimal(victim.standard_output.substr(6, victim.standard_output.find('\n') - 6)).value();
  while (const auto process = identify(pid)) {
    if (!is_running(*process)) break;  // ended, and not yet reaped by its new parent
    std::this_thread::sleep_for(2ms);
  }
}

/// One death and what comes after it. False when the victim lived to its end.
template <typename Laboratory>
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

/// Each operation is a point of death in one of the three ways, in turn, and only every `step`-th; with NETSETTLE_SWEEP=full all of them in
/// all ways. How many runs there were.
template <typename Laboratory>
std::size_t sweep(std::string_view what, Laboratory& laboratory, std::size_t step) {
  const char* wanted = std::getenv("NETSETTLE_SWEEP");
  const bool is_full = wanted != nullptr && std::string_view(wanted) == "full";
  std::size_t runs[3] = {};
  std::chrono::microseconds longest{0};
  bool lived = false;
  for (std::size_t n = 1; !lived; n += is_full ? 1 : step) {
    for (const Death death : {Death::guarded, Death::unguarded, Death::both}) {
      if (!is_full && n / step % 3 != static_cast<std::size_t>(death)) continue;
      if (!die_at(laboratory, n, death, longest))
        lived = true;
      else
        ++runs[static_cast<std::size_t>(death)];
    }
  }
  for (const Death death : {Death::guarded, Death::unguarded, Death::both})
    std::cout << what << ", " << name_of(death) << ": " << runs[static_cast<std::size_t>(death)] << " runs, all byte-identical\n";
  std::cout << what << ", longest time from the kill to the guard's end: " << longest.count() / 1000 << " ms\n";
  return runs[0] + runs[1] + runs[2];
}

}  // namespace netsettle::tests
