// Answers that the link takes slower than the queries come: the send buffer is full most of the time.

#include <catch2/catch.hpp>

#include <fcntl.h>
#include <sched.h>

#include <csignal>

#include "tests/support/network_namespace.hpp"
#include "tests/unit/runners/echo/running_echo.hpp"

namespace netsettle::tests {
namespace {

using Json = nlohmann::json;
using namespace std::string_literals;

const std::vector<std::string> kModels = {"blocking", "nonblocking", "poll", "select", "epoll", "libevent", "recvmmsg", "io_uring"};
const std::string kQuery = "\x00\x00\x01\x20\x00\x01\x00\x00\x00\x00\x00\x00\x03www\x00\x00\x01\x00\x01"s;

/// The calling thread is in the network namespace as long as the object lives.
class InNamespace {
 public:
  explicit InNamespace(const std::string& name) : before_(open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC)) {
    const runners::Descriptor there(open(("/var/run/netns/" + name).c_str(), O_RDONLY | O_CLOEXEC));
    if (setns(there.get(), CLONE_NEWNET) != 0) throw std::runtime_error("setns");
  }
  ~InNamespace() { static_cast<void>(setns(before_.get(), CLONE_NEWNET)); }
  InNamespace(const InNamespace&) = delete;
  InNamespace& operator=(const InNamespace&) = delete;

 private:
  runners::Descriptor before_;
};

/// 198.18.0.1 (server) and 198.18.0.2 (client); what the server sends is slowed down to `rate`, and waits in a queue of the kernel.
struct SlowLink {
  explicit SlowLink(const std::string& rate) : server("echo-server"), client("echo-client") {
    server.ip({"link", "add", "slow0", "type", "veth", "peer", "name", "slow0", "netns", client.name()});
    server.ip({"addr", "add", "198.18.0.1/24", "dev", "slow0"});
    client.ip({"addr", "add", "198.18.0.2/24", "dev", "slow0"});
    server.ip({"link", "set", "slow0", "up"});
    client.ip({"link", "set", "slow0", "up"});
    const auto host = runners::make_local_host();
    const auto slowed = runners::run_checked(*host, {"tc", "-n", server.name(), "qdisc", "add", "dev", "slow0", "root", "tbf", "rate", rate,
                                                     "burst", "2000", "limit", "1000000"});
    if (!slowed) throw std::runtime_error(to_text(slowed.error()));
  }
  NetworkNamespace server, client;
};

/// The program in the server's namespace, with the smallest send buffer: it holds a few answers.
std::unique_ptr<RunningEcho> serve(const SlowLink& link, const std::string& model) {
  const InNamespace server(link.server.name());
  return std::make_unique<RunningEcho>(std::vector<std::string>{"--io-model", model, "--send-buffer", "1"}, "198.18.0.1");
}

std::int64_t count(const Json& report, const char* what) { return report.at("workers")[0].at(what).get<std::int64_t>(); }

TEST_CASE("each model answers all that it has read, however slow the link is") {
  const std::string model = GENERATE(from_range(kModels));
  INFO(model);
  const SlowLink link("400kbit");
  const auto echo = serve(link, model);
  const InNamespace here(link.client.name());
  EchoClient client(*echo);
  constexpr int kQueries = 150;
  for (int i = 0; i < kQueries; ++i) client.send(kQuery);
  for (int i = 0; i < kQueries; ++i) REQUIRE(client.receive());
  CHECK(echo->end_by(SIGTERM).ok());
  const Json report = echo->reports().back();
  CHECK(count(report, "received") == kQueries);
  CHECK(count(report, "answered") == kQueries);
  CHECK(count(report, "errors") == 0);
}

/// Waits until something that was read waits for the link: the same counts in many reports in a row, with an answer missing.
void wait_until_blocked(RunningEcho& echo) {
  Json last;
  for (int same = 0, reports = 0; same < 20 && reports < 1000; ++reports) {
    const Json report = echo.ask_for_report();
    const bool waits = count(report, "received") > count(report, "answered") + count(report, "errors");
    same = waits && report.at("workers") == last ? same + 1 : 0;
    last = report.at("workers");
  }
}

TEST_CASE("each model ends while its answers wait for the link, and what it could not send is an error") {
  const std::string model = GENERATE(from_range(kModels));
  INFO(model);
  const SlowLink link("80bit");  // after the first 2000 bytes an answer takes seconds
  const auto echo = serve(link, model);
  const InNamespace here(link.client.name());
  EchoClient client(*echo);
  for (int i = 0; i < 400; ++i) client.send(kQuery);
  wait_until_blocked(*echo);
  CHECK(echo->end_by(SIGTERM).ok());
  const Json report = echo->reports().back();
  CHECK(count(report, "errors") > 0);
  CHECK(count(report, "received") == count(report, "answered") + count(report, "errors"));
}

}  // namespace
}  // namespace netsettle::tests
