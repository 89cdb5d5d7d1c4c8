#include <limits>

#include <nlohmann/json.hpp>

#include "runners/loads/json_objects.hpp"
#include "runners/loads/kxdpgun_output.hpp"

namespace netsettle::runners {
namespace {

using Json = nlohmann::ordered_json;

/// 64-bit exactly: times are above 2^53.
std::optional<std::int64_t> integer(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number_integer()) return std::nullopt;
  if (found->is_number_unsigned() && found->get<std::uint64_t>() > std::numeric_limits<std::int64_t>::max()) return std::nullopt;
  return found->get<std::int64_t>();
}

std::optional<std::int64_t> count(const Json& object, const char* key) {
  const auto number = integer(object, key);
  return number && *number >= 0 ? number : std::nullopt;
}

std::optional<std::string> text(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? std::optional(found->get<std::string>()) : std::nullopt;
}

/// The object under a key; an empty one where there is none.
Json part(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_object() ? *found : Json::object();
}

KxdpgunHeader header_of(const Json& object) {
  KxdpgunHeader header;
  header.schema_version = integer(object, "schema_version");
  header.generator_version = text(object, "generator_version");
  const auto interval = object.find("stats_interval");
  if (interval != object.end() && interval->is_number()) header.stats_interval = interval->get<double>();
  const Json more = part(object, "additional_info");
  header.interface = text(more, "interface");
  header.threads = count(more, "xdp_threads");
  header.ip_version = count(more, "ip_version");
  header.transport = text(more, "transport_layer_proto");
  header.mode = text(part(more, "mode_info"), "mode");
  return header;
}

KxdpgunThread thread_of(const Json& object) {
  return {count(object, "subid"), count(object, "qry_sent"), count(object, "ans_recv"), count(object, "lost"), count(object, "errors")};
}

KxdpgunBlock block_of(const Json& object) {
  KxdpgunBlock block;
  block.queries.count = count(object, "queries");
  block.replies.count = count(object, "responses");
  block.since_ns = count(object, "since");
  block.until_ns = count(object, "until");
  const Json rcodes = part(object, "response_rcodes");
  for (const auto& [name, value] : rcodes.items())
    if (const auto answers = count(rcodes, name.c_str())) block.rcodes.emplace_back(name, *answers);
  const Json connections = part(object, "conn_info");
  block.socket_errors = count(connections, "socket_errors");
  block.established.count = count(connections, "handshakes");
  return block;
}

bool is_complete(const KxdpgunBlock& block) { return block.queries.count && block.replies.count && duration_of(block); }

}  // namespace

void read_kxdpgun_json(KxdpgunResult& result, std::string_view whole_text) {
  for_each_object(whole_text, [&result](std::string_view object_text) {
    const Json object = Json::parse(object_text, nullptr, false);
    if (!object.is_object()) return;
    const std::string type = text(object, "type").value_or("");
    if (type == "header") result.header = header_of(object);
    if (type == "thread_summary") result.threads.push_back(thread_of(object));
    if (type == "stats_periodic") result.periodic.push_back(block_of(object));
    if (type != "stats_sum") return;
    result.final = block_of(object);
    result.report = is_complete(*result.final) ? ReportState::complete : ReportState::partial;
  });
}

}  // namespace netsettle::runners
