// What every I/O model promises, with the real program on loopback.

#include <catch2/catch.hpp>

#include <netinet/ip.h>
#include <netinet/udp.h>

#include <atomic>
#include <csignal>
#include <cstring>
#include <thread>

#include <fmt/ranges.h>

#include "tests/unit/runners/echo/running_echo.hpp"

namespace netsettle::tests {
namespace {

using Json = nlohmann::json;
using namespace std::string_literals;

const std::vector<std::string> kModels = {"blocking", "nonblocking", "poll", "select", "epoll", "libevent", "recvmmsg", "io_uring"};

std::string any_model() { return GENERATE(from_range(kModels)); }

std::string query(int number) {
  std::string bytes = "\x00\x00\x01\x20\x00\x01\x00\x00\x00\x00\x00\x00\x03www\x00\x00\x01\x00\x01"s;
  bytes[0] = static_cast<char>(number >> 8);
  bytes[1] = static_cast<char>(number & 0xff);
  return bytes;
}

std::string answer_to(std::string bytes) {
  bytes[2] = '\x81';
  return bytes;
}

std::int64_t sum(const Json& report, const char* count) {
  std::int64_t total = 0;
  for (const Json& worker : report.at("workers")) total += worker.at(count).get<std::int64_t>();
  return total;
}

/// Everything that was read is in exactly one other count.
bool adds_up(const Json& report) {
  return sum(report, "received") == sum(report, "answered") + sum(report, "malformed") + sum(report, "not_queries") + sum(report, "errors");
}

void exchange(EchoClient& client, int queries) {
  for (int i = 0; i < queries; ++i) {
    client.send(query(i));
    REQUIRE(client.receive() == answer_to(query(i)));
  }
}

std::string all_cpus() { return fmt::format("{}", fmt::join(allowed_cpus_highest_first(), ",")); }

/// Sends queries as fast as it can until it is destroyed, and reads no answer.
class Flood {
 public:
  explicit Flood(const RunningEcho& server) : client_(server) {
    sender_ = std::jthread([this](const std::stop_token& stop) {
      for (int i = 0; !stop.stop_requested(); ++i) client_.try_send(query(i & 0xffff));
    });
  }

