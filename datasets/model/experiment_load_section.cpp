// The [load] section of the experiment file.

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "datasets/model/cpu_place.hpp"
#include "datasets/model/experiment_sections.hpp"
#include "datasets/model/nearest.hpp"

namespace netsettle {
namespace {

using Words = std::vector<std::string>;

bool is_one_of(std::string_view word, const Words& words) { return std::ranges::find(words, word) != words.end(); }

void read_transport(TableReader& reader) {
  const TomlValue* const value = reader.take("transport");
  if (value == nullptr) return;
  const auto* text = text_of(*value, "transport", "transport = \"udp\"", reader.diagnostics());
  if (text == nullptr || *text == "udp") return;
  if (*text == "tcp" || *text == "dot")
    reader.diagnostics().add(value->position, fmt::format("transport = \"{}\" is not measured yet; supported is \"udp\"", *text));
  else
    reader.diagnostics().add(value->position, fmt::format("'transport' cannot be \"{}\"; supported is \"udp\"", *text));
}

void read_path(const TomlValue& value, std::string_view key, std::string_view example, const std::filesystem::path& folder,
               TableReader& reader, std::string& path) {
  const auto* text = text_of(value, key, example, reader.diagnostics());
  if (text == nullptr) return;
  if (text->empty() || text->find('\0') != std::string::npos)
    reader.diagnostics().add(value.position, fmt::format("'{}' is not a path (like {})", key, example));
  else
    path = (folder / *text).lexically_normal().string();
}

/// Whether the machine has them is checked where it is known.
void read_cpus(TableReader& reader, LoadSection& load) {
  const TomlValue* const value = reader.take("cpus");
  if (value == nullptr) return;
  const auto* text = text_of(*value, "cpus", "cpus = \"node:1\"", reader.diagnostics());
  if (text == nullptr || *text == "auto") return;
  if (const auto place = parse_cpu_place(*text))
    load.cpus = to_text(*place);
  else
    reader.diagnostics().add(value->position,
                             fmt::format("'cpus' is \"auto\", a CPU list like \"0-3\", \"node:N\", \"package:N\", \"cores:N\", "
                                         "\"cores:N@node:N\" or \"cores:N@package:N\", not \"{}\"",
                                         *text));
}

/// Every generator but one's own program is a DNS client and needs queries.
void read_queries(TableReader& reader, const std::filesystem::path& folder, LoadSection& load) {
  constexpr std::string_view kExample = "queries = \"queries/mixed-1k.txt\"";
  const TomlValue* const value = load.kind == "command" ? reader.take("queries") : reader.require("queries", kExample);
  if (value != nullptr) read_path(*value, "queries", kExample, folder, reader, load.queries);
}

void read_key_file(TableReader& reader, const std::filesystem::path& folder, LoadSection& load) {
  const TomlValue* const value = reader.take("tsig_key_file");
  if (value != nullptr) read_path(*value, "tsig_key_file", "tsig_key_file = \"lab.key\"", folder, reader, load.tsig_key_file);
}

/// Queries per second: an open loop.
void read_rate(TableReader& reader, LoadSection& load) {
  const TomlValue* const value = reader.take("rate");
  if (value == nullptr) return;
  const auto* whole = std::get_if<std::int64_t>(&value->data);
  const auto* real = std::get_if<double>(&value->data);
  const double rate = whole != nullptr ? static_cast<double>(*whole) : real != nullptr ? *real : 0;
  if (rate >= 1 && rate <= 1e9)
    load.rate = rate;
  else
    reader.diagnostics().add(value->position, "'rate' is a number of queries per second from 1 to 1e9 (like rate = 50000)");
}

/// sent, completed … → JSON pointer into what the program prints.
void read_result(TableReader& reader, LoadSection& load) {
  static const Words kCounts = {"sent", "completed", "lost", "qps", "seconds"};
  constexpr std::string_view kExample = "result = { sent = \"/end/sent\", completed = \"/end/received\" }";
  const TomlValue* const value = reader.take("result");
  if (value == nullptr) return;
  const auto* table = std::get_if<TomlTable>(&value->data);
  if (table == nullptr) return wrong_type(*value, "'result'", "a table", kExample, reader.diagnostics());
  for (const TomlEntry& entry : *table) {
    const auto* pointer = text_of(entry.value, entry.key, kExample, reader.diagnostics());
    if (!is_one_of(entry.key, kCounts))
      reader.diagnostics().add(entry.position, fmt::format("'result' knows {}, not '{}'{}", fmt::join(kCounts, ", "), entry.key,
                                                           did_you_mean(entry.key, kCounts)));
    else if (pointer != nullptr && !pointer->starts_with('/'))
      reader.diagnostics().add(entry.value.position, fmt::format("\"{}\" is no JSON pointer: it begins with '/' ({})", *pointer, kExample));
    else if (pointer != nullptr)
      load.result[entry.key] = *pointer;
  }
}

void read_program(TableReader& reader, LoadSection& load) {
  const TomlValue* const argv = reader.take("argv");
  const bool given = argv != nullptr || reader.take("result") != nullptr;
  if (load.kind != "command") {
    if (given) reader.diagnostics().add(reader.position(), "'argv' and 'result' belong to load.kind = \"command\"");
    return;
  }
  if (argv != nullptr) load.argv = texts_of(*argv, "argv", reader.diagnostics());
  const std::size_t mistakes = reader.diagnostics().count();
  read_result(reader, load);
  const bool countable = load.result.contains("completed") || load.result.contains("qps");
  if (!countable && reader.diagnostics().count() == mistakes)
    reader.diagnostics().add(reader.position(), "load.kind = \"command\" needs 'result' with the JSON pointer of 'completed' or 'qps'");
  if (load.argv.empty())
    reader.diagnostics().add(reader.position(),
                             "load.kind = \"command\" needs 'argv' (like argv = [\"iperf3\", \"-J\", \"-c\", \"{address}\"])");
}

void read_accept(TableReader& reader, std::vector<std::string>& accept) {
  static const Words kCodes = {"NOERROR",  "FORMERR", "SERVFAIL", "NXDOMAIN", "NOTIMP",  "REFUSED",
                               "YXDOMAIN", "YXRRSET", "NXRRSET",  "NOTAUTH",  "NOTZONE", "BADVERS"};
  const TomlValue* const value = reader.take("accept");
  if (value == nullptr) return;
  accept = texts_of(*value, "accept", reader.diagnostics());
  if (accept.empty()) reader.diagnostics().add(value->position, "'accept' needs at least one response code (like accept = [\"NOERROR\"])");
  for (const std::string& code : accept)
    if (!is_one_of(code, kCodes))
      reader.diagnostics().add(value->position, fmt::format("'accept': unknown response code \"{}\"{}", code, did_you_mean(code, kCodes)));
}

/// An opening burst without rate, several threads and sockets: what dnsperf itself demands.
void check_counts(TableReader& reader, const LoadSection& load) {
  if (load.threads > load.clients)
    reader.diagnostics().add(reader.position(), fmt::format("load.threads = {} is more than load.clients = {}: each thread needs a client",
                                                            load.threads, load.clients));
  if (load.threads > load.outstanding)
    reader.diagnostics().add(reader.position(),
                             fmt::format("load.threads = {} is more than load.outstanding = {}: a thread without a place "
                                         "in the window may never end",
                                         load.threads, load.outstanding));
  if (load.rate && load.kind == "resperf")
    reader.diagnostics().add(reader.position(), "'rate' does not go with load.kind = \"resperf\", which raises the rate by itself");
}

}  // namespace

void read_words_or_cpus(TableReader& reader, std::string_view key, const Words& words, std::string& destination) {
  const TomlValue* const value = reader.take(key);
  if (value == nullptr) return;
  const auto* text = text_of(*value, key, fmt::format("{} = \"{}\"", key, words.front()), reader.diagnostics());
  if (text == nullptr) return;
  const auto cpus = parse_cpu_list(*text);
  const std::string supported = fmt::format("supported are \"{}\" or a CPU list like \"0-3\"", fmt::join(words, "\", \""));
  if (is_one_of(*text, words))
    destination = *text;
  else if (cpus && !cpus->empty())
    destination = to_cpu_list(*cpus);
  else
    reader.diagnostics().add(value->position,
                             fmt::format("'{}' cannot be \"{}\"{}; {}", key, *text, did_you_mean(*text, words), supported));
}

void read_load(TableReader& reader, const std::filesystem::path& folder, LoadSection& load) {
  const Choices<std::string> kinds{
      .known = {{"dnsperf", "dnsperf"}, {"resperf", "resperf"}, {"kxdpgun", "kxdpgun"}, {"command", "command"}}, .later = {"pktgen"}};
  const Choices<AddressFamily> families{.known = {{"ipv4", AddressFamily::ipv4}, {"ipv6", AddressFamily::ipv6}}, .later = {}};
  const Choices<SourcePorts> ports{
      .known = {{"per-block", SourcePorts::per_block}, {"fixed", SourcePorts::fixed}, {"random", SourcePorts::random}}, .later = {}};
  constexpr std::int64_t kShortestTimeoutUs = 1000;
  reader.choice("kind", kinds, load.kind);
  read_transport(reader);
  reader.choice("family", families, load.family);
  read_queries(reader, folder, load);
  reader.integer("clients", {1, 10'000}, load.clients);
  reader.integer("outstanding", {1, 1'000'000}, load.outstanding);
  reader.integer("threads", {1, 256}, load.threads);
  reader.integer("instances", {1, 64}, load.instances);
  read_cpus(reader, load);
  reader.choice("source_ports", ports, load.source_ports);
  reader.duration("timeout", kShortestTimeoutUs, load.timeout);
  read_rate(reader, load);
  read_accept(reader, load.accept);
  reader.texts("arguments", load.arguments);
  read_key_file(reader, folder, load);
  read_program(reader, load);
  check_counts(reader, load);
  reader.finish();
}

}  // namespace netsettle
