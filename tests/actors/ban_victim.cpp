// Bans interrupts under a guard, says so, and waits to be killed.

#include <unistd.h>

#include <cstdio>

#include "runners/hosts/local_host.hpp"
#include "runners/settings/guard.hpp"

int main(int count, char** words) {
  using namespace netsettle::runners;
  if (count != 3) return 2;
  const std::filesystem::path folder = words[1];
  const auto host = make_local_host();
  const auto guard = SettingsGuard::open(
      {.paths = {.lock_file = folder / "run/lock", .undo_directory = folder / "undo", .lock_info = folder / "run/holder.json"},
       .study = "s",
       .database = "d",
       .guard_program = words[2],
       .open_host = {}});
  if (!guard || !(*guard)->bring_irqbalance(*host, IrqbalanceMode::banned, {28, 29})) return 1;
  std::puts("banned");
  std::fflush(stdout);
  for (;;) ::pause();
}
