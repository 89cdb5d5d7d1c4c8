#pragma once
// What is known of a setting's values before any machine is asked: its types, its smallest number, its words.

#include <string>
#include <string_view>
#include <vector>

#include "datasets/model/parameter.hpp"

namespace netsettle {

/// "blocking" …: the models of the echo server, in the order of help texts.
const std::vector<std::string>& io_model_words();
/// "shared", "reuseport", "reuseport-cpu".
const std::vector<std::string>& socket_words();
/// "spread" …: how server.placement puts the workers on CPUs, beside a CPU list.
const std::vector<std::string>& placement_words();
/// "default" …: where the server's memory comes from, beside "node:N".
const std::vector<std::string>& memory_words();

struct SettingForm {
  std::vector<ParameterType> types;  // a parameter that sets it has one of them
  double smallest = 1;               // of a number
  std::vector<std::string> words;    // of a categorical one; empty: any
  bool cpu_list = false;             // beside the words
  bool node = false;                 // "node:N" beside the words
};

/// A setting of the machine whose name is known before any machine is asked.
struct MachineSetting {
  std::string name;
  SettingForm form;
};

/// queues.*, napi.*, nic.*, interrupts.*, cpu.*, sched.* and actors.*, in the order of the documentation; how each is carried out is known
/// to runners/settings alone. Sysctls are not in it: sysctl.net.* are as many as the kernel has.
const std::vector<MachineSetting>& machine_settings();

/// "sysctl.vm.swappiness" …: the sysctls outside net.* that a study may change. Others (kernel.core_pattern, kernel.panic) could do harm.
const std::vector<std::string>& other_sysctls();

/// For server.*, load.*, memory.policy and machine_settings(); other settings say nothing beforehand (no types).
SettingForm form_of(std::string_view setting);

/// Its values are texts, not numbers.
bool is_text(const SettingForm& form);

}  // namespace netsettle
