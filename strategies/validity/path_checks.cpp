#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "strategies/validity/checks.hpp"
#include "strategies/validity/judge.hpp"
#include "strategies/validity/measurements.hpp"

namespace netsettle::strategies {
namespace {

constexpr double kDisagreement = 0.001;           // of the larger count
constexpr std::int64_t kDisagreementSlack = 100;  // readiness queries, strays
constexpr double kUnexplainedPercent = 0.1;
constexpr double kStarvedShare = 0.1;          // of the fair share of a worker
constexpr double kNearlyAll = 0.99;            // of the interrupts
constexpr std::int64_t kFewInterrupts = 1000;  // too few to speak of a spread
constexpr double kFilterShare = 0.001;         // of the queries
constexpr double kUnansweredShare = 0.01;      // of the queries
constexpr double kLinkFull = 0.95;
constexpr int kFrameOverhead = 24;  // bytes of preamble, checksum and gap around each Ethernet frame

bool exceeds(std::int64_t larger, std::int64_t smaller) {
  const auto tolerance = static_cast<std::int64_t>(kDisagreement * static_cast<double>(std::max(larger, smaller)));
  return larger - smaller > tolerance + kDisagreementSlack;
}

/// How many of the counts, the largest first, make up nearly all.
int carriers(std::vector<std::int64_t> counts) {
  std::ranges::sort(counts, std::greater());
  const auto all = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
  std::int64_t sum = 0;
  int n = 0;
  for (const std::int64_t count : counts) {
    if (static_cast<double>(sum) >= kNearlyAll * static_cast<double>(all)) break;
    sum += count;
    ++n;
  }
  return n;
}

void check_workers(const Experiment& experiment, const TrialEvidence& evidence, Findings& findings) {
  const auto share = worker_share(evidence);
  if (!share || share->workers < 2 || static_cast<double>(share->least) >= kStarvedShare * share->fair) return;
  std::vector<std::int64_t> counts;
  for (const WorkerCounts& worker : evidence.server->workers) counts.push_back(worker.received);
  const double percent = 100.0 * static_cast<double>(share->least) / (share->fair * share->workers);
  findings.note(
      "flow-imbalance",
      fmt::format("{} of {} workers carried 99 % of the queries, one got {:.1f} %: {} source ports spread over them unevenly; more "
                  "load.clients, or another server.sockets",
                  carriers(counts), share->workers, percent, experiment.load.clients * experiment.load.instances));
}

void check_queues(const Experiment& experiment, const TrialEvidence& evidence, Findings& findings) {
  std::vector<std::int64_t> counts;
  std::int64_t all = 0;
  for (const auto& [action, by_cpu] : evidence.counters.queue_interrupts) {
    std::int64_t count = 0;
    for (const auto& [cpu, interrupts] : by_cpu) count += interrupts;
    counts.push_back(count);
    all += count;
  }
  if (counts.size() < 2 || all < kFewInterrupts) return;
  const int used = carriers(counts);
  if (2 * used <= static_cast<int>(counts.size()))
    findings.note("few-queues",
                  fmt::format("{} of {} queues carried 99 %: {} source ports hash to {} queues; more load.clients, or hash on "
                              "ports (ethtool -N IF rx-flow-hash udp4 sdfn)",
                              used, counts.size(), experiment.load.clients * experiment.load.instances, used));
}

std::int64_t row(const std::vector<LedgerRow>& ledger, std::string_view place) {
  const auto found = std::ranges::find(ledger, place, &LedgerRow::place);
  return found == ledger.end() ? 0 : found->queries;
}

void check_filters(const TrialEvidence& evidence, const std::vector<LedgerRow>& ledger, Findings& findings) {
  const auto sent = static_cast<double>(*evidence.load->sent);
  const std::int64_t table = row(ledger, "connection tracking"), filter = row(ledger, "socket filter or wrong length");
  if (static_cast<double>(table) > kFilterShare * sent)
    findings.suspect("filter-drops",
                     fmt::format("connection tracking dropped {} packets, its table was full: raise nf_conntrack_max, or keep "
                                 "the server's traffic out of it (NOTRACK)",
                                 table));
  if (static_cast<double>(filter) > kFilterShare * sent)
    findings.suspect("filter-drops", fmt::format("{} datagrams were refused behind the IP stack by a socket filter, or for a wrong length: "
                                                 "look at BPF programs on the server's socket",
                                                 filter));
}

/// The server read the queries, had no errors, and did not answer: its own limit.
void check_own_limit(const TrialEvidence& evidence, Findings& findings) {
  if (!evidence.server || evidence.server->workers.empty()) return;
  std::int64_t silent = 0;
  for (const WorkerCounts& worker : evidence.server->workers)
    silent += worker.received - worker.answered - worker.malformed - worker.errors;
  if (static_cast<double>(silent) > kUnansweredShare * static_cast<double>(*evidence.load->sent))
    findings.suspect("rate-limited", fmt::format("the server read {} queries and answered nothing to them, without an error: its own limit "
                                                 "(response rate limiting), not the machine's",
                                                 silent));
}

void check_link(const TrialEvidence& evidence, Findings& findings) {
  const LinkDeltas& link = evidence.counters.server_link;
  if (!evidence.link_mbps || !(evidence.load_s > 0)) return;
  const auto share = [&](const std::optional<std::int64_t>& bytes, const std::optional<std::int64_t>& packets) {
    if (!bytes || !packets) return 0.0;
    return 8.0 * static_cast<double>(*bytes + kFrameOverhead * *packets) / (evidence.load_s * *evidence.link_mbps * 1e6);
  };
  const double used = std::max(share(link.rx_bytes, link.rx_packets), share(link.tx_bytes, link.tx_packets));
  if (used > kLinkFull)
    findings.note("link-limited", fmt::format("{:.0f} % of the link's {:.0f} Mbit/s were used: the link is the limit, not the settings",
                                              100 * used, *evidence.link_mbps));
}

}  // namespace

void check_witnesses(const TrialEvidence& evidence, Findings& findings) {
  const auto received = server_received(evidence), answered = server_answered(evidence);
  if (!received || !answered) return;
  const LoadReport& load = *evidence.load;
  if (load.sent && exceeds(*received, *load.sent))
    findings.invalid("counters-disagree", fmt::format("the server counts {} queries, the load sent {}", *received, *load.sent));
  if (load.completed && exceeds(*load.completed, *answered))
    findings.invalid("counters-disagree", fmt::format("the load counts {} answers, the server sent {}", *load.completed, *answered));
  // On loopback the kernel's counter holds the load's datagrams too, and everybody else's.
  const auto& kernel = evidence.counters.server.in;
  if (!evidence.shared_counters && kernel && (exceeds(*kernel, *received) || exceeds(*received, *kernel)))
    findings.invalid("counters-disagree", fmt::format("the server counts {} queries, the kernel gave it {}", *received, *kernel));
}

void check_balance(const Experiment& experiment, const TrialEvidence& evidence, Findings& findings) {
  check_workers(experiment, evidence, findings);
  check_queues(experiment, evidence, findings);
}

void check_path(const TrialEvidence& evidence, Findings& findings) {
  if (!findings.still_measured()) return;  // where the witnesses contradict each other the ledger means nothing
  const auto ledger = loss_ledger(evidence);
  if (ledger.empty() || *evidence.load->sent <= 0) return;
  check_filters(evidence, ledger, findings);
  check_own_limit(evidence, findings);
  check_link(evidence, findings);
  const auto percent = unexplained_percent(evidence);
  if (percent && *percent > kUnexplainedPercent)
    findings.suspect("unexplained-loss", fmt::format("{:.2f} % of the queries were lost at no place that is counted", *percent));
}

}  // namespace netsettle::strategies
