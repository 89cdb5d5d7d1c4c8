#include "tuner/report/account.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/strategies/validity/evidence.hpp"

using namespace netsettle;
using namespace netsettle::tuner;

namespace {

TrialEvidence two_workers() {
  TrialEvidence evidence = strategies::good_evidence();
  evidence.counters.server.in_errors = 200;
  evidence.counters.processed_by_cpu = {{0, 7}, {1, 9}};
  evidence.counters.queue_interrupts["eth0-TxRx-0"] = {{2, 5}};
  evidence.sockets = {{.local = "198.18.0.1:5300", .receive_buffer = 425'984, .send_buffer = 212'992, .drops = 200}};
  return evidence;
}

}  // namespace

TEST_CASE("The account holds the ledger, the sentence about receive errors, the server, the load and the counters") {
  const auto account = account_of(two_workers());
  CHECK(account.at("ledger").at(0) == nlohmann::ordered_json{{"place", "answered"}, {"queries", 119'800}});
  CHECK(account.at("ledger").back().at("place") == "unexplained");
  CHECK(account.at("receive_errors").get<std::string>().find("rose by 200") != std::string::npos);
  CHECK(account.at("server").at("workers").size() == 2);
  CHECK(account.at("server").at("sockets").at(0).at("receive_buffer") == 425'984);
  CHECK(account.at("server").at("cpu_seconds") == 8);
  CHECK(account.at("load").at("window") == 500);
  CHECK_FALSE(account.at("load").contains("rate"));
  const auto& counters = account.at("counters");
  CHECK(counters.at("server_udp").at("RcvbufErrors") == 200);
  CHECK_FALSE(counters.at("server_udp").contains("MemErrors"));
  CHECK(counters.at("processed_by_cpu").at("1") == 9);
  CHECK(counters.at("queue_interrupts").at("eth0-TxRx-0").at("2") == 5);
  CHECK_FALSE(counters.contains("throttles"));
}

TEST_CASE("The account as text leaves out where nothing was lost, and has shares") {
  const std::string text = account_text(account_of(two_workers()));
  CHECK_THAT(text,
             Catch::Contains("Where the 120,000 queries went") && Catch::Contains("server's socket buffer") && Catch::Contains("0.167 %"));
  CHECK_THAT(text, !Catch::Contains("checksum") && Catch::Contains("unexplained"));
  CHECK_THAT(text, Catch::Contains("198.18.0.1:5300") && Catch::Contains("416 KiB") && Catch::Contains("200 dropped"));
  CHECK_THAT(text, Catch::Contains("60,000  50.1 %"));
  CHECK(account_text(nlohmann::ordered_json::object()).empty());
}

TEST_CASE("A verdict as text has a line for each reason, wrapped") {
  Verdict verdict{
      .outcome = Outcome::measured, .suspect = true, .reasons = {{"window-limited", std::string(100, 'x') + " " + std::string(30, 'y')}}};
  const std::string text = verdict_text(verdict, 80);
  CHECK_THAT(text, Catch::StartsWith("measured, suspect\n  window-limited:"));
  CHECK(std::ranges::count(text, '\n') >= 3);
  CHECK(verdict_text({}, 80) == "measured\n");
}
