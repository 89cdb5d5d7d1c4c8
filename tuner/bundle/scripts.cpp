// apply.sh and revert.sh: the templates beside this file, with the bundle's values put in, every one of them quoted.

#include "tuner/bundle/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "tuner/bundle/templates.hpp"

namespace netsettle::tuner {

namespace {

/// For POSIX sh: nothing is special between single quotes but the single quote.
std::string shell_quoted(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'')
      quoted += "'\\''";
    else
      quoted += c;
  }
  return quoted + "'";
}

/// Each {{name}} of the template, once from left to right: what is put in is not looked at again.
std::string filled(std::string_view text, const std::map<std::string, std::string, std::less<>>& values) {
  std::string result;
  for (;;) {
    const auto open = text.find("{{");
    const auto close = text.find("}}", open);
    if (open == std::string_view::npos || close == std::string_view::npos) return result.append(text);
    result.append(text.substr(0, open));
    result.append(values.at(std::string(text.substr(open + 2, close - open - 2))));
    text.remove_prefix(close + 2);
  }
}

/// In double quotes, for a path with $interface in it: the plan has let nothing through that is special there.
std::string call_of(const BundleWrite& write) {
  const std::string value = shell_quoted(write.values.front());
  switch (write.kind) {
    case BundleWrite::Kind::file:
      return fmt::format("\"$1\" {} {}", shell_quoted(write.target), value);
    case BundleWrite::Kind::device:
      return fmt::format("\"$1\" \"/sys/class/net/$interface/{}\" {}", write.target, value);
    case BundleWrite::Kind::every_queue:
      return fmt::format("for_each_queue \"$1\" {} {} {}", shell_quoted(write.target), shell_quoted(write.name), value);
    case BundleWrite::Kind::ethtool:
      return fmt::format("\"$1\" \"ethtool {} $interface {}\" {}", write.target, write.name, value);
    case BundleWrite::Kind::interrupts:
      break;
  }
  std::string lists;
  for (const std::string& list : write.values) lists += " " + shell_quoted(list);
  return "for_each_interrupt \"$1\"" + lists;
}

std::string file_calls(const BundlePlan& plan) {
  std::string calls;
  for (const BundleWrite& write : plan.writes) calls += "  " + call_of(write) + "\n";
  if (calls.empty()) calls = "  : # the winner has the values that were found\n";
  calls.pop_back();
  return calls;
}

bool changes_channels(const BundlePlan& plan) {
  return std::ranges::any_of(plan.writes,
                             [](const BundleWrite& write) { return write.kind == BundleWrite::Kind::ethtool && write.target == "-l"; });
}

std::string yes_or_no(bool value) { return value ? "yes" : "no"; }

}  // namespace

std::string apply_script(const BundleInput& input, const BundlePlan& plan) {
  return filled(kApplyTemplate, {{"bundle", plan.id},
                                 {"laboratory", yes_or_no(input.laboratory_only)},
                                 {"needs_interface", yes_or_no(needs_interface(plan))},
                                 {"changes_channels", yes_or_no(changes_channels(plan))},
                                 {"files", file_calls(plan)},
                                 {"library", std::string(kLibraryTemplate)}});
}

std::string revert_script(const BundlePlan& plan) {
  return filled(kRevertTemplate, {{"bundle", plan.id}, {"library", std::string(kLibraryTemplate)}});
}

std::string policy_script(const BundlePlan& plan) { return filled(kPolicyTemplate, {{"bundle", plan.id}}); }

std::string unit_name(const BundlePlan& plan) { return fmt::format("netsettle-{}{}.service", plan.slug, needs_interface(plan) ? "@" : ""); }

std::string install_folder(const BundlePlan& plan) { return "/usr/local/lib/netsettle/" + plan.id; }

std::string unit(const BundleInput& input, const BundlePlan& plan) {
  const bool has_interface = needs_interface(plan);
  const std::string folder = install_folder(plan);
  std::string text = fmt::format("[Unit]\nDescription=Settings of netsettle study {}, configuration {}\nDocumentation=file:{}/README.md\n",
                                 plan.slug, input.configuration_id, folder);
  // A card that goes down and up again loses what was set; its device unit starts this one anew.
  text += has_interface ? "BindsTo=sys-subsystem-net-devices-%i.device\nAfter=sys-subsystem-net-devices-%i.device network-online.target\n"
                        : "After=systemd-sysctl.service\n";
  text += has_interface ? "Wants=network-online.target\n" : "";
  text +=
      fmt::format("\n[Service]\nType=oneshot\nRemainAfterExit=yes\nExecStart=/bin/sh {0}/apply.sh{1}{2}\nExecStop=/bin/sh {0}/revert.sh\n",
                  folder, has_interface ? " --interface %i" : "", input.laboratory_only ? " --lab-result" : "");
  return text + "\n[Install]\nWantedBy=multi-user.target\n";
}

}  // namespace netsettle::tuner
