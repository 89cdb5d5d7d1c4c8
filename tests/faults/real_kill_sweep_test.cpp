// kill -9 of the real program at random times in a namespace rig: each time the machine is byte for byte as it was. A few as a test, two
// hundred in the sweep; in every fifth the guard is killed too, and `netsettle restore` gives back.

#include <catch2/catch.hpp>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <thread>

#include "tests/cli/study_text.hpp"
#include "tests/support/workspace.hpp"

using namespace netsettle;
using namespace netsettle::tests;

namespace {

bool is_full() {
  const char* const sweep = std::getenv("NETSETTLE_SWEEP");
  return sweep != nullptr && std::string(sweep) == "full";
}

/// Of the run in this workspace: its guard is in the environment of nobody else's.
std::optional<pid_t> guard_of(Workspace& here) {
  const auto entries = here.host().list_directory("/proc");
  REQUIRE(entries.has_value());
  for (const auto& entry : *entries) {
    if (entry.find_first_not_of("0123456789") != std::string::npos) continue;
    const auto name = here.host().read_file("/proc/" + entry + "/comm");
    const auto environment = here.host().read_file("/proc/" + entry + "/environ");
    if (name && *name == "netsettle-guard\n" && environment && environment->find(here.path("run").string()) != std::string::npos)
      return static_cast<pid_t>(std::stol(entry));
  }
  return std::nullopt;
}

/// What is not as it was: paths with both texts.
std::string difference(const std::map<std::string, std::string>& before, const std::map<std::string, std::string>& now) {
  std::string text;
  for (const auto& name : netsettle_namespaces()) text += "namespace " + name + "\n";
  for (const auto& [path, value] : before)
    if (const auto found = now.find(path); found == now.end() || found->second != value)
      text += path + ": " + value + " -> " + (found == now.end() ? "gone" : found->second) + "\n";
  for (const auto& [path, value] : now)
    if (!before.contains(path)) text += path + ": new\n";
  return text;
}

}  // namespace

TEST_CASE("kill -9 at any moment leaves the machine as it was") {
  const int kills = is_full() ? 200 : 5;
  std::mt19937 random(20261130);
  std::uniform_real_distribution<double> moment(0.0, 6.0);
  const auto before = network_state();
  double slowest = 0;
  int both = 0;
  for (int i = 0; i < kills; ++i) {
    Workspace here;
    here.write("study.toml", short_study("killed", 24));
    const auto process = here.start({"run", "study.toml"});
    const double seconds = moment(random);
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    const bool guard_too = i % 5 == 4;
    const auto guard = guard_too ? guard_of(here) : std::nullopt;
    if (guard) kill(*guard, SIGKILL);
    (void)process->signal(SIGKILL);
    const auto killed_at = std::chrono::steady_clock::now();
    INFO("kill " << i << " after " << seconds << " s" << (guard ? ", the guard too" : ""));
    if (guard) {
      ++both;
      const auto restored = here.netsettle({"restore"});
      INFO(restored.standard_output << restored.standard_error);
      CHECK(restored.status.code == 0);
    }
    const bool given_back =
        eventually([&] { return netsettle_namespaces().empty() && network_state() == before; }, std::chrono::milliseconds(5000));
    slowest = std::max(slowest, std::chrono::duration<double>(std::chrono::steady_clock::now() - killed_at).count());
    INFO(difference(before, network_state()));
    REQUIRE(given_back);
  }
  std::printf("%d kills (%d with the guard): %d given back, slowest %.2f s\n", kills, both, kills, slowest);
}
