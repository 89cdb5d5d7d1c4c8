// apply.sh and revert.sh: the templates beside this file, with the bundle's values put in, every one of them quoted.

#include "tuner/bundle/plan.hpp"

#include <fmt/format.h>

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

std::string file_calls(const BundlePlan& plan) {
  std::string calls;
  for (const SysctlWrite& write : plan.sysctls)
    calls += fmt::format("  \"$1\" {} {}\n", shell_quoted(write.path), shell_quoted(write.value));
  if (plan.rps) calls += fmt::format("  for_each_queue \"$1\" {}\n", shell_quoted(plan.rps->mask));
  if (calls.empty()) calls = "  : # the winner has the values that were found\n";
  calls.pop_back();
  return calls;
}

std::string yes_or_no(bool value) { return value ? "yes" : "no"; }

}  // namespace

std::string apply_script(const BundleInput& input, const BundlePlan& plan) {
  return filled(kApplyTemplate, {{"bundle", plan.id},
                                 {"laboratory", yes_or_no(input.laboratory_only)},
                                 {"needs_interface", yes_or_no(plan.rps.has_value())},
                                 {"files", file_calls(plan)},
                                 {"library", std::string(kLibraryTemplate)}});
}

std::string revert_script(const BundlePlan& plan) {
  return filled(kRevertTemplate, {{"bundle", plan.id}, {"library", std::string(kLibraryTemplate)}});
}

}  // namespace netsettle::tuner
