// softnet_stat and snmp as JSON.

#include <algorithm>
#include <array>
#include <map>

#include "runners/probes/snmp.hpp"
#include "runners/probes/softnet.hpp"
#include "runners/probes/text_lines.hpp"
#include "tuner/cli/counter_json.hpp"

namespace netsettle::tuner {
namespace {

using runners::NamedCounters;
using runners::SoftnetRow;

struct SoftnetReading {
  std::map<int, SoftnetRow> rows;  // by CPU
  std::size_t columns = 0;
  std::optional<CpuSet> online;
};

Expected<SoftnetReading> softnet_in(const CounterTree& tree, Json& problem) {
  SoftnetReading reading;
  NETSETTLE_ASSIGN(reading.online, tree.online());
  NETSETTLE_ASSIGN(const std::string text, tree.text("proc/net/softnet_stat"));
  const auto lines = runners::split_lines(text);
  const std::size_t width = lines.empty() ? 0 : runners::split_words(lines.front()).size();
  if (!reading.online && width >= 9 && width <= 11)
    return fail(ErrorCode::not_found, "sys/devices/system/cpu/online", "the lines have no CPU numbers, so that this file is needed too");
  const auto rows = runners::parse_softnet(text, reading.online.value_or(CpuSet()));
  if (!rows) {
    problem = malformed_fields(rows.error());
    return reading;
  }
  for (const SoftnetRow& row : *rows) reading.rows.emplace(row.cpu, row);
  reading.columns = rows->front().columns;
  return reading;
}

Json row_json(const SoftnetRow& row) {
  return {{"cpu", row.cpu},
          {"processed", row.processed},
          {"dropped", row.dropped},
          {"time_squeeze", row.time_squeeze},
          {"cpu_collision", row.cpu_collision},
          {"received_rps", or_null(row.received_rps)},
          {"flow_limit", or_null(row.flow_limit)},
          {"backlog_len", or_null(row.backlog_length)},
          {"input_qlen", or_null(row.input_length)},
          {"process_qlen", or_null(row.process_length)}};
}

Json rows_json(const std::map<int, SoftnetRow>& rows) {
  Json list = Json::array();
  for (const auto& [cpu, row] : rows) list.push_back(row_json(row));
  return list;
}

/// The columns that count; the others are lengths of the moment.
constexpr std::array kCounters = {"processed", "dropped", "time_squeeze", "received_rps", "flow_limit"};

std::array<std::optional<std::uint32_t>, kCounters.size()> counters_of(const SoftnetRow& row) {
  return {row.processed, row.dropped, row.time_squeeze, row.received_rps, row.flow_limit};
}

struct SoftnetDelta {
  Json rows = Json::array();
  std::array<std::optional<std::uint64_t>, kCounters.size()> totals;
  bool reset = false;

  /// A CPU that is in one reading only has no differences.
  void add(int cpu, const SoftnetRow* before, const SoftnetRow* after) {
    Json row = {{"cpu", cpu}};
    for (std::size_t i = 0; i < kCounters.size(); ++i) {
      const auto first = before ? counters_of(*before)[i] : std::nullopt, second = after ? counters_of(*after)[i] : std::nullopt;
      row[kCounters[i]] = nullptr;
      if (!first || !second) continue;
      const std::uint32_t delta = delta_modulo_32(*first, *second);
      row[kCounters[i]] = delta;
      totals[i] = totals[i].value_or(0) + delta;
      reset = reset || looks_reset_32(*first, *second);
    }
    rows.push_back(std::move(row));
  }
};

const SoftnetRow* find_row(const std::map<int, SoftnetRow>& rows, int cpu) {
  const auto row = rows.find(cpu);
  return row == rows.end() ? nullptr : &row->second;
}

Json online_json(const std::optional<CpuSet>& online) { return online ? Json(*online) : Json(nullptr); }

}  // namespace

Expected<Json> softnet_reading(const CounterTree& tree) {
  Json problem;
  NETSETTLE_ASSIGN(const auto reading, softnet_in(tree, problem));
  if (!problem.is_null()) return problem;
  return Json{{"columns", reading.columns}, {"online", online_json(reading.online)}, {"cpus", rows_json(reading.rows)}};
}

Expected<Json> softnet_difference(const CounterTree& before, const CounterTree& after) {
  Json problem;
  NETSETTLE_ASSIGN(const auto first, softnet_in(before, problem));
  if (!problem.is_null()) return problem;
  NETSETTLE_ASSIGN(const auto second, softnet_in(after, problem));
  if (!problem.is_null()) return problem;
  SoftnetDelta delta;
  for (const int cpu : keys_of_both(first.rows, second.rows)) delta.add(cpu, find_row(first.rows, cpu), find_row(second.rows, cpu));
  Json totals = Json::object();
  for (std::size_t i = 0; i < kCounters.size(); ++i) totals[kCounters[i]] = or_null(delta.totals[i]);
  Json fields = {{"columns", second.columns},
                 {"online_before", online_json(first.online)},
                 {"online_after", online_json(second.online)},
                 {"before", rows_json(first.rows)},
                 {"after", rows_json(second.rows)}};
  fields["delta"] = std::move(delta.rows);
  fields["delta_total"] = std::move(totals);
  if (delta.reset) {
    fields["reset_suspected"] = true;
    fields["reason"] = "a counter went back, or would have had to grow by more than a CPU can do: the counters began anew";
  }
  return fields;
}

// ---- /proc/net/snmp and snmp6 ----

namespace {

constexpr std::array kUdpNames = {"InDatagrams",  "NoPorts",      "InErrors",     "OutDatagrams", "RcvbufErrors",
                                  "SndbufErrors", "InCsumErrors", "IgnoredMulti", "MemErrors"};

using Parser = Expected<NamedCounters> (*)(std::string_view text);

Expected<NamedCounters> counters_in(const CounterTree& tree, std::string_view path, Parser parse, Json& problem) {
  NETSETTLE_ASSIGN(const std::string text, tree.text(path));
  auto counters = parse(text);
  if (!counters) problem = malformed_fields(counters.error());
  return counters ? std::move(*counters) : NamedCounters();
}

Json udp_counters_json(const NamedCounters& counters) {
  Json fields = Json::object();
  for (const char* name : kUdpNames) {
    const auto counter = counters.find(name);
    fields[name] = counter == counters.end() ? Json(nullptr) : Json(counter->second);
  }
  return fields;
}

/// The plain differences. Where one is negative: modular ones too if the counters have 32 bits and none of them is implausible.
struct UdpDelta {
  Json plain = Json::object(), modular = Json::object();
  bool went_back = false, reset = false;

