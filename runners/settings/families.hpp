#pragma once
// The kinds of settings, one small file each: how one is found, which texts its files get for a value, and which value texts make. Private
// to this folder; catalogue.cpp has the list.

#include <string>
#include <string_view>
#include <vector>

#include "runners/settings/catalogue.hpp"

namespace netsettle::runners {

using Texts = std::vector<std::string>;

struct Family {
  std::string_view prefix;  // of the names that belong to it
  /// Files, scope, and what else the machine tells of the setting. The value found and what the catalogue says are added by the caller.
  Expected<ResolvedSetting> (*find)(const SettingContext& context, const std::string& name);
  /// One text per file.
  Expected<Texts> (*texts)(const SettingContext& context, const ResolvedSetting& setting, const std::string& value);
  Value (*value)(const SettingContext& context, const ResolvedSetting& setting, const Texts& texts);
  /// The value found, where `value` says less than all: two states with one value must not pass for one configuration.
  Value (*found)(const ResolvedSetting& setting, const Texts& texts) = nullptr;
};

Family sysctls();                         // sysctl.*
Family packet_steering();                 // queues.rps.count
Family steering_mask();                   // queues.rps.mask
Family flow_steering();                   // queues.rfs.entries
Family transmit_steering();               // queues.xps.count
Family napi_settings();                   // napi.*
Family nic_settings();                    // nic.*
Family interrupt_settings();              // interrupts.*
Family cpu_words(std::string_view name);  // cpu.governor, cpu.epp
Family cpu_boost();                       // cpu.boost
Family cpu_idle_states();                 // cpu.idle
Family cpu_latency();                     // cpu.dma_latency
Family scheduler();                       // sched.*
Family irqbalance_setting();              // actors.irqbalance

// ---- what they have in common ------------------------------------------------------------------

/// The value in every file, as its comparator writes it.
Expected<Texts> plain_texts(const SettingContext& context, const ResolvedSetting& setting, const std::string& value);
/// The number or text that all files have, else all of them with spaces between.
Value plain_value(const SettingContext& context, const ResolvedSetting& setting, const Texts& texts);
/// All texts, canonical, with spaces between.
Value joined(const ResolvedSetting& setting, const Texts& texts);

/// The value as a number within the setting's bounds. invalid_input.
Expected<std::int64_t> bounded_number(const ResolvedSetting& setting, const std::string& value);
/// Whether the number is within the setting's bounds.
Expected<void> check_bounds(const ResolvedSetting& setting, std::int64_t number);
std::unexpected<Error> not_a(std::string_view what, const std::string& name, std::string_view value);

/// The host that writes the file.
Host& host_of(const SettingContext& context, const SettingFile& file);
/// The file's text, where it may also be written. Errors say what would help.
Expected<std::string> read_writable(Host& host, const std::string& name, const std::string& path);
/// not_found, permission_denied: with the name as subject and what would help.
Error unusable(const std::string& name, const Error& cause);

/// "cpu0", "policy12": entries of a folder that are this word and a number, in the order of the numbers. Empty where it cannot be listed.
std::vector<std::string> numbered(Host& host, const std::string& folder, std::string_view word);
int number_in(std::string_view name);

/// invalid_input where it is not the name of an interface.
Expected<void> check_interface(const SettingContext& context);
/// Paths of one file for each queue of a direction ("rx-", "tx-"). unsupported where there is none.
Expected<std::vector<SettingFile>> queue_files(const SettingContext& context, const std::string& name, std::string_view direction,
                                               const std::string& file);

}  // namespace netsettle::runners
