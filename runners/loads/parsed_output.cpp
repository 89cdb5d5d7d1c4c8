#include "runners/loads/parsed_output.hpp"

namespace netsettle::runners {
namespace {

using Json = OrderedJson;

template <typename T>
Json value_or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json json_of(const RcodeCounts& rcodes) {
  Json json = Json::object();
  for (const auto& [name, count] : rcodes) json[name] = count;
  return json;
}

Json json_of(const std::optional<RcodeCounts>& rcodes) { return rcodes ? json_of(*rcodes) : Json(nullptr); }

Json exit_of(const RunFacts& run) { return {{"code", value_or_null(run.exit_code)}, {"signal", value_or_null(run.exit_signal)}}; }

Json json_of(const OutputVerdict& verdict) { return {{"status", verdict.status}, {"reasons", verdict.reasons}, {"notes", verdict.notes}}; }

Json json_of(const PrintedLatency& latency) {
  return {{"avg", value_or_null(latency.avg_s)},
          {"min", value_or_null(latency.min_s)},
          {"max", value_or_null(latency.max_s)},
          {"stddev", value_or_null(latency.stddev_s)}};
}

Json counts_of(const PrintedConnections& connection) {
  return {{"reconnections", value_or_null(connection.reconnections)},
          {"connections", value_or_null(connection.connections)},
          {"attempts", value_or_null(connection.attempts)},
          {"successful", value_or_null(connection.successful)}};
}

Json json_of(const std::optional<PrintedHistogram>& histogram) {
  if (!histogram) return nullptr;
  const auto bucket = [](const std::optional<HistogramBucket>& one) {
    return one ? Json::array({one->from_s, one->to_s, one->count}) : Json(nullptr);
  };
  return {
      {"buckets", histogram->buckets}, {"total", histogram->total}, {"first", bucket(histogram->first)}, {"last", bucket(histogram->last)}};
}

Json json_of(const DnsperfInterval& interval) {
  if (!interval.block) return {{"time_s", interval.time_s}, {"qps", interval.qps}};
  const DnsperfBlock& block = *interval.block;
  Json json = {{"sent", value_or_null(block.sent)},
               {"completed", value_or_null(block.completed)},
               {"lost", value_or_null(block.lost)},
               {"interrupted", value_or_null(block.interrupted)},
               {"rcodes", json_of(block.rcodes)},
               {"run_time_s", interval.time_s},
               {"qps", interval.qps},
               {"latency_avg", value_or_null(block.latency.avg_s)},
               {"latency_stddev", value_or_null(block.latency.stddev_s)}};
  if (block.connection) {
    Json connection = counts_of(*block.connection);
    connection["latency_avg"] = value_or_null(block.connection->latency.avg_s);
    connection["latency_stddev"] = value_or_null(block.connection->latency.stddev_s);
    json["connection"] = std::move(connection);
  }
  if (block.answer_histogram) json["histogram"] = json_of(block.answer_histogram);
  return json;
}

Json intervals_of(const DnsperfResult& result) {
  Json intervals = Json::array();
  for (const DnsperfInterval& interval : result.intervals) intervals.push_back(json_of(interval));
  return intervals;
}

Json interval_kind_of(const DnsperfResult& result) {
  if (result.intervals.empty()) return nullptr;
  return result.intervals.front().block ? "verbose" : "plain";
}

Json status_of(const DnsperfStatus& status) {
  return {{"command_line", value_or_null(status.command_line)},
          {"unit", value_or_null(status.unit)},
          {"target", value_or_null(status.target)},
          {"started_at", value_or_null(status.started_at)},
          {"stop_seconds", value_or_null(status.stop_seconds)},
          {"stop_runs", value_or_null(status.stop_runs)}};
}

Json messages_of(const DnsperfResult& result) {
  Json json = {{"timeout_lines", result.timeout_lines},
               {"verbose_answers", result.verbose_answers},
               {"verbose_timeouts", result.verbose_timeouts},
               {"verbose_interrupted", result.verbose_interrupted},
               {"warnings", result.messages.warnings},
               {"errors", result.messages.errors},
               {"usage_error", value_or_null(result.messages.usage_error)}};
  if (result.messages.more_errors > 0) json["more_errors"] = result.messages.more_errors;
  return json;
}

Json derived_of(const DnsperfResult& result, const RunFacts& run) {
  if (result.report != ReportState::complete) return Json::object();
  const DnsperfShares shares = dnsperf_shares(result, run);
  return {{"loss_ratio", value_or_null(shares.loss_ratio)},
          {"dead_slot_share", value_or_null(shares.dead_slot_share)},
          {"unaccepted_rcode_share", value_or_null(shares.unaccepted_rcode_share)}};
}

void add_final_block(Json& json, const DnsperfBlock& block) {
  json["sent"] = value_or_null(block.sent);
  json["completed"] = value_or_null(block.completed);
  json["lost"] = value_or_null(block.lost);
  json["interrupted"] = value_or_null(block.interrupted);
  json["rcodes"] = json_of(block.rcodes);
  json["avg_request_bytes"] = value_or_null(block.request_bytes);
  json["avg_response_bytes"] = value_or_null(block.response_bytes);
  json["runtime_s"] = value_or_null(block.runtime_s);
  json["qps"] = value_or_null(block.qps);
  json["latency"] = json_of(block.latency);
  if (block.latency.stddev_text) json["latency_stddev_text"] = *block.latency.stddev_text;
  json["connection"] = nullptr;
  if (block.connection) {
    json["connection"] = counts_of(*block.connection);
    json["connection"]["latency"] = json_of(block.connection->latency);
  }
  json["histogram"] = nullptr;
  if (block.answer_histogram || block.connection_histogram)
    json["histogram"] = {{"answers", json_of(block.answer_histogram)}, {"connections", json_of(block.connection_histogram)}};
}

Json end_of(const ResperfResult& result) {
  if (!result.end) return nullptr;
  Json json = {{"kind", to_text(*result.end)}};
  if (*result.end == ResperfEnd::fell_behind) {
    json["queries"] = value_or_null(result.fell_behind_queries);
    json["qps"] = value_or_null(result.fell_behind_qps);
  }
  if (*result.end == ResperfEnd::outstanding) json["limit"] = value_or_null(result.outstanding_limit);
  return json;
}

Json json_of(const std::optional<ResperfPlot>& plot) {
  if (!plot) return nullptr;
  return {{"columns", plot->columns},
          {"rows", plot->rows},
          {"max_responses_per_sec", value_or_null(plot->max_responses_per_s)},
          {"max_failures_per_sec", value_or_null(plot->max_failures_per_s)},
          {"last_row", plot->last_row}};
}

Json header_of(const KxdpgunHeader& header, KxdpgunFormat format) {
  if (format == KxdpgunFormat::text)
    return {{"interface", value_or_null(header.interface)},
            {"threads", value_or_null(header.threads)},
            {"ip_version", value_or_null(header.ip_version)},
            {"transport", value_or_null(header.transport)},
            {"mode", value_or_null(header.mode)}};
  return {{"schema_version", value_or_null(header.schema_version)},
          {"generator_version", value_or_null(header.generator_version)},
          {"stats_interval", value_or_null(header.stats_interval)},
          {"interface", value_or_null(header.interface)},
          {"threads", value_or_null(header.threads)},
          {"transport", value_or_null(header.transport)}};
}

Json threads_of(const KxdpgunResult& result) {
  Json threads = Json::array();
  for (const KxdpgunThread& thread : result.threads)
    threads.push_back({{"id", value_or_null(thread.id)},
                       {"sent", value_or_null(thread.sent)},
                       {"received", value_or_null(thread.received)},
                       {"lost", value_or_null(thread.lost)},
                       {"errors", value_or_null(thread.errors)}});
  return threads;
}

Json text_block(const KxdpgunBlock& block) {
  return {{"queries", value_or_null(block.queries.count)},
          {"queries_pps", value_or_null(block.queries.per_second)},
          {"queries_percent", value_or_null(block.queries.percent)},
          {"replies", value_or_null(block.replies.count)},
          {"replies_pps", value_or_null(block.replies.per_second)},
          {"replies_percent", value_or_null(block.replies.percent)},
          {"syns", value_or_null(block.syns.count)},
          {"established", value_or_null(block.established.count)},
          {"closed", value_or_null(block.closed.count)},
          {"reset", value_or_null(block.reset.count)},
          {"avg_reply_bytes", value_or_null(block.average_reply_bytes)},
          {"rcodes", json_of(block.rcodes)},
          {"duration_s", value_or_null(block.duration_s)},
          {"since_s", value_or_null(block.since_s)},
          {"until_s", value_or_null(block.until_s)}};
}

Json json_block(const KxdpgunBlock& block) {
  Json json = {{"queries", value_or_null(block.queries.count)},
               {"replies", value_or_null(block.replies.count)},
               {"rcodes", json_of(block.rcodes)},
               {"since_ns", value_or_null(block.since_ns)},
               {"until_ns", value_or_null(block.until_ns)},
               {"duration_ns", nullptr},
               {"socket_errors", value_or_null(block.socket_errors)}};
  if (block.since_ns && block.until_ns) json["duration_ns"] = *block.until_ns - *block.since_ns;
  return json;
}

}  // namespace

OrderedJson json_of(const DnsperfResult& result, const RunFacts& run) {
  Json json = {{"id", value_or_null(run.id)},
               {"tool", "dnsperf"},
               {"version", value_or_null(result.banner.version)},
               {"vendor_prefix", value_or_null(result.banner.vendor_prefix)},
               {"status", status_of(result.status)},
               {"completion_reason", value_or_null(result.status.completion_reason)},
               {"report", to_text(result.report)}};
  add_final_block(json, result.final);
  json["interval_kind"] = interval_kind_of(result);
  json["intervals"] = intervals_of(result);
  json["first_interval_bogus"] = result.first_interval_bogus;
  json["messages"] = messages_of(result);
  json["usage_printed"] = result.messages.usage_printed;
  json["exit"] = exit_of(run);
  json["derived"] = derived_of(result, run);
  const OutputVerdict verdict = dnsperf_verdict(result, run);
  json["verdict"] = json_of(verdict);
  json["verdict"]["reasons_with_counters"] = verdict.reasons_with_counters;
  return json;
}

OrderedJson json_of(const ResperfResult& result, const RunFacts& run) {
  Json messages = {{"warnings", result.messages.warnings},
                   {"errors", result.messages.errors},
                   {"usage_error", value_or_null(result.messages.usage_error)}};
  if (result.messages.more_errors > 0) messages["more_errors"] = result.messages.more_errors;
  return {{"id", value_or_null(run.id)},
          {"tool", "resperf"},
          {"version", value_or_null(result.banner.version)},
          {"command_line", value_or_null(result.command_line)},
          {"constant_phase_line", result.constant_phase_line},
          {"testing_complete", result.testing_complete},
          {"end", end_of(result)},
          {"report", to_text(result.report)},
          {"sent", value_or_null(result.sent)},
          {"completed", value_or_null(result.completed)},
          {"lost", value_or_null(result.lost)},
          {"rcodes", json_of(result.rcodes)},
          {"runtime_s", value_or_null(result.runtime_s)},
          {"max_qps", value_or_null(result.max_qps)},
          {"lost_at_max_percent", value_or_null(result.lost_at_max_percent)},
          {"reconnections", value_or_null(result.reconnections)},
          {"connection_attempts", value_or_null(result.connection_attempts)},
          {"connections_successful", value_or_null(result.connections_successful)},
          {"plot", json_of(result.plot)},
          {"messages", std::move(messages)},
          {"exit", exit_of(run)},
          {"verdict", json_of(resperf_verdict(result, run))}};
}

OrderedJson json_of(const KxdpgunResult& result, const RunFacts& run) {
  Json json = {{"id", value_or_null(run.id)}, {"tool", "kxdpgun"}, {"format", nullptr}};
  const bool text = result.format.value_or(KxdpgunFormat::text) == KxdpgunFormat::text;
  const auto block = [text](const KxdpgunBlock& one) { return text ? text_block(one) : json_block(one); };
  if (result.format) {
    json["format"] = to_text(*result.format);
    json["header"] = header_of(result.header, *result.format);
  }
  json["threads"] = threads_of(result);
  json["periodic"] = Json::array();
  for (const KxdpgunBlock& period : result.periodic) json["periodic"].push_back(block(period));
  json["final"] = result.final ? block(*result.final) : Json(nullptr);
  json["errors"] = result.errors;
  if (result.more_errors > 0) json["more_errors"] = result.more_errors;
  json["exit"] = exit_of(run);
  json["verdict"] = json_of(kxdpgun_verdict(result, run));
  return json;
}

Expected<OrderedJson> parsed_output(std::string_view kind, const OutputTexts& texts, const RunFacts& run) {
  if (kind == "dnsperf") return json_of(read_dnsperf(texts.standard_output, texts.standard_error), run);
  if (kind == "resperf") return json_of(read_resperf(texts.standard_output, texts.standard_error, texts.plot), run);
  if (kind == "kxdpgun") return json_of(read_kxdpgun(texts.standard_output, texts.standard_error), run);
  return fail(ErrorCode::not_found, std::string(kind), "is no load generator whose output can be read");
}

}  // namespace netsettle::runners