  void add(const char* name, std::uint64_t before, std::uint64_t after) {
    plain[name] = static_cast<std::int64_t>(after - before);
    const std::uint32_t delta = delta_modulo_32(before, after);
    if (delta != 0) modular[name] = delta;
    if (after >= before) return;
    went_back = true;
    reset = reset || before > UINT32_MAX || looks_reset_32(before, after);
  }
};

Json counters_between(const NamedCounters& before, const NamedCounters& after) {
  UdpDelta delta;
  for (const char* name : kUdpNames) {
    const auto earlier = before.find(name), later = after.find(name);
    delta.plain[name] = nullptr;
    if (earlier != before.end() && later != after.end()) delta.add(name, earlier->second, later->second);
  }
  Json fields = {{"before", udp_counters_json(before)}, {"after", udp_counters_json(after)}};
  fields["delta"] = std::move(delta.plain);
  if (delta.reset) fields["reset_suspected"] = true;
  if (!delta.went_back || delta.reset) return fields;
  fields["counter_bits"] = 32;
  fields["delta_modular"] = std::move(delta.modular);
  return fields;
}

constexpr std::string_view kSnmp = "proc/net/snmp", kSnmp6 = "proc/net/snmp6";

}  // namespace

Expected<Json> snmp_reading(const CounterTree& tree) {
  Json problem;
  NETSETTLE_ASSIGN(const auto udp, counters_in(tree, kSnmp, runners::parse_snmp_udp, problem));
  if (!problem.is_null()) return problem;
  Json fields = {{"udp", udp_counters_json(udp)}};
  if (!tree.has(kSnmp6)) return fields;
  NETSETTLE_ASSIGN(const auto udp6, counters_in(tree, kSnmp6, runners::parse_snmp6_udp, problem));
  if (!problem.is_null()) return problem;
  fields["udp6"] = udp_counters_json(udp6);
  return fields;
}

Expected<Json> snmp_difference(const CounterTree& before, const CounterTree& after) {
  Json problem;
  NETSETTLE_ASSIGN(const auto first, counters_in(before, kSnmp, runners::parse_snmp_udp, problem));
  if (!problem.is_null()) return problem;
  NETSETTLE_ASSIGN(const auto second, counters_in(after, kSnmp, runners::parse_snmp_udp, problem));
  if (!problem.is_null()) return problem;
  Json fields = counters_between(first, second);
  if (!before.has(kSnmp6) || !after.has(kSnmp6)) return fields;
  NETSETTLE_ASSIGN(const auto first6, counters_in(before, kSnmp6, runners::parse_snmp6_udp, problem));
  if (!problem.is_null()) return problem;
  NETSETTLE_ASSIGN(const auto second6, counters_in(after, kSnmp6, runners::parse_snmp6_udp, problem));
  if (!problem.is_null()) return problem;
  fields["udp6"] = counters_between(first6, second6);
  return fields;
}

}  // namespace netsettle::tuner
