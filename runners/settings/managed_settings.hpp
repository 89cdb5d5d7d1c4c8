#pragma once
// The settings that a study has taken under management: what each was, what it is to be, and the files that carry it.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "datasets/model/trial.hpp"
#include "runners/settings/catalogue.hpp"
#include "runners/settings/file_entry.hpp"
#include "runners/settings/journal.hpp"

namespace netsettle::runners {

class ManagedSettings {
 public:
  explicit ManagedSettings(Journal& journal) : journal_(journal) {}

  /// SettingsGuard::apply.
  std::vector<AppliedSetting> apply(const SettingContext& context, const std::map<std::string, std::string>& wanted);
  /// SettingsGuard::read_back.
  void read_back(const SettingContext& context, std::vector<AppliedSetting>& rows) const;
  /// What has been given back is somebody else's from now on; the next apply finds the setting anew. What has not stays managed.
  void let_go(const SettingContext& context, const std::string& name);
  /// After a restore: the next apply finds everything anew.
  void forget() { managed_.clear(); }

 private:
  struct Managed {
    ResolvedSetting setting;
    std::vector<std::optional<int>> entries;  // in the journal, one per file, from its first write on
    std::map<int, std::uint64_t> interrupts;  // how often each had come when the setting was applied; of interrupts alone
  };
  /// One setting on its way to its new value.
  struct Step {
    Managed* managed = nullptr;                            // null: it could not be planned, the row says why
    std::vector<std::string> targets, present, effective;  // one per file
    AppliedSetting row;
  };

  /// Channels and rings go first: what else is planned depends on the queues that there are then.
  enum class Stage { resets, others };

  Expected<Managed*> manage(const SettingContext& context, const std::string& name);
  /// No two settings write one file: each would take the other's value for somebody else's.
  Expected<void> check_free(const ResolvedSetting& setting) const;
  /// Interrupts that the kernel manages itself are told from others only by trying: each file is written as it is.
  Expected<void> leave_out_kernels_own(const SettingContext& context, Managed& managed);
  Expected<int> add_entry(Host& host, const std::string& setting, const SettingFile& file, const std::string& present);
  Expected<void> plan_wanted(const SettingContext& context, Step& step);
  Expected<void> plan_return(const SettingContext& context, Managed& managed, Step& step) const;
  std::vector<Step> plan(const SettingContext& context, const std::map<std::string, std::string>& wanted, Stage stage);
  std::vector<Step> run(const SettingContext& context, const std::map<std::string, std::string>& wanted, Stage stage);
  void carry_out(const SettingContext& context, Step& step);
  std::vector<AppliedSetting> rows_of(const SettingContext& context, Step& step, const std::map<std::string, std::string>& wanted) const;
  /// ok, same, clamped, or why the file does not hold its target now.
  WriteOutcome bring(const SettingContext& context, Managed& managed, std::size_t index, const Step& step);

  // Around a write that starts the queues anew.
  WriteOutcome write_resetting(const SettingContext& context, int entry, const std::string& present, const std::string& text);
  /// Puts what is said of each queue into the journal; the entries of all of it, from this change or an earlier one.
  Expected<std::vector<int>> keep_queue_state(const SettingContext& context, int cause);
  /// Notes what the change has left, and gives the queues that there are now what they had.
  WriteOutcome give_queues_back(const SettingContext& context, const std::vector<int>& entries);
  /// They are looked up anew: there are other queues now.
  void forget_queues();

  Journal& journal_;
  std::map<std::string, Managed> managed_;
};

}  // namespace netsettle::runners
