// The sysctl.d file and the page for people.

#include "tuner/bundle/plan.hpp"

#include <fmt/format.h>

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

std::string what_it_sets(const BundlePlan& plan) {
  if (plan.sysctls.empty() && !plan.rps)
    return "This bundle changes no setting of the system: the configuration has the values that were found.\n";
  std::string text = "| setting | value | value found on the measured machine |\n|---|---|---|\n";
  for (const SysctlWrite& write : plan.sysctls)
    text += fmt::format("| {} | {} | {} |\n", code(write.key), code(write.value), code(as_found_text(write.as_found)));
  if (plan.rps)
    text += fmt::format("| `rps_cpus` of every receive queue | {} (CPU mask) | {} |\n", code(plan.rps->mask),
                        code(as_found_text(plan.rps->as_found)));
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
  return std::string(plan.rps ? " --interface IF" : "") + (input.laboratory_only ? " --lab-result" : "");
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
  if (plan.rps)
    text +=
        "`IF` is the interface on which the queries arrive. The mask counts CPUs of the measured machine: check it where the CPUs "
        "differ.\n";
  return text;
}

std::string keep_section(const BundlePlan& plan) {
  if (plan.sysctls.empty()) return "";
  const std::string conf = conf_name(plan);
  std::string text = fmt::format(
      "\n## Keep it\n\n```\nsudo cp {0} /etc/sysctl.d/\nsudo sysctl -p /etc/sysctl.d/{0}\n```\n\n"
      "A file that comes later sets the same key again: `apply.sh` names such files. `sysctl --system` reads `/etc/sysctl.conf` last.\n"
      "To take it back, remove the file; the values in force change at the next boot or with `revert.sh`.\n",
      conf);
  if (plan.rps) text += "The receive queues are not part of sysctl.d: run `apply.sh` after each boot.\n";
  return text;
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
  return text + what_it_sets(plan) + server_section(input) + evidence_section(input) + try_section(input, plan) + verify_section(plan) +
         keep_section(plan);
}

}  // namespace netsettle::tuner
