// Where the queries went, in the order of their way: load → queueing discipline → card → backlog → IP → socket → server → and back.

#include <algorithm>

#include <fmt/format.h>

#include "strategies/validity/judge.hpp"
#include "strategies/validity/measurements.hpp"

namespace netsettle::strategies {
namespace {

using Count = std::optional<std::int64_t>;

Count positive(std::int64_t queries) { return std::max<std::int64_t>(0, queries); }

class Ledger {
 public:
  explicit Ledger(std::int64_t sent) : missing_(sent) {}

  void add(std::string_view place, Count queries) {
    if (!queries) return;
    rows_.push_back({std::string(place), *queries});
    missing_ -= *queries;
  }
  /// Not more than what is still missing: the count has others' losses in it too.
  void add_at_most(std::string_view place, Count queries) {
    if (queries) add(place, std::min(*queries, *positive(missing_)));
  }
  /// The last row: what is left of what was sent. Negative where places counted more.
  std::vector<LedgerRow> closed() && {
    rows_.push_back({"unexplained", missing_});
    return std::move(rows_);
  }

 private:
  std::vector<LedgerRow> rows_;
  std::int64_t missing_;
};

/// `count` without the part that another place has counted already.
Count beyond(Count count, Count counted_elsewhere) { return count ? positive(*count - counted_elsewhere.value_or(0)) : std::nullopt; }

Count sum(Count a, Count b) { return a || b ? std::optional(a.value_or(0) + b.value_or(0)) : std::nullopt; }

/// One drop at a CPU's backlog queue is counted by softnet_stat, by the interface that received and, on veth, by the one that sent.
struct BacklogDrops {
  Count queries, answers;
};

BacklogDrops split_backlog(const CounterDeltas& counters) {
  const Count& all = counters.backlog_drops;
  if (!all) return {};
  if (!counters.server_link.rx_dropped || !counters.client_link.rx_dropped) return {.queries = all};
  const std::int64_t queries = std::min(*all, *counters.server_link.rx_dropped);
  return {.queries = queries, .answers = std::min(*all - queries, *counters.client_link.rx_dropped)};
}

/// Errors of receiving that are none of the named ones: a socket filter, a wrong length.
Count filtered(const UdpDeltas& udp) {
  if (!udp.in_errors || !udp.rcvbuf_errors) return std::nullopt;
  return positive(*udp.in_errors - *udp.rcvbuf_errors - udp.mem_errors.value_or(0) - udp.csum_errors.value_or(0));
}

/// Read by the server and not answered: by its own counts, or the kernel's where it has none.
Count unanswered(const TrialEvidence& evidence) {
  const auto received = server_received(evidence), answered = server_answered(evidence);
  if (received && answered) return positive(*received - *answered);
  const UdpDeltas& udp = evidence.counters.server;
  if (evidence.shared_counters || !udp.in || !udp.out) return std::nullopt;
  return positive(*udp.in - *udp.out - udp.sndbuf_errors.value_or(0));
}

void add_between(const TrialEvidence& evidence, Ledger& ledger) {
  const CounterDeltas& counters = evidence.counters;
  const BacklogDrops backlog = split_backlog(counters);
  const Count qdisc = counters.client_link.qdisc_drops;
  ledger.add("client's queueing discipline", qdisc ? qdisc : counters.client.sndbuf_errors);
  ledger.add("client's network card", beyond(counters.client_link.tx_dropped, sum(backlog.queries, qdisc)));
  ledger.add("backlog queue of the server's side", backlog.queries);
  ledger.add("server's network card", sum(counters.server_link.rx_missed, beyond(counters.server_link.rx_dropped, backlog.queries)));
  ledger.add("connection tracking", counters.conntrack_drops);
  ledger.add("IP layer", counters.ip_discards);
  ledger.add("no port", counters.server.no_ports);
  ledger.add("checksum", counters.server.csum_errors);
  ledger.add("socket filter or wrong length", filtered(counters.server));
  ledger.add("server's socket buffer", counters.server.rcvbuf_errors);
  ledger.add("memory limit of UDP", counters.server.mem_errors);
}

void add_way_back(const TrialEvidence& evidence, Ledger& ledger) {
  const CounterDeltas& counters = evidence.counters;
  const BacklogDrops backlog = split_backlog(counters);
  ledger.add("server's queueing discipline", counters.server_link.qdisc_drops);
  ledger.add("server's network card, answers",
             beyond(counters.server_link.tx_dropped, sum(backlog.answers, counters.server_link.qdisc_drops)));
  ledger.add("backlog queue of the load's side", backlog.answers);
  ledger.add("client's network card, answers",
             sum(counters.client_link.rx_missed, beyond(counters.client_link.rx_dropped, backlog.answers)));
  ledger.add("load's socket buffer", sum(counters.client.rcvbuf_errors, counters.client.mem_errors));
  ledger.add("answers to a closed port", counters.client.no_ports);
  if (counters.client.in) ledger.add("answered after the time-out", positive(*counters.client.in - *evidence.load->completed));
}

/// Client and server have the same counters, and so has everybody else on loopback: what only they count is an upper bound, and takes no
/// more than what is still missing. The server's own sockets say which of the full buffers were theirs.
void add_loopback(const TrialEvidence& evidence, Ledger& ledger) {
  const CounterDeltas& counters = evidence.counters;
  const Count full = counters.server.rcvbuf_errors;
  ledger.add("read by the server and not answered", unanswered(evidence));
  if (counters.socket_drops && full) ledger.add("server's socket buffer", std::min(*counters.socket_drops, *full));
  ledger.add_at_most("backlog queue", counters.backlog_drops);
  ledger.add_at_most("no port", counters.server.no_ports);
  ledger.add_at_most("checksum", counters.server.csum_errors);
  if (counters.socket_drops)
    ledger.add_at_most("load's socket buffer", beyond(full, counters.socket_drops));
  else
    ledger.add_at_most("socket buffers of server and load", full);
  ledger.add_at_most("memory limit of UDP", counters.server.mem_errors);
  const auto received = server_received(evidence);
  if (received && counters.server.in)
    ledger.add_at_most("answered after the time-out", positive(*counters.server.in - *received - *evidence.load->completed));
}

}  // namespace

std::vector<LedgerRow> loss_ledger(const TrialEvidence& evidence) {
  if (!evidence.load || !evidence.load->sent || !evidence.load->completed) return {};
  Ledger ledger(*evidence.load->sent);
  ledger.add("answered", evidence.load->completed);
  ledger.add("still open at the end", evidence.load->interrupted);
  if (evidence.shared_counters) {
    add_loopback(evidence, ledger);
  } else {
    add_between(evidence, ledger);
    ledger.add("read by the server and not answered", unanswered(evidence));
    add_way_back(evidence, ledger);
  }
  return std::move(ledger).closed();
}

std::optional<std::string> explain_receive_errors(const TrialEvidence& evidence) {
  const UdpDeltas& udp = evidence.counters.server;
  if (!udp.in_errors || *udp.in_errors <= 0) return std::nullopt;
  const std::int64_t buffer = udp.rcvbuf_errors.value_or(0), memory = udp.mem_errors.value_or(0), checksum = udp.csum_errors.value_or(0);
  const std::int64_t filter = filtered(udp).value_or(0);
  std::string text = fmt::format("\"packet receive errors\" (InErrors) rose by {}:", *udp.in_errors);
  if (buffer > 0) text += fmt::format(" {} at a full socket receive buffer (RcvbufErrors);", buffer);
  if (memory > 0) text += fmt::format(" {} at the memory limit udp_mem or the cgroup's (MemErrors);", memory);
  if (checksum > 0) text += fmt::format(" {} with a bad checksum (InCsumErrors);", checksum);
  if (filter > 0) text += fmt::format(" {} refused by a socket filter or for a wrong length;", filter);
  text.back() = '.';
  if (evidence.counters.backlog_drops == 0)
    text +=
        " softnet_stat shows no drop, and rightly so: its second column counts the backlog queue before the IP stack, these were lost "
        "behind it, at the socket.";
  if (buffer > 0)
    text +=
        " The kernel delivered in time and the program did not read in time: a larger receive buffer bridges short stalls, more sockets, "
        "threads or CPU help against a lasting one.";
  return text;
}

}  // namespace netsettle::strategies
