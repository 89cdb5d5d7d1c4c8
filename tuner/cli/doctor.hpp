#pragma once
// What `netsettle doctor` has to say, in parts: the machine, its settings, its interfaces. Each finding is one line with what to do about
// it.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runners/hosts/host.hpp"
#include "runners/settings/catalogue.hpp"
#include "runners/topology/host_facts.hpp"
#include "runners/topology/machine_view.hpp"

namespace netsettle::tuner {

struct Finding {
  std::string what;
  enum class Level { fine, limit, problem } level;
  std::string text;
};
std::string_view to_text(Finding::Level level);

/// Rights, programs, CPUs, other actors, container, what a crashed run left. Of the machine that netsettle runs on.
std::vector<Finding> machine_findings(runners::Host& host, const runners::Topology& topology, const runners::HostFacts& facts);

/// A setting that a study could tune.
struct SettingState {
  std::string name;
  std::string as_found;                  // "" where it cannot be changed
  std::optional<std::string> unusable;   // why it does not exist or cannot be changed here
  std::optional<std::string> no_matter;  // why it cannot matter on this interface as it is
  std::optional<std::int64_t> smallest, largest;
  std::vector<std::string> words;  // that it takes; empty: numbers, or any
  std::string bound_by;            // what its bounds come from, where the machine says so
};

/// Where settings of this machine act for an interface, without a study.
runners::SettingContext machine_context(runners::Host& host, const runners::CpuSurvey& cpus, const std::string& interface);
/// One setting, in company of others.
SettingState state_of(const runners::SettingContext& context, const std::string& name, const std::vector<std::string>& all_settings);
/// "takes 1 to 4 (4 queues of eth0 with interrupts, 8 CPUs that may be used)", "one of performance, powersave"; "" where the machine says nothing.
std::string range_text(const SettingState& state);

/// `doctor FILE`: what the experiment needs of this machine, and whether it has it.
int show_experiment(const std::string& file, bool as_json);
/// All of the catalogue, by its order. Reads, and asks whether files may be written; writes nothing.
std::vector<SettingState> setting_states(runners::Host& host, const runners::CpuSurvey& cpus, const std::string& interface);

/// A text of a tree that somebody else made, for the terminal: control characters become "?".
std::string printable(std::string text);

/// Problems of interfaces, and interrupts that all come to one CPU. `interface`: only this one; else those with a device.
std::vector<Finding> network_findings(const runners::MachineView& view, const std::optional<std::string>& interface);

/// The interface that matters most where none is named: the first with a device and queues, else the first with a device, else "lo".
std::string main_interface(const runners::MachineView& view);

/// Interfaces as text: device, node, CPUs, one line an interrupt.
std::string network_text(const runners::MachineView& view, const std::optional<std::string>& interface);

}  // namespace netsettle::tuner
