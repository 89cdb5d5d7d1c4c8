// The program itself, started for real on loopback.

#include <catch2/catch.hpp>

#include <csignal>
#include <fstream>

#include <fmt/ranges.h>

#include "datasets/model/cpu_set.hpp"
#include "tests/unit/runners/echo/running_echo.hpp"

namespace netsettle::tests {
namespace {

using Json = nlohmann::json;
using namespace std::string_literals;

const std::string kQuery =
    "\x12\x34\x01\x20\x00\x01\x00\x00\x00\x00\x00\x00\x01"
    "a\x00\x00\x01\x00\x01"s;
const std::string kAnswer =
    "\x12\x34\x81\x20\x00\x01\x00\x00\x00\x00\x00\x00\x01"
    "a\x00\x00\x01\x00\x01"s;

std::int64_t sum(const Json& report, const char* count) {
  std::int64_t total = 0;
  for (const Json& worker : report.at("workers")) total += worker.at(count).get<std::int64_t>();
  return total;
}

std::vector<int> worker_pids(const Json& report) {
  std::vector<int> pids;
  for (const Json& worker : report.at("workers")) pids.push_back(worker.at("pid"));
  return pids;
}

std::string allowed_list_of(int pid) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/status");
  constexpr std::string_view kKey = "Cpus_allowed_list:\t";
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(kKey)) return line.substr(kKey.size());
  return "";
}

void exchange(EchoClient& client, int queries) {
  for (int i = 0; i < queries; ++i) {
    client.send(kQuery);
    REQUIRE(client.receive() == kAnswer);
  }
}

TEST_CASE("queries are answered and counted") {
  RunningEcho echo;
  EchoClient client(echo);
  exchange(client, 20);
  CHECK(echo.end_by(SIGTERM).ok());
  REQUIRE(echo.reports().size() == 1);
  const Json report = echo.reports().back();
  CHECK(sum(report, "received") == 20);
  CHECK(sum(report, "answered") == 20);
  CHECK(sum(report, "errors") == 0);
  CHECK(report.at("receive_buffer").get<int>() > 0);
  CHECK(report.at("send_buffer").get<int>() > 0);
  CHECK(report.at("cpu_seconds").get<double>() > 0);
}

TEST_CASE("responses, short and empty packets are not answered but counted") {
  RunningEcho echo;
  EchoClient client(echo);
  client.send(kAnswer);
  client.send(kQuery.substr(0, 11));
  client.send("");
  exchange(client, 1);  // the first answer that comes is that of the query
  CHECK(echo.end_by(SIGTERM).ok());
  const Json report = echo.reports().back();
  CHECK(sum(report, "received") == 4);
  CHECK(sum(report, "answered") == 1);
  CHECK(sum(report, "malformed") == 2);
  CHECK(sum(report, "not_queries") == 1);
}

TEST_CASE("IPv6 works like IPv4") {
  RunningEcho echo({}, "::1");
  EchoClient client(echo);
  exchange(client, 3);
  CHECK(echo.end_by(SIGINT).ok());
  CHECK(sum(echo.reports().back(), "answered") == 3);
}

TEST_CASE("a datagram as large as UDP allows comes back whole") {
  RunningEcho echo;
  EchoClient client(echo);
  const std::size_t largest = 65507;
  client.send(kQuery + std::string(largest - kQuery.size(), 'x'));
  CHECK(client.receive() == kAnswer + std::string(largest - kAnswer.size(), 'x'));
}

TEST_CASE("each worker runs on the CPU that it was given, in the order of the list") {
  const std::vector<int> cpus = allowed_cpus_highest_first();
  const std::size_t processes = cpus.size() + 1;
  RunningEcho echo({"--processes", std::to_string(processes), "--cpus", fmt::format("{}", fmt::join(cpus, ","))});
  const Json report = echo.ask_for_report();
  REQUIRE(report.at("workers").size() == processes);
  CHECK(report.at("unpinned") == 0);
  for (std::size_t i = 0; i < processes; ++i) {
    const Json& worker = report.at("workers")[i];
    const std::string expected = std::to_string(cpus[i % cpus.size()]);
    CHECK(worker.at("process") == i);
    CHECK(worker.at("thread") == 0);
    CHECK(worker.at("cpus") == expected);
    CHECK(allowed_list_of(worker.at("pid")) == expected);
  }
}

TEST_CASE("with reuseport-cpu the worker of the CPU that handles a packet gets it") {
  const std::vector<int> cpus = allowed_cpus_highest_first();
  RunningEcho echo(
      {"--processes", std::to_string(cpus.size()), "--sockets", "reuseport-cpu", "--cpus", fmt::format("{}", fmt::join(cpus, ","))});
  cpu_set_t before;
  REQUIRE(sched_getaffinity(0, sizeof before, &before) == 0);
  for (std::size_t i = 0; i < cpus.size(); ++i) {
    cpu_set_t here;
    CPU_ZERO(&here);
    CPU_SET(static_cast<std::size_t>(cpus[i]), &here);
    REQUIRE(sched_setaffinity(0, sizeof here, &here) == 0);  // on loopback the sender's CPU handles the packet
    EchoClient client(echo);
    exchange(client, 10 + static_cast<int>(i));
  }
  REQUIRE(sched_setaffinity(0, sizeof before, &before) == 0);
  CHECK(echo.end_by(SIGTERM).ok());
  const Json report = echo.reports().back();
  for (std::size_t i = 0; i < cpus.size(); ++i) {
    CHECK(report.at("workers")[i].at("answered") == 10 + i);
    CHECK(report.at("workers")[i].at("cpus") == std::to_string(cpus[i]));
  }
}

