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
  const auto ledger = loss_ledger(evidence);
  CHECK_FALSE(has(ledger, "backlog"));
  CHECK_FALSE(has(ledger, "read by the server and not answered"));
}

TEST_CASE("on loopback both socket buffers are one place") {
  TrialEvidence evidence = good_evidence();
  evidence.shared_counters = true;
  const auto ledger = loss_ledger(evidence);
  CHECK(at(ledger, "socket buffers of server and load") == 200);
  CHECK_FALSE(has(ledger, "load's socket buffer"));
  CHECK_FALSE(has(ledger, "answered after the time-out"));
}

TEST_CASE("without the load's counts there is no ledger") {
  TrialEvidence evidence = good_evidence();
  evidence.load->sent.reset();
  CHECK(loss_ledger(evidence).empty());
  evidence.load.reset();
  CHECK(loss_ledger(evidence).empty());
}