 private:
  EchoClient client_;
  std::jthread sender_;
};

/// A query whose sender claims to be on port 0, from a raw socket.
void send_from_port_zero(int port) {
  struct {
    udphdr udp;
    char query[21];
  } packet{};
  packet.udp.source = 0;
  packet.udp.dest = htons(static_cast<std::uint16_t>(port));
  packet.udp.len = htons(sizeof packet);  // checksum 0: none
  std::memcpy(packet.query, query(1).data(), sizeof packet.query);
  const runners::Descriptor raw(socket(AF_INET, SOCK_RAW | SOCK_CLOEXEC, IPPROTO_UDP));
  sockaddr_in server{};
  server.sin_family = AF_INET;
  server.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  REQUIRE(sendto(raw.get(), &packet, sizeof packet, 0, reinterpret_cast<sockaddr*>(&server), sizeof server) == sizeof packet);
}

TEST_CASE("each model answers every query with its own bytes, and counts") {
  RunningEcho echo({"--io-model", any_model()});
  EchoClient client(echo);
  exchange(client, 200);
  CHECK(echo.end_by(SIGTERM).ok());
  const Json report = echo.reports().back();
  CHECK(sum(report, "received") == 200);
  CHECK(sum(report, "answered") == 200);
  CHECK(sum(report, "errors") == 0);
  CHECK(report.at("cpu_seconds").get<double>() > 0);
}

TEST_CASE("each model answers queries that came together, one by one and in full") {
  RunningEcho echo({"--io-model", any_model(), "--batch", "8"});
  EchoClient client(echo);
  constexpr int kTogether = 100;
  for (int i = 0; i < kTogether; ++i) client.send(query(i) + std::string(static_cast<std::size_t>(i), 'x'));
  std::set<std::string> answers, expected;
  for (int i = 0; i < kTogether; ++i) {
    expected.insert(answer_to(query(i)) + std::string(static_cast<std::size_t>(i), 'x'));
    answers.insert(client.receive().value_or("none"));
  }
  CHECK(answers == expected);
  CHECK(echo.end_by(SIGTERM).ok());
  CHECK(sum(echo.reports().back(), "answered") == kTogether);
}

TEST_CASE("each model counts hostile packets and goes on") {
  RunningEcho echo({"--io-model", any_model()});
  EchoClient client(echo);
  client.send("");
  client.send(query(1).substr(0, 11));
  client.send(answer_to(query(1)));
  send_from_port_zero(echo.port());
  {
    EchoClient(echo).send(query(2));
  }  // its port is closed when the answer comes: the kernel sends an ICMP error back
  const std::string largest = query(3) + std::string(65507 - query(3).size(), 'x');
  client.send(largest);
  CHECK(client.receive() == answer_to(largest));
  exchange(client, 20);
  CHECK(echo.end_by(SIGTERM).ok());
  const Json report = echo.reports().back();
  CHECK(sum(report, "received") == 26);
  CHECK(sum(report, "answered") == 22);
  CHECK(sum(report, "malformed") == 2);
  CHECK(sum(report, "not_queries") == 2);
  CHECK(sum(report, "errors") == 0);
}

TEST_CASE("each model speaks IPv6") {
  RunningEcho echo({"--io-model", any_model()}, "::1");
  EchoClient client(echo);
  exchange(client, 20);
  CHECK(echo.end_by(SIGINT).ok());
  CHECK(sum(echo.reports().back(), "answered") == 20);
}

TEST_CASE("each model works with processes, threads and every kind of sockets, pinned") {
  const std::string model = any_model();
  const std::string sockets = GENERATE("shared", "reuseport", "reuseport-cpu");
  INFO(model << " " << sockets);
  RunningEcho echo({"--io-model", model, "--sockets", sockets, "--processes", "2", "--threads", "3", "--cpus", all_cpus()});
  for (int i = 0; i < 20; ++i) {
    EchoClient client(echo);  // from another port
    exchange(client, 5);
  }
  CHECK(echo.end_by(SIGTERM).ok());
  const Json report = echo.reports().back();
  REQUIRE(report.at("workers").size() == 6);
  CHECK(report.at("sockets").size() == (sockets == "shared" ? 1 : 6));
  CHECK(report.at("unpinned") == 0);
  CHECK(sum(report, "received") == 100);
  CHECK(sum(report, "answered") == 100);
  std::set<int> threads;
  for (const Json& worker : report.at("workers")) threads.insert(worker.at("tid").get<int>());
  CHECK(threads.size() == 6);
}

TEST_CASE("each model ends under load with counts that add up") {
  const std::string model = any_model();
  for (const char* sockets : {"shared", "reuseport"}) {
    INFO(model << " " << sockets);
    RunningEcho echo({"--io-model", model, "--sockets", sockets, "--processes", "2", "--threads", "2"});
    const Flood flood(echo), second(echo);
    while (sum(echo.ask_for_report(), "answered") < 1000) {
    }
    CHECK(echo.end_by(SIGTERM).ok());
    const Json report = echo.reports().back();
    CHECK(sum(report, "answered") >= 1000);
    CHECK(adds_up(report));
  }
}

TEST_CASE("each model survives a storm of signals that are not for it") {
  RunningEcho echo({"--io-model", any_model(), "--threads", "2"});
  const int worker = echo.ask_for_report().at("workers")[0].at("pid");
  EchoClient client(echo);
  for (int i = 0; i < 100; ++i) {
    for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGUSR1}) REQUIRE(kill(worker, signal) == 0);
    REQUIRE(echo.process().signal(SIGUSR1));
    exchange(client, 2);
  }
  CHECK(echo.end_by(SIGTERM).ok());
  const Json report = echo.reports().back();
  CHECK(sum(report, "received") == 200);
  CHECK(sum(report, "answered") == 200);
  CHECK(sum(report, "errors") == 0);
}

}  // namespace
}  // namespace netsettle::tests