TEST_CASE("a worker that was moved away counts as unpinned in the report") {
  const std::vector<int> cpus = allowed_cpus_highest_first();
  if (cpus.size() < 2) return;  // one CPU leaves nowhere to move to
  RunningEcho echo({"--cpus", std::to_string(cpus[0])});
  cpu_set_t elsewhere;
  CPU_ZERO(&elsewhere);
  CPU_SET(static_cast<std::size_t>(cpus[1]), &elsewhere);
  REQUIRE(sched_setaffinity(worker_pids(echo.ask_for_report()).front(), sizeof elsewhere, &elsewhere) == 0);
  const Json report = echo.ask_for_report();
  CHECK(report.at("unpinned") == 1);
  CHECK(report.at("workers")[0].at("cpus") == std::to_string(cpus[1]));
}

TEST_CASE("SIGUSR1 prints a report and does not end the server") {
  RunningEcho echo;
  EchoClient client(echo);
  exchange(client, 2);
  CHECK(sum(echo.ask_for_report(), "received") == 2);
  exchange(client, 3);
  CHECK(sum(echo.ask_for_report(), "received") == 5);
  CHECK(echo.end_by(SIGTERM).ok());
  CHECK(echo.reports().size() == 3);
}

TEST_CASE("SIGTERM and SIGINT to the whole process group end it as orderly as to the parent alone") {
  for (const int signal : {SIGTERM, SIGINT}) {
    RunningEcho echo({"--processes", "3"});
    EchoClient client(echo);
    exchange(client, 5);
    REQUIRE(kill(-echo.process().pid(), signal) == 0);
    const auto status = echo.process().wait(std::chrono::seconds(20));
    REQUIRE(status);
    CHECK(status->ok());
    REQUIRE(echo.reports().size() == 1);
    CHECK(sum(echo.reports().back(), "answered") == 5);
  }
}

TEST_CASE("no worker is left when the server has ended") {
  RunningEcho echo({"--processes", "4"});
  const std::vector<int> workers = worker_pids(echo.ask_for_report());
  CHECK(echo.end_by(SIGTERM).ok());
  for (const int pid : workers) CHECK(kill(pid, 0) != 0);
}

TEST_CASE("kill -9 of the parent leaves no worker") {
  RunningEcho echo({"--processes", "4"});
  const std::vector<int> workers = worker_pids(echo.ask_for_report());
  CHECK(echo.end_by(SIGKILL).signal == SIGKILL);
  for (const int pid : workers) CHECK(is_gone_soon(pid));
}

TEST_CASE("a worker that dies ends the server with a message, and no count is lost") {
  RunningEcho echo({"--processes", "2"});
  EchoClient client(echo);
  exchange(client, 10);
  const int victim = worker_pids(echo.ask_for_report()).front();
  REQUIRE(kill(victim, SIGKILL) == 0);
  const auto status = echo.process().wait(std::chrono::seconds(20));
  REQUIRE(status);
  CHECK(status->code == 1);
  CHECK(sum(echo.reports().back(), "answered") == 10);
  CHECK(echo.process().standard_error().find(fmt::format("worker 0 (process {}) was killed by signal 9", victim)) != std::string::npos);
}

TEST_CASE("a CPU that cannot be had is an error before anything is announced") {
  const runners::Finished finished =
      run_echo({"--port", std::to_string(free_udp_port("127.0.0.1")), "--processes", "2", "--cpus", "0,60000"});
  CHECK(finished.status.code == 1);
  CHECK(finished.standard_output.empty());
  CHECK(finished.standard_error.find("worker 1: CPU 60000: cannot run there") != std::string::npos);
  CHECK(finished.standard_error.find("ready") == std::string::npos);
}

TEST_CASE("addresses that cannot be had are named") {
  RunningEcho echo;
  const std::string port = std::to_string(echo.port());
  const runners::Finished in_use = run_echo({"--port", port});
  CHECK(in_use.status.code == 1);
  CHECK(in_use.standard_error.find("127.0.0.1 port " + port + ": cannot be bound (Address already in use)") != std::string::npos);
  const runners::Finished no_address = run_echo({"--address", "localhost"});
  CHECK(no_address.status.code == 1);
  CHECK(no_address.standard_error.find("localhost: is not a numeric IPv4 or IPv6 address") != std::string::npos);
}

TEST_CASE("of 200 starts none leaves a worker unpinned") {
  const std::string cpus = fmt::format("{}", fmt::join(allowed_cpus_highest_first(), ","));
  for (int start = 0; start < 200; ++start) {
    RunningEcho echo({"--processes", "4", "--cpus", cpus});
    REQUIRE(echo.end_by(SIGTERM).ok());
    REQUIRE(echo.reports().size() == 1);
    const Json report = echo.reports().back();
    REQUIRE(report.at("workers").size() == 4);
    REQUIRE(report.at("unpinned") == 0);
  }
}

}  // namespace
}  // namespace netsettle::tests
