#include "runners/settings/carrier.hpp"

#include <algorithm>
#include <cerrno>

#include <fmt/format.h>

#include "datasets/model/trimmed.hpp"

namespace netsettle::runners {
namespace {

constexpr std::chrono::seconds kPatience(10);

struct Feature {
  std::string name, label;  // as ethtool -K takes it, as ethtool -k prints it
};
const std::vector<Feature>& features() {
  static const std::vector<Feature> kFeatures = {{"gro", "generic-receive-offload"},
                                                 {"gso", "generic-segmentation-offload"},
                                                 {"ntuple", "ntuple-filters"},
                                                 {"rxhash", "receive-hashing"},
                                                 {"rx-gro-hw", "rx-gro-hw"},
                                                 {"rx-gro-list", "rx-gro-list"},
                                                 {"rx-udp-gro-forwarding", "rx-udp-gro-forwarding"},
                                                 {"tx-udp-segmentation", "tx-udp-segmentation"}};
  return kFeatures;
}

struct Carrier {
  std::string command, interface, name;  // "-k", "eth0", "gro"
};

Carrier parse(std::string_view text) {
  Carrier carrier;
  for (auto* part : {&carrier.command, &carrier.command, &carrier.interface, &carrier.name}) {
    const auto end = std::min(text.find(' '), text.size());
    *part = std::string(text.substr(0, end));
    text = text.substr(std::min(end + 1, text.size()));
  }
  return carrier;
}

/// The kernel's reason is the last words of what ethtool says; its exit status means nothing.
int errno_in(std::string_view text) {
  constexpr std::pair<std::string_view, int> kReasons[] = {{"Operation not supported", EOPNOTSUPP},
                                                           {"Operation not permitted", EPERM},
                                                           {"Invalid argument", EINVAL},
                                                           {"No such device", ENODEV},
                                                           {"Device or resource busy", EBUSY},
                                                           {"Numerical result out of range", ERANGE},
                                                           {"No space left on device", ENOSPC}};
  for (const auto& [reason, number] : kReasons)
    if (text.find(reason) != std::string_view::npos) return number;
  return EIO;
}

/// A file that shows all words and takes one.
bool is_choice_file(std::string_view path) { return path == "/sys/kernel/debug/sched/preempt"; }

/// The word in brackets is in force: "none (voluntary) full".
Expected<std::string> read_choice(Host& host, const std::string& path) {
  NETSETTLE_ASSIGN(const std::string text, host.read_file(path));
  const auto open = text.find_first_of("([");
  const auto close = text.find_first_of(")]", std::min(open, text.size()));
  if (close == std::string::npos) return fail(ErrorCode::unsupported, path, "does not say which of its words is in force");
  return text.substr(open + 1, close - open - 1);
}

std::string first_line_of(std::string_view text) { return std::string(text.substr(0, text.find('\n'))); }

Expected<std::string> run_ethtool(Host& host, const std::string& carrier, const std::vector<std::string>& words) {
  ProcessSpec spec;
  spec.argv = {"ethtool"};
  spec.argv.insert(spec.argv.end(), words.begin(), words.end());
  spec.environment = {{"LC_ALL", "C"}};
  auto finished = run_program(host, spec, kPatience);
  if (!finished) {
    Error error = std::move(finished).error();
    error.subject = carrier;
    if (error.code == ErrorCode::not_found) error.text = "needs the program ethtool, which is not installed";
    return std::unexpected(std::move(error));
  }
  if (finished->status.ok()) return std::move(finished->standard_output);
  return std::unexpected(errno_error(errno_in(finished->standard_error), carrier, first_line_of(finished->standard_error)));
}

/// What stands behind "LABEL:" in a line of its own; "Adaptive RX: on  TX: off" has two in one.
std::optional<std::string> value_behind(std::string_view text, std::string_view label) {
  for (auto at = text.find(label); at != std::string_view::npos; at = text.find(label, at + 1)) {
    const auto line = text.rfind('\n', at) + 1;
    const auto end = at + label.size();
    if (!trimmed(text.substr(line, at - line)).empty() || end >= text.size() || text[end] != ':') continue;
    const auto rest = trimmed(text.substr(end + 1, std::min(text.find('\n', end), text.size()) - end - 1));
    return std::string(rest);
  }
  return std::nullopt;
}

std::string label_of(const Carrier& carrier) {
  if (carrier.command == "-c") return carrier.name == "adaptive-rx" ? "Adaptive RX" : carrier.name;
  const auto feature = std::ranges::find(features(), carrier.name, &Feature::name);
  return feature == features().end() ? carrier.name : feature->label;
}

std::vector<std::string> names_of(const std::vector<Feature>& features) {
  std::vector<std::string> names;
  for (const auto& feature : features) names.push_back(feature.name);
  return names;
}

}  // namespace

const std::vector<std::string>& nic_features() {
  static const std::vector<std::string> kNames = names_of(features());
  return kNames;
}

const std::vector<std::string>& nic_coalescing() {
  static const std::vector<std::string> kNames = {"adaptive-rx", "rx-usecs", "rx-frames", "tx-usecs", "tx-frames"};
  return kNames;
}

std::string feature_carrier(const std::string& interface, const std::string& name) {
  return fmt::format("ethtool -k {} {}", interface, name);
}
std::string coalescing_carrier(const std::string& interface, const std::string& name) {
  return fmt::format("ethtool -c {} {}", interface, name);
}
bool is_ethtool(std::string_view carrier) { return carrier.starts_with("ethtool -"); }
std::string interface_of(std::string_view carrier) { return parse(carrier).interface; }

Expected<std::string> read_carrier(Host& host, const std::string& carrier) {
  if (is_choice_file(carrier)) return read_choice(host, carrier);
  if (!is_ethtool(carrier)) return host.read_file(carrier);
  const Carrier parts = parse(carrier);
  NETSETTLE_ASSIGN(const std::string text, run_ethtool(host, carrier, {parts.command, parts.interface}));
  const auto value = value_behind(text, label_of(parts));
  if (!value || value->starts_with("n/a")) return fail(ErrorCode::unsupported, carrier, parts.interface + " does not have it");
  if (value->ends_with("[fixed]")) return fail(ErrorCode::unsupported, carrier, fmt::format("its driver keeps it {}", *value));
  return value->substr(0, value->find(' '));
}

Expected<void> write_carrier(Host& host, const std::string& carrier, std::string_view text) {
  if (!is_ethtool(carrier)) return host.write_file(carrier, text);
  const Carrier parts = parse(carrier);
  const std::string command = parts.command == "-k" ? "-K" : "-C";
  NETSETTLE_TRY(run_ethtool(host, carrier, {command, parts.interface, parts.name, std::string(trimmed(text))}));
  return {};
}

Expected<void> check_carrier(Host& host, const std::string& carrier) {
  return is_ethtool(carrier) ? Expected<void>() : host.check_writable(carrier);
}

}  // namespace netsettle::runners
