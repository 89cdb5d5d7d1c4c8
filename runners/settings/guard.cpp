#include "runners/settings/guard.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include <nlohmann/json.hpp>

#include "runners/settings/guard_process.hpp"
#include "runners/settings/interrupt_settings.hpp"
#include "runners/settings/irqbalance_setting.hpp"
#include "runners/settings/journal.hpp"
#include "runners/settings/lock.hpp"
#include "runners/settings/managed_settings.hpp"
#include "runners/settings/restore.hpp"

namespace netsettle::runners {
namespace {

bool is_left(const JournalEntry& entry) { return entry.state != EntryState::closed; }

/// In a folder that this user may not even look into (HOME of somebody else), where no run of this user can have left anything.
bool is_out_of_reach(const std::filesystem::path& file) {
  struct stat status{};
  return ::lstat(file.c_str(), &status) != 0 && errno == EACCES;
}

Error unfinished(const GuardPaths& paths) {
  return {ErrorCode::conflict, (paths.undo_directory / "journal").string(),
          "an earlier run is not given back yet: run 'netsettle restore' first", 0};
}

class ActiveGuard final : public SettingsGuard {
 public:
  ActiveGuard(const GuardOptions& options, MachineLock lock, Journal journal, std::optional<GuardProcess> process)
      : options_(options), lock_(std::move(lock)), journal_(std::move(journal)), process_(std::move(process)) {}

  ~ActiveGuard() override { ActiveGuard::restore(); }

  Expected<void> will_create_namespace(const std::string& name) override {
    return will_create(EntryKind::network_namespace, "/run/netns", name);
  }
  Expected<void> will_create_link(const std::string& name) override { return will_create(EntryKind::link, "/sys/class/net", name); }

  Expected<void> watch_child(std::int64_t pid) override {
    NETSETTLE_TRY(in_use());
    forget_ended_children();
    const auto process = identify(pid);
    if (!process) return fail(ErrorCode::not_found, "process", "has ended already");
    JournalEntry entry;
    entry.kind = EntryKind::process;
    entry.pid = process->pid;
    entry.pid_start = process->start;
    NETSETTLE_TRY(journal_.add(std::move(entry)));
    return process_ ? process_->watch_child(pid) : Expected<void>();
  }

  std::vector<AppliedSetting> apply(const SettingContext& context, const std::map<std::string, std::string>& wanted) override {
    if (!in_use()) return refused_rows(wanted);
    auto others = wanted;
    const auto asked = others.extract(kIrqbalanceSetting);
    if (asked.empty() && !factor_.is_in_force()) return managed_.apply(context, others);
    const std::string mode = asked.empty() ? "as-found" : asked.mapped();
    // Interrupts are placed when the daemon leaves them alone, and given back before it may move them again.
    std::optional<AppliedSetting> row;
    if (!IrqbalanceFactor::lets_go(mode)) row = factor_.bring(context, mode);
    auto rows = managed_.apply(context, others);
    if (!row) {
      managed_.let_go(context, kInterruptSpread);
      row = factor_.bring(context, mode);
    }
    if (!asked.empty() || !was_done(*row)) rows.push_back(std::move(*row));
    return rows;
  }
  void read_back(const SettingContext& context, std::vector<AppliedSetting>& rows) override {
    managed_.read_back(context, rows);
    const auto daemon = std::ranges::find(rows, kIrqbalanceSetting, &AppliedSetting::setting);
    if (daemon == rows.end() || daemon->at_end != to_text(IrqbalanceMode::running)) return;
    // Interrupts that the study leaves to the daemon may move: that is what is measured.
    for (auto& row : rows)
      if (is_interrupt_setting(row.setting) && row.requested == "as-found" && row.status == SettingStatus::drifted)
        row.status = SettingStatus::same;
  }

  Expected<void> bring_irqbalance(Host& host, IrqbalanceMode mode, const std::set<int>& irqs) override {
    NETSETTLE_TRY(in_use());
    NETSETTLE_ASSIGN(const auto daemon, find_irqbalance(host));
    return daemon ? irqbalance_.bring(*daemon, mode, irqs) : Expected<void>();
  }
  Expected<void> check_irqbalance() override { return irqbalance_.check(); }

  RestoreReport restore_settings() override {
    if (finished_) return *finished_;
    auto report = restore_entries(journal_, plan(RestoreScope::settings));
    managed_.forget();
    irqbalance_.forget();
    factor_.forget();
    return report;
  }

  RestoreReport restore() override {
    if (finished_) return *finished_;
    finished_ = restore_entries(journal_, plan(RestoreScope::everything));
    managed_.forget();
    irqbalance_.forget();
    factor_.forget();
    if (const auto closed = journal_.finish(); !closed)
      finished_->items.push_back({"the undo journal", RestoreItem::Status::failed, to_text(closed.error())});
    if (process_) process_->dismiss();
    return *finished_;
  }

  bool guard_alive() const override { return !process_ || process_->alive(); }

