// Bans interrupts under a guard, says so, and waits to be killed. Usage: ban_victim FOLDER GUARD [TREE INTERFACE MODE]: with a tree, by the
// setting actors.irqbalance for the interrupts of the tree's interface.

#include <unistd.h>

#include <cstdio>

#include "runners/hosts/local_host.hpp"
#include "runners/hosts/tree_host.hpp"
#include "runners/settings/guard.hpp"

namespace {

using namespace netsettle::runners;

bool apply_setting(SettingsGuard& guard, Host& host, char** words) {
  const auto tree = open_tree(words[0]);
  if (!tree) return false;
  const SettingContext context = {.host = &host, .server = tree->get(), .interface = words[1], .cpus = {0, 1}};
  const auto rows = guard.apply(context, {{kIrqbalanceSetting, words[2]}});
  return rows.size() == 1 && rows[0].status == netsettle::SettingStatus::ok;
}

}  // namespace

int main(int count, char** words) {
  if (count != 3 && count != 6) return 2;
  const std::filesystem::path folder = words[1];
  const auto host = make_local_host();
  const auto guard = SettingsGuard::open(
      {.paths = {.lock_file = folder / "run/lock", .undo_directory = folder / "undo", .lock_info = folder / "run/holder.json"},
       .study = "s",
       .database = "d",
       .guard_program = words[2],
       .open_host = {}});
  if (!guard) return 1;
  const bool banned = count == 6 ? apply_setting(**guard, *host, words + 3)
                                 : (*guard)->bring_irqbalance(*host, IrqbalanceMode::banned, {28, 29}).has_value();
  if (!banned) return 1;
  std::puts("banned");
  std::fflush(stdout);
  for (;;) ::pause();
}
