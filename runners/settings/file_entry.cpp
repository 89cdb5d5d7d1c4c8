#include "runners/settings/file_entry.hpp"

#include <algorithm>
#include <cerrno>

#include <fmt/format.h>

#include "runners/settings/carrier.hpp"
#include "runners/settings/values.hpp"

namespace netsettle::runners {
namespace {

using Status = RestoreItem::Status;

std::string quoted(const JournalEntry& entry, std::string_view text) { return fmt::format("'{}'", canonical_text(entry.comparator, text)); }

/// True where the file is seen to be missing: the nearest folder above it that can be listed lacks the next name. ENOENT alone proves
/// nothing.
bool has_vanished(Host& host, std::string_view path) {
  const std::string folder_of_interface = "/sys/class/net/" + interface_of(path);
  if (is_ethtool(path)) path = folder_of_interface;
  while (path.size() > 1) {
    const auto slash = path.rfind('/');
    const std::string folder(path.substr(0, std::max<std::size_t>(slash, 1)));
    if (const auto names = host.list_directory(folder)) return std::ranges::find(*names, path.substr(slash + 1)) == names->end();
    path = path.substr(0, slash);
  }
  return false;
}

RestoreItem unreadable(Host& host, const JournalEntry& entry, const Error& error) {
  if ((error.code == ErrorCode::not_found || error.errno_value == ENODEV) && has_vanished(host, entry.path))
    return {describe(entry), Status::gone, "does not exist any more"};
  return {describe(entry), Status::failed, to_text(error)};
}

RestoreItem write_original(Host& host, const JournalEntry& entry, const std::string& present, const RestoreOptions& options) {
  const std::string change = fmt::format("{} -> {}", quoted(entry, present), quoted(entry, entry.original));
  if (options.dry_run) return {describe(entry), Status::restored, change};
  const auto written = write_carrier(host, entry.path, entry.original);
  const auto now = read_carrier(host, entry.path);
  // What the kernel now says counts: some report an error and take the value, some take it and round.
  if (now && (*now == entry.original || equivalent(entry.comparator, entry.original, *now)))
    return {describe(entry), Status::restored, change};
  if (!written)
    return {describe(entry), Status::failed,
            fmt::format("{} should be {}: {}", quoted(entry, present), quoted(entry, entry.original), to_text(written.error()))};
  if (!now) return {describe(entry), Status::failed, "cannot be read back: " + to_text(now.error())};
  return {describe(entry), Status::failed, fmt::format("is {} after writing {}", quoted(entry, *now), quoted(entry, entry.original))};
}

/// Names in the folder of an interrupt that are no handler's.
bool is_file_of_interrupt(std::string_view name) {
  return name.starts_with("smp_affinity") || name.starts_with("effective_affinity") || name == "affinity_hint" || name == "node" ||
         name == "spurious";
}

/// Numbers of interrupts are given anew: what was one device's may be another's.
bool is_anothers(Host& host, const JournalEntry& entry) {
  if (entry.name.empty()) return false;
  const auto names = host.list_directory(entry.path.substr(0, entry.path.rfind('/')));
  return names && std::ranges::find(*names, entry.name) == names->end();
}

}  // namespace

std::string handler_of(Host& host, std::string_view path) {
  if (!path.starts_with("/proc/irq/")) return "";
  auto names = host.list_directory(std::string(path.substr(0, path.rfind('/')))).value_or(std::vector<std::string>());
  std::erase_if(names, is_file_of_interrupt);
  return names.size() == 1 ? names.front() : "";
}

bool is_ours(const JournalEntry& entry, std::string_view present) {
  if (entry.resetting || equivalent(entry.comparator, entry.in_force.value_or(entry.original), present)) return true;
  if (!entry.in_flight) return false;
  if (equivalent(entry.comparator, *entry.in_flight, present)) return true;
  if (entry.comparator != Comparator::cpu_mask) return false;
  // The kernel takes isolated CPUs out of a mask: part of what was being written is ours too.
  const auto asked = parse_cpu_mask(*entry.in_flight), got = parse_cpu_mask(present);
  return asked && got && !got->empty() && std::ranges::includes(*asked, *got);
}

RestoreItem restore_file_entry(Host& host, const JournalEntry& entry, const RestoreOptions& options) {
  if (is_anothers(host, entry))
    return {describe(entry), Status::gone, fmt::format("{} has no interrupt of this number any more", entry.name)};
  const auto present = read_carrier(host, entry.path);
  if (!present) return unreadable(host, entry, present.error());
  if (*present == entry.original) return {describe(entry), Status::already, ""};
  if (!entry.in_force && !entry.in_flight && !entry.resetting)
    return {describe(entry), Status::already, fmt::format("netsettle never wrote it; somebody else made it {}", quoted(entry, *present))};
  if (!is_ours(entry, *present) && !options.force_conflicts)
    return {describe(entry), Status::conflict,
            fmt::format("is {}, netsettle wrote {}: somebody else changed it; it was {}", quoted(entry, *present),
                        quoted(entry, entry.in_flight.value_or(entry.in_force.value_or(entry.original))), quoted(entry, entry.original))};
  return write_original(host, entry, *present, options);
}

SettingStatus status_of(const Error& error) {
  switch (error.errno_value) {
    case EPERM:
      return SettingStatus::eperm;
    case EACCES:
    case EROFS:
      return SettingStatus::eacces;
    case EINVAL:
    case ERANGE:
      return SettingStatus::einval;
    case EIO:
      return SettingStatus::eio;
    case ENOSPC:
      return SettingStatus::enospc;
    case EOVERFLOW:
      return SettingStatus::eoverflow;
    default:
      return error.code == ErrorCode::not_found ? SettingStatus::absent : SettingStatus::refused;
  }
}

WriteOutcome write_journalled(Host& host, Journal& journal, int entry_id, const std::string& present, const std::string& text) {
  const JournalEntry entry = journal.entry(entry_id);
  // An earlier write whose end was not seen: what it left is known now, and must not be forgotten with the next one.
  if (entry.in_flight)
    if (const auto noted = journal.write_ended(entry_id, present); !noted) return {status_of(noted.error()), "", noted.error().errno_value};
  if (const auto noted = journal.write_begins(entry_id, text); !noted) return {status_of(noted.error()), "", noted.error().errno_value};
  const auto written = write_carrier(host, entry.path, text);
  const auto now = read_carrier(host, entry.path);
  // Without a read-back the write stays "in flight": either value is then known as ours.
  if (!now) {
    const Error& error = written ? now.error() : written.error();
    return {status_of(error), "", error.errno_value};
  }
  WriteOutcome outcome;
  outcome.effective = canonical_text(entry.comparator, *now);
  if (!written) {
    outcome.status = status_of(written.error());
    outcome.errno_value = written.error().errno_value;
    // A refusal that changed nothing; anything else stays in flight. The same holds where the note itself fails.
    if (*now == present) static_cast<void>(journal.write_refused(entry_id));
    return outcome;
  }
  if (!equivalent(entry.comparator, text, *now)) outcome.status = SettingStatus::clamped;
  if (const auto noted = journal.write_ended(entry_id, *now); !noted && outcome.status == SettingStatus::clamped) {
    // The journal does not know what the kernel made of it, and could not tell it from somebody else's value.
    outcome.status = status_of(noted.error());
    outcome.errno_value = noted.error().errno_value;
  }
  return outcome;
}

}  // namespace netsettle::runners