 private:
  /// After restore() nothing is watched over any more, so nothing may be changed.
  Expected<void> in_use() const {
    if (finished_) return fail(ErrorCode::internal, "settings", "the guard has given everything back already");
    return {};
  }

  static bool was_done(const AppliedSetting& row) { return row.status == SettingStatus::ok || row.status == SettingStatus::same; }

  static std::vector<AppliedSetting> refused_rows(const std::map<std::string, std::string>& wanted) {
    std::vector<AppliedSetting> rows;
    for (const auto& [name, value] : wanted) rows.push_back({.setting = name, .requested = value, .status = SettingStatus::refused});
    return rows;
  }

  RestorePlan plan(RestoreScope scope) const {
    RestorePlan plan;
    plan.scope = scope;
    plan.options.open_host = options_.open_host;
    return plan;
  }

  Expected<void> will_create(EntryKind kind, const std::string& folder, const std::string& name) {
    NETSETTLE_TRY(in_use());
    NETSETTLE_ASSIGN(const auto host, (options_.open_host ? options_.open_host : open_real_host)(""));
    const auto names = host->list_directory(folder);
    if (names && std::ranges::find(*names, name) != names->end()) return fail(ErrorCode::conflict, name, "exists already in " + folder);
    JournalEntry entry;
    entry.kind = kind;
    entry.name = name;
    NETSETTLE_TRY(journal_.add(std::move(entry)));
    return {};
  }

  /// Keeps the journal small over a long study.
  void forget_ended_children() {
    const std::vector<JournalEntry> entries = journal_.entries();
    for (const auto& entry : entries)
      if (entry.kind == EntryKind::process && is_left(entry) && !identify_again(entry))
        static_cast<void>(journal_.set_state(entry.id, EntryState::closed));  // an entry that stays open does no harm
  }

  static bool identify_again(const JournalEntry& entry) { return identify(entry.pid) == ProcessIdentity{entry.pid, entry.pid_start}; }

  GuardOptions options_;
  MachineLock lock_;
  Journal journal_;
  ManagedSettings managed_{journal_};
  IrqbalanceControl irqbalance_{journal_};
  IrqbalanceFactor factor_{irqbalance_};
  std::optional<GuardProcess> process_;
  std::optional<RestoreReport> finished_;
};

Expected<std::optional<GuardProcess>> start_process(const GuardOptions& options, const MachineLock& lock) {
  if (options.guard_program.empty()) return std::nullopt;
  return GuardProcess::start(options.guard_program, options.paths, lock);
}

}  // namespace

Expected<std::unique_ptr<SettingsGuard>> SettingsGuard::open(const GuardOptions& options) {
  NETSETTLE_ASSIGN(MachineLock lock, MachineLock::take(options.paths));
  NETSETTLE_TRY(lock.introduce(options.study, options.database));
  NETSETTLE_ASSIGN(Journal journal, Journal::open(options.paths.undo_directory));
  if (journal.has_open_entries() || !journal.unreadable_lines().empty()) return std::unexpected(unfinished(options.paths));
  NETSETTLE_ASSIGN(auto process, start_process(options, lock));
  return std::make_unique<ActiveGuard>(options, std::move(lock), std::move(journal), std::move(process));
}

bool RestoreReport::complete() const {
  return std::ranges::none_of(items, [](const RestoreItem& item) {
    return item.status == RestoreItem::Status::conflict || item.status == RestoreItem::Status::failed;
  });
}

std::string_view to_text(RestoreItem::Status status) {
  constexpr std::array<std::string_view, 5> kNames = {"restored", "already", "conflict", "failed", "gone"};
  return kNames[static_cast<std::size_t>(status)];
}

std::string to_json(const RestoreReport& report) {
  nlohmann::json json = {{"complete", report.complete()}, {"items", nlohmann::json::array()}};
  for (const auto& item : report.items)
    json["items"].push_back({{"what", item.what}, {"status", to_text(item.status)}, {"detail", item.detail}});
  return json.dump(2, ' ', true, nlohmann::json::error_handler_t::replace) + "\n";
}

Expected<RestoreReport> restore_from_journal(const GuardPaths& paths, const RestoreOptions& options) {
  NETSETTLE_ASSIGN(const MachineLock lock, MachineLock::take(paths));
  if (!journal_is_open(paths)) return RestoreReport{};
  NETSETTLE_TRY(lock.introduce("restore", ""));
  NETSETTLE_ASSIGN(Journal journal, Journal::open(paths.undo_directory));
  RestorePlan plan;
  plan.options = options;
  auto report = restore_entries(journal, plan);
  if (!options.dry_run) NETSETTLE_TRY(journal.finish());
  return report;
}

bool journal_is_open(const GuardPaths& paths) {
  const auto found = Journal::read(paths.undo_directory);
  if (!found) return !is_out_of_reach(paths.undo_directory / "journal");  // what is there and cannot be read is not "nothing to do"
  return !found->unreadable_lines.empty() || std::ranges::any_of(found->entries, is_left);
}

}  // namespace netsettle::runners
