// The real dnsperf against the real netsettle-echo on loopback: what one says must agree with what the other counted.

#include <catch2/catch.hpp>

#include <csignal>
#include <fstream>
#include <numeric>

#include "runners/loads/dnsperf.hpp"
#include "runners/loads/resperf.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/unit/runners/echo/running_echo.hpp"

namespace netsettle::tests {
namespace {

using namespace std::chrono_literals;

struct Run {
  LoadReport load;
  nlohmann::json server;
};

std::string query_file(const TemporaryFolder& folder) {
  const std::string path = folder.file("queries.txt");
  std::ofstream(path) << "www.example.com A\nmail.example.org MX\n";
  return path;
}

Run run_load(const runners::Load& load, const std::string& address, LoadSection section, std::optional<int> first_source_port,
             const std::string& tsig_key = {}) {
  const TemporaryFolder folder;
  RunningEcho echo({}, address);
  section.queries = query_file(folder);
  section.clients = 4;
  section.outstanding = 50;
  const runners::LoadTarget target{.address = address,
                                   .port = echo.port(),
                                   .first_source_port = first_source_port,
                                   .seconds = 1.2,
                                   .interval_s = 0.2,
                                   .tsig_key = tsig_key};
  const auto host = runners::make_local_host();
  const auto finished = runners::run_program(*host, {.argv = load.command_line(section, target).value()}, 60s).value();
  INFO(finished.standard_error);
  CHECK(finished.status.ok());
  CHECK(echo.end_by(SIGTERM).ok());
  return {load.parse(finished.standard_output, finished.standard_error), echo.reports().back()};
}

Run run_dnsperf(const std::string& address, const LoadSection& section, std::optional<int> first_source_port) {
  return run_load(runners::Dnsperf(), address, section, first_source_port);
}

std::int64_t sum(const nlohmann::json& report, const char* count) {
  std::int64_t total = 0;
  for (const auto& worker : report.at("workers")) total += worker.at(count).get<std::int64_t>();
  return total;
}

void check_agreement(const Run& run) {
  REQUIRE(run.load.complete);
  CHECK(run.load.errors.empty());
  CHECK_FALSE(run.load.version.empty());
  CHECK(run.load.completed.value() > 0);
  CHECK(run.load.sent == run.load.completed.value() + run.load.lost.value() + run.load.interrupted.value());
  CHECK(run.load.rcodes == std::map<std::string, std::int64_t>{{"NOERROR", *run.load.completed}});
  CHECK(run.load.qps.value() == Approx(static_cast<double>(*run.load.completed) / run.load.runtime_s.value()).epsilon(1e-5));
  CHECK(run.load.latency_min_s.value() <= run.load.latency_avg_s.value());
  CHECK(run.load.latency_avg_s.value() <= run.load.latency_max_s.value());
  CHECK_FALSE(run.load.intervals.empty());
  CHECK(sum(run.server, "received") >= *run.load.completed);
  CHECK(sum(run.server, "received") <= *run.load.sent);
  CHECK(sum(run.server, "answered") == sum(run.server, "received"));
}

TEST_CASE("a short run is read, and client and server agree") { check_agreement(run_dnsperf("127.0.0.1", {}, std::nullopt)); }

TEST_CASE("a run over IPv6 with fixed source ports, threads and EDNS is read as well") {
  LoadSection section;
  section.family = AddressFamily::ipv6;
  section.threads = 2;
  section.arguments = {"-e"};
  check_agreement(run_dnsperf("::1", section, 31000));
}

TEST_CASE("without a server everything is lost, and the report says so") {
  const TemporaryFolder folder;
  LoadSection section;
  section.queries = query_file(folder);
  section.outstanding = 10;
  section.timeout = 100ms;
  const runners::Dnsperf dnsperf;
  const auto argv =
      dnsperf.command_line(section, {.address = "127.0.0.1", .port = free_udp_port("127.0.0.1"), .seconds = 1.2, .interval_s = 0.2});
  const auto host = runners::make_local_host();
  const auto finished = runners::run_program(*host, {.argv = argv.value()}, 60s).value();
  const LoadReport report = dnsperf.parse(finished.standard_output, finished.standard_error);
  CHECK(report.complete);
  CHECK(report.completed == 0);
  CHECK(report.lost == report.sent);
  CHECK(report.timeout_lines == report.lost);
  CHECK(report.rcodes.empty());
  std::int64_t in_series = 0;
  for (const Interval& interval : report.intervals) in_series += interval.timeouts_before;
  CHECK(in_series > 0);  // what is lost is reported while the run goes on
  CHECK(in_series <= report.timeout_lines);
}

TEST_CASE("a wanted rate is not exceeded, and signed queries are answered") {
  LoadSection section;
  section.rate = 500;
  const Run run = run_load(runners::Dnsperf(), "127.0.0.1", section, std::nullopt,
                           "hmac-sha256:lab.example:bm90LWEtcmVhbC1zZWNyZXQtanVzdC10ZXN0LWRhdGE=");
  check_agreement(run);
  constexpr std::int64_t kMost = 700;  // 1.2 s of 500 queries a second
  CHECK(run.load.sent.value() <= kMost);
  CHECK(run.load.end_time_s.value() > run.load.intervals.back().time_s);
}

TEST_CASE("a short ramp of resperf is read, and client and server agree") {
  LoadSection section;
  section.arguments = {"-m", "1000", "-i", "0.2"};
  const Run run = run_load(runners::Resperf(), "127.0.0.1", section, 31100);
  REQUIRE(run.load.complete);
  CHECK(run.load.errors.empty());
  CHECK(run.load.qps.value() > 0);
  CHECK(run.load.sent == run.load.completed.value() + run.load.lost.value());
  CHECK(run.load.rcodes == std::map<std::string, std::int64_t>{{"NOERROR", *run.load.completed}});
  CHECK(sum(run.server, "received") >= *run.load.completed);
  CHECK(sum(run.server, "received") <= *run.load.sent);
}

}  // namespace
}  // namespace netsettle::tests
