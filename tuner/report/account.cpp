#include "tuner/report/account.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "strategies/validity/judge.hpp"
#include "strategies/validity/softirq_rounds.hpp"
#include "tuner/report/text.hpp"

namespace netsettle::tuner {
namespace {

using Json = nlohmann::ordered_json;

template <typename Number>
void put(Json& object, const char* name, const std::optional<Number>& value) {
  if (value) object[name] = *value;
}

template <typename Key, typename Number>
void put(Json& object, const char* name, const std::map<Key, Number>& values) {
  if (values.empty()) return;
  Json& list = object[name];
  for (const auto& [key, value] : values) list[fmt::format("{}", key)] = value;
}

Json udp_json(const UdpDeltas& udp) {
  Json json;
  put(json, "InDatagrams", udp.in);
  put(json, "OutDatagrams", udp.out);
  put(json, "NoPorts", udp.no_ports);
  put(json, "InErrors", udp.in_errors);
  put(json, "RcvbufErrors", udp.rcvbuf_errors);
  put(json, "SndbufErrors", udp.sndbuf_errors);
  put(json, "InCsumErrors", udp.csum_errors);
  put(json, "MemErrors", udp.mem_errors);
  return json;
}

Json link_json(const LinkDeltas& link) {
  Json json;
  put(json, "rx_packets", link.rx_packets);
  put(json, "tx_packets", link.tx_packets);
  put(json, "rx_bytes", link.rx_bytes);
  put(json, "tx_bytes", link.tx_bytes);
  put(json, "rx_dropped", link.rx_dropped);
  put(json, "rx_missed", link.rx_missed);
  put(json, "tx_dropped", link.tx_dropped);
  put(json, "qdisc_drops", link.qdisc_drops);
  put(json, "carrier_changes", link.carrier_changes);
  return json;
}

Json counters_json(const CounterDeltas& counters) {
  Json json;
  json["server_udp"] = udp_json(counters.server);
  json["client_udp"] = udp_json(counters.client);
  json["server_link"] = link_json(counters.server_link);
  json["client_link"] = link_json(counters.client_link);
  put(json, "socket_drops", counters.socket_drops);
  put(json, "conntrack_drops", counters.conntrack_drops);
  put(json, "ip_discards", counters.ip_discards);
  put(json, "backlog_drops", counters.backlog_drops);
  put(json, "flow_limit_drops", counters.flow_limit_drops);
  put(json, "time_squeeze", counters.time_squeeze);
  put(json, "processed_by_cpu", counters.processed_by_cpu);
  put(json, "net_rx_by_cpu", counters.net_rx_by_cpu);
  for (const auto& [action, by_cpu] : counters.queue_interrupts) put(json["queue_interrupts"], action.c_str(), by_cpu);
  put(json, "steal_percent", counters.steal_percent);
  put(json, "idle_percent", counters.idle_percent);
  put(json, "softirq_percent", counters.softirq_percent);
  put(json, "idle_by_cpu", counters.idle_by_cpu);
  put(json, "memory_available_percent", counters.memory_available_percent);
  put(json, "memory_stall_percent", counters.memory_stall_percent);
  put(json, "throttles", counters.throttles);
  put(json, "cpu_mhz", counters.cpu_mhz);
  return json;
}

Json worker_json(const WorkerCounts& worker) {
  return {{"process", worker.process},   {"thread", worker.thread},       {"cpus", worker.cpus},    {"received", worker.received},
          {"answered", worker.answered}, {"malformed", worker.malformed}, {"errors", worker.errors}};
}

Json server_json(const TrialEvidence& evidence) {
  Json json;
  if (evidence.server) {
    json["receive_buffer"] = evidence.server->receive_buffer;
    for (const WorkerCounts& worker : evidence.server->workers) json["workers"].push_back(worker_json(worker));
  }
  for (const SocketGrant& socket : evidence.sockets)
    json["sockets"].push_back(
        {{"local", socket.local}, {"receive_buffer", socket.receive_buffer}, {"send_buffer", socket.send_buffer}, {"drops", socket.drops}});
  if (evidence.server_use) {
    json["cpu_seconds"] = evidence.server_use->cpu_seconds;
    json["voluntary_switches"] = evidence.server_use->voluntary_switches;
    json["involuntary_switches"] = evidence.server_use->involuntary_switches;
  } else if (evidence.server) {
    json["cpu_seconds"] = evidence.server->cpu_seconds;
  }
  return json;
}

Json load_json(const TrialEvidence& evidence) {
  Json json;
  json["seconds"] = evidence.load_s;
  json["window"] = evidence.load_window;
  put(json, "rate", evidence.load_rate);
  if (evidence.load_use) json["cpu_seconds"] = evidence.load_use->cpu_seconds;
  return json;
}

/// Only of a trial whose record has the budget.
std::optional<std::string> softirq_sentence(const TrialEvidence& evidence) {
  const auto row = std::ranges::find(evidence.applied, "sysctl.net.core.netdev_budget", &AppliedSetting::setting);
  if (row == evidence.applied.end() || !evidence.counters.time_squeeze) return std::nullopt;
  strategies::SoftirqRounds rounds{.packets = 0, .cut_off = *evidence.counters.time_squeeze, .budget = std::atoll(row->effective.c_str())};
  for (const auto& [cpu, packets] : evidence.counters.processed_by_cpu) rounds.packets += packets;
  return strategies::explain_rounds(rounds);
}

constexpr std::size_t kLeastNameWidth = 12;

std::string ledger_text(const Json& ledger) {
  std::int64_t sent = 0;
  std::size_t width = kLeastNameWidth;
  for (const Json& row : ledger) {
    sent += row.value("queries", std::int64_t{0});
    width = std::max(width, row.value("place", "").size());
  }
  std::string text = fmt::format("Where the {} queries went\n", quantity(static_cast<double>(sent)));
  for (const Json& row : ledger) {
    const auto queries = row.value("queries", std::int64_t{0});
    const std::string place = row.value("place", "");
    if (queries == 0 && place != "answered" && place != "unexplained") continue;
    text += fmt::format("  {:<{}} {:>14} {:>9.3f} %\n", place, width, quantity(static_cast<double>(queries)),
                        sent > 0 ? 100.0 * static_cast<double>(queries) / static_cast<double>(sent) : 0.0);
  }
  return text;
}

std::string workers_text(const Json& workers) {
  double received = 0;
  for (const Json& worker : workers) received += worker.value("received", 0.0);
  std::string text = "Workers of the server\n  process thread      CPUs       received   share    malformed   errors\n";
  for (const Json& worker : workers)
    text += fmt::format("  {:>7} {:>6} {:>9} {:>14} {:>5.1f} % {:>12} {:>8}\n", worker.value("process", 0), worker.value("thread", 0),
                        worker.value("cpus", ""), quantity(worker.value("received", 0.0)),
                        received > 0 ? 100 * worker.value("received", 0.0) / received : 0.0, worker.value("malformed", 0),
                        worker.value("errors", 0));
  return text;
}

std::string sockets_text(const Json& sockets) {
  std::string text = "Sockets of the server\n";
  for (const Json& socket : sockets)
    text += fmt::format("  {:<24} receive buffer {}, send buffer {}, {} dropped\n", socket.value("local", ""),
                        format_bytes(socket.value("receive_buffer", std::int64_t{0})),
                        format_bytes(socket.value("send_buffer", std::int64_t{0})), quantity(socket.value("drops", 0.0)));
  return text;
}

}  // namespace

Json account_of(const TrialEvidence& evidence) {
  Json account;
  account["ledger"] = Json::array();
  for (const auto& row : strategies::loss_ledger(evidence)) account["ledger"].push_back({{"place", row.place}, {"queries", row.queries}});
  if (const auto sentence = strategies::explain_receive_errors(evidence)) account["receive_errors"] = *sentence;
  if (const auto sentence = softirq_sentence(evidence)) account["softirq"] = *sentence;
  account["server"] = server_json(evidence);
  account["load"] = load_json(evidence);
  account["counters"] = counters_json(evidence.counters);
  return account;
}

std::string account_text(const Json& account) {
  std::string text;
  if (account.contains("ledger") && !account["ledger"].empty()) text += ledger_text(account["ledger"]);
  if (account.contains("receive_errors"))
    for (const std::string& line : wrapped(account["receive_errors"].get<std::string>(), 100)) text += "  " + line + "\n";
  if (account.contains("softirq"))
    for (const std::string& line : wrapped(account["softirq"].get<std::string>(), 100)) text += "  " + line + "\n";
  if (account.contains("server") && account["server"].contains("sockets")) text += sockets_text(account["server"]["sockets"]);
  if (account.contains("server") && account["server"].contains("workers")) text += workers_text(account["server"]["workers"]);
  return text;
}

std::string verdict_text(const Verdict& verdict, std::size_t width) {
  std::string text = fmt::format("{}{}\n", to_text(verdict.outcome), verdict.suspect ? ", suspect" : "");
  for (const Reason& reason : verdict.reasons) {
    bool first = true;
    for (const std::string& line : wrapped(fmt::format("{}: {}", reason.code, reason.detail), std::max<std::size_t>(width, 40) - 4)) {
      text += fmt::format("  {}{}\n", first ? "" : "  ", line);
      first = false;
    }
  }
  return text;
}

}  // namespace netsettle::tuner
