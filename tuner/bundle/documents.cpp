// The sysctl.d file and the page for people.

#include "tuner/bundle/plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace netsettle::tuner {

namespace {

using strategies::to_text;

std::string_view as_found_text(std::string_view value) { return value.empty() ? "(empty)" : value; }

std::string conf_name(const BundlePlan& plan) { return "99-zz-netsettle-" + plan.slug + ".conf"; }

/// A value between back-ticks cannot hold one.
std::string code(std::string_view text) {
  std::string line = one_line(text);
  for (char& c : line)
    if (c == '`') c = '\'';
  return "`" + line + "`";
}

std::string laboratory_line(const BundleInput& input) {
  if (!input.laboratory_only) return "";
  return fmt::format("LABORATORY ONLY: measured on one machine ({}), not on a network. Confirm it on a network before you rely on it.\n\n",
                     to_text(input.rig));
}

std::string write_label(const BundleWrite& write) {
  switch (write.kind) {
    case BundleWrite::Kind::file:
      return code(write.target);
    case BundleWrite::Kind::device:
      return code(write.target) + " of the interface";
    case BundleWrite::Kind::every_queue:
      return fmt::format("{} of every {} queue", code(write.name), write.target == "rx-" ? "receive" : "transmit");
    case BundleWrite::Kind::interrupts:
      return "CPUs of the interrupts of the interface's queues, in their order";
    case BundleWrite::Kind::ethtool:
      return fmt::format("{} of the interface", code(fmt::format("ethtool {} {}", write.target, write.name)));
  }
  return "";
}

std::string what_it_sets(const BundlePlan& plan) {
  if (plan.writes.empty()) return "This bundle changes no setting of the system: the configuration has the values that were found.\n";
  std::string text = "| setting | value | value found on the measured machine |\n|---|---|---|\n";
  for (const BundleWrite& write : plan.writes) {
    const auto sysctl = std::ranges::find(plan.sysctls, write.target, &SysctlWrite::path);
    text += fmt::format("| {} | {} | {} |\n", sysctl == plan.sysctls.end() ? write_label(write) : code(sysctl->key),
                        code(fmt::format("{}", fmt::join(write.values, " "))), code(as_found_text(write.as_found)));
  }
  return text;
}

std::string notes_section(const BundlePlan& plan) {
  if (plan.notes.empty()) return "";
  std::string text = "\n## What the scripts do not do\n\n";
  for (const std::string& note : plan.notes) text += "- " + note + "\n";
  return text;
}

std::string server_section(const BundleInput& input) {
  if (input.server_values.empty()) return "";
  std::string text = "\n## Settings of the server itself\n\nNo sysctl sets these. Put them into the configuration of your server:\n\n";
  for (const auto& [name, value] : input.server_values) text += fmt::format("- {} = {}\n", code(name), code(value));
  return text;
}

std::string evidence_section(const BundleInput& input) {
  const BundleEvidence& evidence = input.evidence;
  std::string text =
      fmt::format("\n## Why\n\n{}\n\nVerdict: {}; {} trials of this configuration, {} of the baseline, {} confirmation blocks.\n",
                  one_line(evidence.statement), to_text(evidence.verdict), evidence.n, evidence.baseline_n, evidence.blocks);
  if (evidence.verdict != strategies::VerdictKind::winner)
    text += "No improvement was proven: this bundle was exported because the configuration was named.\n";
  return text + fmt::format("Workload: {} ({} clients, {} queries outstanding). Details: `manifest.json`.\n",
                            code(input.workload.query_file), input.workload.clients, input.workload.outstanding);
}

std::string apply_options(const BundleInput& input, const BundlePlan& plan) {
  return std::string(needs_interface(plan) ? " --interface IF" : "") + (input.laboratory_only ? " --lab-result" : "");
}

std::string try_section(const BundleInput& input, const BundlePlan& plan) {
  const std::string options = apply_options(input, plan);
  const auto command = [](std::string_view line, std::string_view does) { return fmt::format("{:<58} # {}\n", line, does); };
  std::string text = "\n## Try it, until the next boot\n\n```\n";
  text += command("sh apply.sh --dry-run" + options, "says what would change");
  text += command("sudo sh apply.sh" + options, "changes it, and keeps the previous values");
  text += command("sudo sh revert.sh", "gives the previous values back");
  text += "```\n\n";
  text += fmt::format(
      "The previous values are kept in `/var/lib/netsettle/bundles/{}/`.\n"
      "`revert.sh` leaves alone what somebody else has changed since, names it and exits with 4; `--force` gives it back as well.\n",
      plan.id);
  if (needs_interface(plan))
    text +=
        "`IF` is the interface on which the queries arrive. CPUs are those of the measured machine: check them where the machines "
        "differ.\n";
  return text;
}

std::string keep_sysctls(const BundlePlan& plan) {
  const std::string conf = conf_name(plan);
  return fmt::format(
      "\n```\nsudo cp {0} /etc/sysctl.d/\nsudo sysctl -p /etc/sysctl.d/{0}\n```\n\n"
      "A file that comes later sets the same key again: `apply.sh` names such files. `sysctl --system` reads `/etc/sysctl.conf` last.\n"
      "To take it back, remove the file; the values in force change at the next boot or with `revert.sh`.\n",
      conf);
}

/// What sysctl.d cannot carry is set by apply.sh, at boot and when the card comes up.
std::string keep_others(const BundlePlan& plan) {
  const std::string name = unit_name(plan), folder = install_folder(plan);
  const std::string instance = needs_interface(plan) ? fmt::format("netsettle-{}@IF.service", plan.slug) : name;
  return fmt::format(
      "\n{0}:\n\n```\nsudo mkdir -p {1}\nsudo cp apply.sh revert.sh README.md {1}/\nsudo cp {2} /etc/systemd/system/\n"
      "sudo systemctl daemon-reload\nsudo systemctl enable --now {3}\n```\n",
      plan.sysctls.empty() ? "A systemd unit runs `apply.sh` at boot"
                           : "The rest is not part of sysctl.d: a systemd unit runs `apply.sh` at boot",
      folder, name, instance);
}

std::string keep_section(const BundlePlan& plan) {
  if (plan.writes.empty()) return "";
  return "\n## Keep it\n" + (plan.sysctls.empty() ? std::string() : keep_sysctls(plan)) +
         (needs_script(plan) ? keep_others(plan) : std::string());
}

std::string verify_section(const BundlePlan& plan) {
  if (plan.sysctls.empty()) return "";
  std::string text = "\n## Check it\n\n```\nsysctl";
  for (const SysctlWrite& write : plan.sysctls) text += " " + write.key;
  return text + "\n```\n";
}

}  // namespace

std::string sysctl_conf(const BundleInput& input, const BundlePlan& plan) {
  std::string text =
      fmt::format("# netsettle {}, bundle {}\n# {}\n", one_line(input.tool_version), plan.id, one_line(input.evidence.statement));
  if (input.laboratory_only) text += "# LABORATORY ONLY: not measured on a network.\n";
  text += "# Only what differs from the values found on the measured machine.\n";
  if (plan.sysctls.empty()) text += "# Nothing: this configuration changes no sysctl.\n";
  for (const SysctlWrite& write : plan.sysctls) text += fmt::format("{} = {}\n", write.key, write.value);
  return text;
}

std::string readme(const BundleInput& input, const BundlePlan& plan) {
  std::string text = laboratory_line(input);
  text += fmt::format("# Settings of study {}, configuration {}\n\nMade {} by netsettle {}.\n\n", code(input.study), input.configuration_id,
                      plan.created, one_line(input.tool_version));
  return text + what_it_sets(plan) + notes_section(plan) + server_section(input) + evidence_section(input) + try_section(input, plan) +
         verify_section(plan) + keep_section(plan);
}

}  // namespace netsettle::tuner
