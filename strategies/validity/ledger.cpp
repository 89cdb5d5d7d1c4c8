// Where the queries went. Every query that was sent has a place, or is unexplained.

#include <algorithm>

#include "strategies/validity/judge.hpp"

namespace netsettle::strategies {
namespace {

class Ledger {
 public:
  void add(std::string_view place, std::optional<std::int64_t> queries) {
    if (queries) rows_.push_back({std::string(place), *queries});
  }
  /// The last row: what is left of `sent`. Negative where places counted more than was sent.
  std::vector<LedgerRow> closed(std::int64_t sent) && {
    for (const LedgerRow& row : rows_) sent -= row.queries;
    rows_.push_back({"unexplained", sent});
    return std::move(rows_);
  }

 private:
  std::vector<LedgerRow> rows_;
};

/// received - answered - malformed over all workers: read by the server and not answered.
std::optional<std::int64_t> unanswered(const TrialEvidence& evidence) {
  if (!evidence.server || evidence.server->workers.empty()) return std::nullopt;
  std::int64_t queries = 0;
  for (const WorkerCounts& worker : evidence.server->workers) queries += worker.received - worker.answered;
  return std::max<std::int64_t>(0, queries);
}

/// Answers that reached the load's socket and were not counted as completed: they came after the time-out.
std::optional<std::int64_t> too_late(const TrialEvidence& evidence) {
  if (evidence.shared_counters || !evidence.counters.client.in) return std::nullopt;
  return std::max<std::int64_t>(0, *evidence.counters.client.in - *evidence.load->completed);
}

}  // namespace

std::vector<LedgerRow> loss_ledger(const TrialEvidence& evidence) {
  if (!evidence.load || !evidence.load->sent || !evidence.load->completed) return {};
  const CounterDeltas& counters = evidence.counters;
  Ledger ledger;
  ledger.add("answered", evidence.load->completed);
  ledger.add("still open at the end", evidence.load->interrupted);
  if (!evidence.shared_counters) ledger.add("load's send errors", counters.client.sndbuf_errors);
  ledger.add("backlog", counters.backlog_drops);
  ledger.add("no port", counters.server.no_ports);
  ledger.add("checksum", counters.server.csum_errors);
  if (evidence.shared_counters) {
    ledger.add("socket buffers of server and load", counters.server.rcvbuf_errors);
  } else {
    ledger.add("server's socket buffer", counters.server.rcvbuf_errors);
    ledger.add("load's socket buffer", counters.client.rcvbuf_errors);
  }
  ledger.add("memory limit of UDP", counters.server.mem_errors);
  ledger.add("read by the server and not answered", unanswered(evidence));
  ledger.add("answered after the time-out", too_late(evidence));
  return std::move(ledger).closed(*evidence.load->sent);
}

}  // namespace netsettle::strategies
