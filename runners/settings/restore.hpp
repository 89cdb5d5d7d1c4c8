#pragma once
// Giving back what an open journal holds: used by SettingsGuard, by netsettle-guard and by `netsettle restore`. The caller holds the lock.

#include "runners/settings/guard.hpp"
#include "runners/settings/journal.hpp"
#include "runners/settings/process_identity.hpp"

namespace netsettle::runners {

enum class RestoreScope { settings, everything };

struct RestorePlan {
  RestoreScope scope = RestoreScope::everything;
  RestoreOptions options;
  LeaderlessGroups leaderless = LeaderlessGroups::leave;
};

/// Children first, then channels and rings of network cards, then all other settings in the reverse order of their first write (what is
/// said of each queue among them, which channels take back), then links and namespaces. Every entry is tried, every failure is in the
/// report and its entry stays open; a repeated call finishes what is left. Entries of an earlier boot are closed without a write.
RestoreReport restore_entries(Journal& journal, const RestorePlan& plan);

/// This machine's hosts.
Expected<std::unique_ptr<Host>> open_real_host(const std::string& netns);

/// Inode of a namespace below /run/netns ("": the calling process's), where it can be told.
std::optional<std::uint64_t> namespace_inode(const std::string& netns);

}  // namespace netsettle::runners
