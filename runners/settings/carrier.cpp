#include "runners/settings/carrier.hpp"

#include <algorithm>
#include <cerrno>

#include <fmt/format.h>

#include "datasets/model/trimmed.hpp"
#include "runners/settings/nic_text.hpp"
#include "runners/settings/values.hpp"

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
  // What it says of hash fields that it cannot change ends with status 0.
  if (finished->status.ok() && !finished->standard_error.starts_with("Cannot")) return std::move(finished->standard_output);
  return std::unexpected(errno_error(errno_in(finished->standard_error), carrier, first_line_of(finished->standard_error)));
}

std::string label_of(const Carrier& carrier) {
  if (carrier.command == "-l" || carrier.command == "-g") {
    if (carrier.name == "combined") return "Combined";
    return carrier.name == "rx" ? "RX" : "TX";
  }
  if (carrier.command == "-c") return carrier.name == "adaptive-rx" ? "Adaptive RX" : carrier.name;
  const auto feature = std::ranges::find(features(), carrier.name, &Feature::name);
  return feature == features().end() ? carrier.name : feature->label;
}

// ---- reading -----------------------------------------------------------------------------------

Expected<std::string> print(Host& host, const std::string& carrier, const Carrier& parts) {
  if (parts.command == "-n") return run_ethtool(host, carrier, {parts.command, parts.interface, "rx-flow-hash", parts.name});
  return run_ethtool(host, carrier, {parts.command, parts.interface});
}

std::optional<std::string> value_in(std::string_view text, const Carrier& parts) {
  if (parts.command == "-x") return indirection_words(text);
  if (parts.command == "-n") return hash_letters(text);
  if (parts.command == "-l" || parts.command == "-g") return value_behind(present_in(text), label_of(parts));
  return value_behind(text, label_of(parts));
}

// ---- writing -----------------------------------------------------------------------------------

Expected<void> change(Host& host, const std::string& carrier, const Carrier& parts, const std::vector<std::string>& arguments) {
  std::vector<std::string> words = {parts.command, parts.interface};
  words.front()[1] = static_cast<char>(words.front()[1] - 'a' + 'A');  // what -k prints -K changes
  if (parts.command == "-n") words.emplace_back("rx-flow-hash");
  words.insert(words.end(), arguments.begin(), arguments.end());
  NETSETTLE_TRY(run_ethtool(host, carrier, words));
  return {};
}

/// A table that was chosen by hand and names queues that would go keeps the kernel from taking them away.
Expected<void> write_channels(Host& host, const std::string& carrier, const Carrier& parts, std::string_view text) {
  const std::vector<std::string> arguments = {parts.name, std::string(trimmed(text))};
  auto written = change(host, carrier, parts, arguments);
  if (written || written.error().errno_value != EINVAL) return written;
  const auto most = largest_of(host, carrier);
  const auto wanted = decimal(arguments.back());
  if (!most || !wanted || *wanted > *most || *wanted < 1) return written;
  const Carrier table = parse(table_carrier(parts.interface));
  if (!change(host, carrier, table, {"default"})) return written;
  return change(host, carrier, parts, arguments);
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (text = trimmed(text); !text.empty();) {
    const auto end = std::min(text.find(' '), text.size());
    words.emplace_back(text.substr(0, end));
    text = trimmed(text.substr(end));
  }
  return words;
}

/// The card's own table is taken where it is the wanted one: a table chosen by hand would bind later changes of the channels.
Expected<void> write_table(Host& host, const std::string& carrier, const Carrier& parts, std::string_view text) {
  const std::vector<std::string> words = words_of(text);
  const bool is_sayable = !words.empty() && words.front() != "table";
  const auto queues = largest_of(host, carrier);
  const bool may_be_default = words.size() == 2 && words.front() == "equal" && queues && words.back() == fmt::format("{}", *queues);
  if (is_sayable && !may_be_default) return change(host, carrier, parts, words);
  auto written = change(host, carrier, parts, {"default"});
  const auto now = read_carrier(host, carrier);
  if (written && now && *now == trimmed(text)) return {};
  if (is_sayable) return change(host, carrier, parts, words);
  if (!written) return written;
  return fail(ErrorCode::refused, carrier, "ethtool cannot make a table like this one: the card has its own table now");
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
std::string channel_carrier(const std::string& interface, const std::string& name) {
  return fmt::format("ethtool -l {} {}", interface, name);
}
std::string ring_carrier(const std::string& interface, const std::string& name) { return fmt::format("ethtool -g {} {}", interface, name); }
std::string table_carrier(const std::string& interface) { return fmt::format("ethtool -x {} table", interface); }
std::string hash_carrier(const std::string& interface, const std::string& flow) { return fmt::format("ethtool -n {} {}", interface, flow); }
bool is_channels(std::string_view carrier) { return carrier.starts_with("ethtool -l "); }
bool is_table(std::string_view carrier) { return carrier.starts_with("ethtool -x "); }
bool resets_queues(std::string_view carrier) { return is_channels(carrier) || carrier.starts_with("ethtool -g "); }

std::optional<std::int64_t> largest_of(Host& host, const std::string& carrier) {
  const Carrier parts = parse(carrier);
  const auto text = print(host, carrier, parts);
  if (!text) return std::nullopt;
  if (parts.command == "-x") return ring_count(*text);
  return decimal(value_behind(maxima_in(*text), label_of(parts)).value_or(""));
}

bool is_ethtool(std::string_view carrier) { return carrier.starts_with("ethtool -"); }
std::string interface_of(std::string_view carrier) { return parse(carrier).interface; }

Expected<std::string> read_carrier(Host& host, const std::string& carrier) {
  if (is_choice_file(carrier)) return read_choice(host, carrier);
  if (!is_ethtool(carrier)) return host.read_file(carrier);
  const Carrier parts = parse(carrier);
  NETSETTLE_ASSIGN(const std::string text, print(host, carrier, parts));
  const auto value = value_in(text, parts);
  if (!value || value->starts_with("n/a")) return fail(ErrorCode::unsupported, carrier, parts.interface + " does not have it");
  if (value->ends_with("[fixed]")) return fail(ErrorCode::unsupported, carrier, fmt::format("its driver keeps it {}", *value));
  return parts.command == "-x" ? *value : value->substr(0, value->find(' '));
}

Expected<void> write_carrier(Host& host, const std::string& carrier, std::string_view text) {
  if (!is_ethtool(carrier)) return host.write_file(carrier, text);
  const Carrier parts = parse(carrier);
  if (parts.command == "-l") return write_channels(host, carrier, parts, text);
  if (parts.command == "-x") return write_table(host, carrier, parts, text);
  return change(host, carrier, parts, {parts.name, std::string(trimmed(text))});
}

Expected<void> check_carrier(Host& host, const std::string& carrier) {
  return is_ethtool(carrier) ? Expected<void>() : host.check_writable(carrier);
}

}  // namespace netsettle::runners
