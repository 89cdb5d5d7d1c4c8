#include <catch2/catch.hpp>
#include <numeric>

#include "strategies/validity/judge.hpp"
#include "tests/unit/strategies/validity/evidence.hpp"

using namespace netsettle;
using namespace netsettle::strategies;

namespace {

std::int64_t at(const std::vector<LedgerRow>& ledger, std::string_view place) {
  const auto found = std::ranges::find(ledger, place, &LedgerRow::place);
  REQUIRE(found != ledger.end());
  return found->queries;
}

bool has(const std::vector<LedgerRow>& ledger, std::string_view place) {
  return std::ranges::find(ledger, place, &LedgerRow::place) != ledger.end();
}

}  // namespace

TEST_CASE("every query that was sent has a place") {
  const auto ledger = loss_ledger(good_evidence());
  const auto sum =
      std::accumulate(ledger.begin(), ledger.end(), std::int64_t{0}, [](auto n, const LedgerRow& row) { return n + row.queries; });
  CHECK(sum == 120'000);
  CHECK(at(ledger, "answered") == 119'800);
  CHECK(at(ledger, "server's socket buffer") == 200);
  CHECK(at(ledger, "unexplained") == 0);
}

TEST_CASE("losses at no counted place are unexplained") {
  TrialEvidence evidence = good_evidence();
  evidence.counters.server.rcvbuf_errors = 50;
  CHECK(at(loss_ledger(evidence), "unexplained") == 150);
}

TEST_CASE("answers after the time-out have a place of their own") {
  TrialEvidence evidence = good_evidence();
  evidence.counters.server.rcvbuf_errors = 120;
  evidence.counters.client.in = 119'880;
  CHECK(at(loss_ledger(evidence), "answered after the time-out") == 80);
  CHECK(at(loss_ledger(evidence), "unexplained") == 0);
}

TEST_CASE("a place that could not be counted is absent, not zero") {
  TrialEvidence evidence = good_evidence();
  evidence.counters.backlog_drops.reset();
  evidence.server.reset();
  evidence.counters.server.out.reset();
  const auto ledger = loss_ledger(evidence);
  CHECK_FALSE(has(ledger, "backlog queue of the server's side"));
  CHECK_FALSE(has(ledger, "read by the server and not answered"));
}

TEST_CASE("on loopback both socket buffers are one place") {
  TrialEvidence evidence = good_evidence();
  evidence.shared_counters = true;
  const auto ledger = loss_ledger(evidence);
  CHECK(at(ledger, "socket buffers of server and load") == 200);
  CHECK_FALSE(has(ledger, "load's socket buffer"));
}

TEST_CASE("without the load's counts there is no ledger") {
  TrialEvidence evidence = good_evidence();
  evidence.load->sent.reset();
  CHECK(loss_ledger(evidence).empty());
  evidence.load.reset();
  CHECK(loss_ledger(evidence).empty());
}

TEST_CASE("a drop at the backlog queue is counted by three files and lost once") {
  TrialEvidence evidence = good_evidence();
  evidence.counters.server.rcvbuf_errors = 0;
  evidence.counters.backlog_drops = 230;           // 30 of them on another interface
  evidence.counters.server_link.rx_dropped = 150;  // queries
  evidence.counters.client_link.tx_dropped = 150;  // the same ones, as veth's sender counts them
  evidence.counters.client_link.rx_dropped = 50;   // answers
  evidence.counters.server_link.tx_dropped = 50;
  const auto ledger = loss_ledger(evidence);
  CHECK(at(ledger, "backlog queue of the server's side") == 150);
  CHECK(at(ledger, "backlog queue of the load's side") == 50);
  CHECK(at(ledger, "client's network card") == 0);
  CHECK(at(ledger, "server's network card, answers") == 0);
  CHECK(at(ledger, "unexplained") == 0);
}

TEST_CASE("what a queueing discipline dropped is not lost at the card too") {
  TrialEvidence evidence = good_evidence();
  evidence.counters.server.rcvbuf_errors = 0;
  evidence.counters.client.sndbuf_errors = 200;
  CHECK(at(loss_ledger(evidence), "client's queueing discipline") == 200);
  evidence.counters.client_link.qdisc_drops = 200;
  CHECK(at(loss_ledger(evidence), "client's queueing discipline") == 200);
  CHECK(at(loss_ledger(evidence), "unexplained") == 0);
}

TEST_CASE("on loopback the drops of the server's own sockets tell its buffers from the load's") {
  TrialEvidence evidence = good_evidence();
  evidence.shared_counters = true;
  evidence.counters.server.in = evidence.counters.client.in = 239'600;
  evidence.counters.socket_drops = 150;
  const auto ledger = loss_ledger(evidence);
  CHECK(at(ledger, "server's socket buffer") == 150);
  CHECK(at(ledger, "load's socket buffer") == 50);
  CHECK(at(ledger, "unexplained") == 0);
}

TEST_CASE("a server without counts of its own is judged by the kernel's") {
  TrialEvidence evidence = good_evidence();
  evidence.server.reset();
  evidence.counters.server.out = 119'700;
  CHECK(at(loss_ledger(evidence), "read by the server and not answered") == 100);
}

TEST_CASE("receive errors without a drop in softnet_stat are explained") {
  TrialEvidence evidence = good_evidence();
  CHECK_FALSE(explain_receive_errors(evidence));
  evidence.counters.server.in_errors = 200;
  const std::string text = explain_receive_errors(evidence).value();
  CHECK_THAT(text, Catch::Contains("rose by 200: 200 at a full socket receive buffer"));
  CHECK_THAT(text, Catch::Contains("softnet_stat shows no drop"));
  evidence.counters.backlog_drops = 5;
  evidence.counters.server.rcvbuf_errors = 0;
  evidence.counters.server.csum_errors = 60;
  const std::string other = explain_receive_errors(evidence).value();
  CHECK_THAT(other, Catch::Contains("60 with a bad checksum (InCsumErrors); 140 refused by a socket filter"));
  CHECK_THAT(other, !Catch::Contains("softnet_stat"));
}

TEST_CASE("on loopback the losses of other programs are nobody's queries here") {
  TrialEvidence evidence = good_evidence();
  evidence.shared_counters = true;
  evidence.load->completed = 120'000;
  evidence.load->lost = 0;
  for (WorkerCounts& worker : evidence.server->workers) worker.received = worker.answered = 60'000;
  evidence.counters.server.in = 250'000;
  evidence.counters.server.rcvbuf_errors = 13'613;
  evidence.counters.server.no_ports = 113;
  evidence.counters.socket_drops = 0;
  const auto ledger = loss_ledger(evidence);
  CHECK(at(ledger, "load's socket buffer") == 0);
  CHECK(at(ledger, "answered after the time-out") == 0);
  CHECK(at(ledger, "unexplained") == 0);
}
