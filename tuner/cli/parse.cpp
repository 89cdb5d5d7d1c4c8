#include <fmt/format.h>

#include <filesystem>

#include "tuner/cli/command.hpp"
#include "tuner/cli/parse_counters.hpp"
#include "tuner/cli/parse_loads.hpp"

namespace netsettle::tuner {
namespace {

using Parsed = Expected<nlohmann::ordered_json>;

constexpr const char* kKinds = "dnsperf, resperf, kxdpgun, softnet, snmp, interrupts, stat, udp";

std::optional<std::string> option(const CommandLine& line, const char* name) {
  return line.has(name) ? std::optional(line.text(name)) : std::nullopt;
}

/// Options of the other kinds are mistakes and not passed over.
Expected<void> check_options(const CommandLine& line, const std::string& kind) {
  const auto refuse = [&](const char* name) {
    return fail(ErrorCode::invalid_input, std::string("--") + name, fmt::format("says nothing to {}", kind));
  };
  if (is_load_kind(kind) && line.has("before")) return refuse("before");
  for (const char* name : {"stderr", "meta", "plot"})
    if (is_counter_kind(kind) && line.has(name)) return refuse(name);
  if (kind != "resperf" && line.has("plot")) return refuse("plot");
  return {};
}

Expected<void> check_tree(const std::optional<std::string>& tree) {
  std::error_code ignored;
  if (!tree || std::filesystem::is_directory(*tree, ignored)) return {};
  return fail(ErrorCode::invalid_input, *tree, "is no folder with proc/ and sys/ of a machine");
}

Parsed parsed(const CommandLine& line, const std::string& kind, const std::string& file) {
  NETSETTLE_TRY(check_options(line, kind));
  if (is_load_kind(kind)) return parsed_load(kind, {file, option(line, "stderr"), option(line, "meta"), option(line, "plot")});
  NETSETTLE_TRY(check_tree(file));
  NETSETTLE_TRY(check_tree(option(line, "before")));
  return parsed_counters(kind, option(line, "before"), file);
}

/// What cannot be read is a mistake of the caller, whatever the reason: exit 2.
int print_mistake(const Error& error) {
  print_error(error);
  return kUsage;
}

}  // namespace

int run_parse(const Arguments& arguments) {
  CommandLine line(
      "parse KIND FILE [--stderr FILE] [--meta FILE] [--plot FILE] [--json] | parse KIND [--before TREE] TREE [--json]",
      "What netsettle reads from files that you have: the output of dnsperf, resperf or kxdpgun (FILE; - is standard input), or\n"
      "counters of a machine: softnet, snmp, interrupts, stat, udp (TREE: a folder with its proc/ and sys/). Changes nothing.",
      "netsettle parse dnsperf out.txt --stderr err.txt --meta run.json");
  line.positional("kind", 1);
  line.positional("file", 1);
  const auto text = [] { return boost::program_options::value<std::string>(); };
  line.add()("stderr", text(), "what the load generator wrote to standard error")(
      "meta", text(), "JSON of the run: argv, exit, wall_s, accepted_rcodes, snmp_udp_delta, id")(
      "plot", text(), "resperf's file of -P; without it, one of that name or named plot beside FILE")(
      "before", text(), "an earlier reading: differences are printed as well")("json", "every value, as JSON");
  if (const auto exit = line.parse(arguments)) return *exit;
  const std::string kind = line.text("kind");
  if (kind.empty()) return print_mistake({ErrorCode::invalid_input, "parse", fmt::format("a kind is needed: {}", kKinds)});
  if (!is_load_kind(kind) && !is_counter_kind(kind))
    return print_mistake({ErrorCode::invalid_input, kind, fmt::format("is no kind of output that can be read; there are: {}", kKinds)});
  if (!line.has("file"))
    return print_mistake(
        {ErrorCode::invalid_input, "parse", is_load_kind(kind) ? "the file with the output is needed" : "a folder is needed"});
  const Parsed json = parsed(line, kind, line.text("file"));
  if (!json) return print_mistake(json.error());
  // Names in outputs may be no UTF-8: such bytes are replaced.
  const bool in_words = is_load_kind(kind) && !line.has("json");
  fmt::print("{}{}", in_words ? load_text(*json) : json->dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace),
             in_words ? "" : "\n");
  return is_counter_kind(kind) && json->contains("malformed") ? kUsage : kDone;
}

}  // namespace netsettle::tuner
