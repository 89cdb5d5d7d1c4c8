#include "tuner/report/starter_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "datasets/model/setting_name.hpp"
#include "datasets/model/trimmed.hpp"

namespace netsettle::tuner {
namespace {

constexpr std::size_t kLeastTrials = 60, kTrialsOfALine = 20;

constexpr std::string_view kNamespaces = R"toml([rig]
kind = "namespaces"                  # two network namespaces on this machine, joined by virtual devices (needs root)
)toml";

/// "net/core/rmem_max" and "net.core.rmem_max"; the first separator decides (sysctl.d(5)).
std::string with_dots(std::string key) {
  const auto separator = key.find_first_of("./");
  if (separator != std::string::npos && key[separator] == '/') std::ranges::replace(key, '/', '.');
  return key;
}

std::string single_blanks(std::string_view text) {
  std::string words;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\t';
    if (blank && (words.empty() || words.back() == ' ')) continue;
    words += blank ? ' ' : c;
  }
  return words;
}

bool is_number(const std::string& text) {
  std::int64_t number = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  return status == std::errc() && end == text.data() + text.size();
}

/// "net.core.rmem_max" → "rmem_max"; a name that is taken gets the folder before it.
std::string parameter_name(const std::string& key, const std::vector<std::string>& taken) {
  std::string name = key.substr(key.rfind('.') + 1);
  std::ranges::replace(name, '-', '_');
  const bool usable = !name.empty() && ((name[0] >= 'a' && name[0] <= 'z') || (name[0] >= 'A' && name[0] <= 'Z'));
  if (usable && std::ranges::find(taken, name) == taken.end()) return name;
  std::string whole = key;
  for (char& c : whole)
    if (c == '.' || c == '-') c = '_';
  return whole;
}

std::string head(const StarterFile& starter) {
  return fmt::format(
      R"toml(# An experiment of netsettle. `netsettle check FILE` says what it means and changes nothing; `netsettle run FILE` is the study.
schema = 1

[study]
name = "{}"                        # the record becomes {}.netsettle.db
seed = 1                             # same seed, same order of trials

{}
[server]
kind = "echo"                        # or "command" with argv = ["named", "-g", …]
processes = 1

[load]
kind = "dnsperf"
queries = "{}"
clients = {}                         # source ports: many times as many as there are workers
outstanding = 200                    # queries on their way at once; `netsettle calibrate FILE` says whether that is enough

[trial]
warmup = "2s"
measure = "10s"

[objective]
maximize = "qps"
subject_to = ["lost_percent <= 0.1"] # faster but losing queries is not better
min_effect = "1%"                    # smaller differences do not matter
)toml",
      starter.name, starter.name, starter.card ? card_rig(*starter.card) : std::string(kNamespaces), starter.queries,
      std::max(16, 8 * starter.cpus));
}

std::string server_parameters(int cpus) {
  return fmt::format(R"toml(
[parameters.processes]               # how many processes answer
sets = "server.processes"
type = "integer"
range = [1, {}]

[parameters.sockets]                 # one socket for all, or one each
sets = "server.sockets"
type = "categorical"
values = ["shared", "reuseport"]
when = "processes > 1"

[parameters.rmem]                    # bytes of waiting queries
sets = ["sysctl.net.core.rmem_max", "sysctl.net.core.rmem_default"]
type = "bytes"
range = ["64KiB", "64MiB"]
scale = "log"

[parameters.netdev_budget]           # packets of one round of the network softirq; the time limit goes along
sets = "sysctl.net.core.netdev_budget"
type = "integer"
range = [64, 4096]
scale = "log"
with = {{ "sysctl.net.core.netdev_budget_usecs" = "max(as_found, as_found * netdev_budget / as_found(netdev_budget))" }}
)toml",
                     std::max(2, cpus));
}

constexpr std::string_view kVirtualParameters = R"toml(
[parameters.backlog]                 # packets that may wait for a CPU
sets = "sysctl.net.core.netdev_max_backlog"
type = "integer"
range = [300, 65536]
scale = "log"

[parameters.rps_cpus]                # CPUs on which received packets are spread; 0: none
sets = "queues.rps.count"
type = "integer"
range = [0, "cpus"]
)toml";

constexpr std::string_view kSearch = R"toml(
[search]
strategy = "auto"

[budget]
trials = 200
)toml";

std::string usual_parameters(const StarterFile& starter) {
  return server_parameters(starter.cpus) + (starter.card ? card_parameters(*starter.card) : std::string(kVirtualParameters)) +
         std::string(kSearch);
}

/// A line that can be tried, and the parameter that it becomes.
struct Belief {
  std::string name;
  const SysctlLine* line;
};

std::string toml_value(const std::string& value) { return is_number(value) ? value : "\"" + value + "\""; }

std::string parameter_table(const Belief& belief) {
  const SysctlLine& line = *belief.line;
  return fmt::format("\n[parameters.{}]  # line {}\nsets = \"sysctl.{}\"\ntype = \"{}\"\nvalues = [{}]\noptional = true\n", belief.name,
                     line.line, line.key, is_number(line.value) ? "integer" : "categorical", toml_value(line.value));
}

std::string believed_parameters(const StarterFile& starter) {
  std::string text = fmt::format(
      "\n# Each line of {} against what this machine has: the answer says which of them matter. A line whose setting does\n"
      "# not exist here is left out, and the record says so (optional = true).\n",
      starter.source);
  std::vector<std::string> names;
  std::string start;
  for (const SysctlLine& line : starter.beliefs) {
    if (const auto known = check_setting_name("sysctl." + line.key, RigKind::namespaces); !known) {
      text += fmt::format("\n# line {}: {} = {} is left out: {}\n", line.line, line.key, line.value, known.error().text);
      continue;
    }
    names.push_back(parameter_name(line.key, names));
    text += parameter_table({names.back(), &line});
    start += fmt::format("{}{} = {}", start.empty() ? "" : ", ", names.back(), toml_value(line.value));
  }
  const std::size_t trials = std::max<std::size_t>(kLeastTrials, kTrialsOfALine * names.size());
  return text +
         fmt::format("\n[search]\nstrategy = \"auto\"\nstart = [{{ {} }}]  # all of them together, tried first\n\n[budget]\ntrials = {}\n",
                     start, trials);
}

}  // namespace

Expected<std::vector<SysctlLine>> parse_sysctl_conf(std::string_view text) {
  std::vector<SysctlLine> lines;
  int number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    if (line.starts_with('-')) line = trimmed(line.substr(1));
    if (line.empty() || line.front() == '#' || line.front() == ';') continue;
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos || equals == 0)
      return fail(ErrorCode::invalid_input, fmt::format("line {}", number), "is no KEY = VALUE");
    SysctlLine read{number, with_dots(std::string(trimmed(line.substr(0, equals)))), single_blanks(trimmed(line.substr(equals + 1)))};
    if (read.value.empty() || read.value.find_first_of("\"\\") != std::string::npos)
      return fail(ErrorCode::invalid_input, fmt::format("line {}", number), "has no value that a setting can take");
    std::erase_if(lines, [&](const SysctlLine& earlier) { return earlier.key == read.key; });
    lines.push_back(std::move(read));
  }
  return lines;
}

std::string starter_file(const StarterFile& starter) {
  return head(starter) + (starter.beliefs.empty() ? usual_parameters(starter) : believed_parameters(starter));
}

}  // namespace netsettle::tuner
