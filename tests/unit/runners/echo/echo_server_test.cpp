// The server inside this process: many starts and stops, and what needs a look behind the program.

#include "runners/echo/echo_server.hpp"

#include <catch2/catch.hpp>

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>

#include "tests/unit/runners/echo/running_echo.hpp"

namespace netsettle::runners {
namespace {

EchoOptions options_for(const IoModel& model) {
  return {.port = tests::free_udp_port("127.0.0.1"), .cpus = tests::allowed_cpus_highest_first(), .io_model = &model};
}

std::unique_ptr<EchoServer> started(const EchoOptions& options) {
  auto server = EchoServer::start(options);
  if (!server) FAIL(to_text(server.error()));
  return std::move(*server);
}

TEST_CASE("a stop reaches every model at any moment, in any of its threads") {
  const IoModel& model = *GENERATE(from_range([] {
    std::vector<const IoModel*> models;
    for (const IoModel& each : io_models()) models.push_back(&each);
    return models;
  }()));
  INFO(model.name);
  EchoOptions options = options_for(model);
  for (int round = 0; round < 250; ++round) {
    options.threads = 1 + round % 3;
    options.sharing = round % 2 == 0 ? SocketSharing::shared : SocketSharing::reuseport;
    const auto server = started(options);
    server->stop();
    REQUIRE(server->failure() == std::nullopt);
    REQUIRE(server->report().unpinned == 0);
  }
}

TEST_CASE("of 200 starts with processes and threads none leaves a thread unpinned") {
  for (int start = 0; start < 200; ++start) {
    EchoOptions options = options_for(io_models()[static_cast<std::size_t>(start) % io_models().size()]);
    options.processes = 1 + start % 3;
    options.threads = 1 + start / 3 % 3;
    const auto server = started(options);
    const EchoReport report = server->report();
    REQUIRE(report.unpinned == 0);
    REQUIRE(report.workers.size() == static_cast<std::size_t>(options.processes * options.threads));
    for (std::size_t i = 0; i < report.workers.size(); ++i)
      REQUIRE(report.workers[i].cpus == std::to_string(options.cpus[i % options.cpus.size()]));
  }
}

TEST_CASE("a thread that was moved away counts as unpinned") {
  const auto cpus = tests::allowed_cpus_highest_first();
  if (cpus.size() < 2) return;  // one CPU leaves nowhere to move to
  EchoOptions options = options_for(*find_io_model("poll"));
  options.threads = 3;
  options.cpus = {cpus[0]};
  const auto server = started(options);
  const pid_t thread = server->report().workers[2].tid;
  cpu_set_t elsewhere;
  CPU_ZERO(&elsewhere);
  CPU_SET(static_cast<std::size_t>(cpus[1]), &elsewhere);
  REQUIRE(sched_setaffinity(thread, sizeof elsewhere, &elsewhere) == 0);
  const EchoReport report = server->report();
  CHECK(report.unpinned == 1);
  CHECK(report.workers[2].cpus == std::to_string(cpus[1]));
}

TEST_CASE("the buffers that were asked for and those that were granted are told for each socket") {
  EchoOptions options = options_for(*find_io_model("blocking"));
  options.processes = 2;
  options.sharing = SocketSharing::reuseport;
  options.receive_buffer = 8192;
  options.send_buffer = 16384;
  const EchoReport report = started(options)->report();
  REQUIRE(report.sockets.size() == 2);
  for (const EchoSocketReport& socket : report.sockets) {
    CHECK(socket.requested_receive_buffer == 8192);
    CHECK(socket.receive_buffer == 16384);  // the kernel doubles it, see socket(7)
    CHECK(socket.requested_send_buffer == 16384);
    CHECK(socket.send_buffer == 32768);
  }
  CHECK(report.receive_buffer == 16384);
  CHECK(report.workers[1].socket == 1);
}

TEST_CASE("a buffer above the kernel's limit is granted up to it, and the report shows it") {
  EchoOptions options = options_for(*find_io_model("blocking"));
  options.receive_buffer = 2147483647;
  const EchoReport report = started(options)->report();
  CHECK(report.sockets.front().requested_receive_buffer == 2147483647);
  CHECK(report.sockets.front().receive_buffer < 2 * std::int64_t{2147483647});
}

TEST_CASE("a foreign socket on the port is refused, also one that would share it") {
  const EchoOptions options = options_for(*find_io_model("blocking"));
  const Descriptor foreign(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  const int on = 1;
  REQUIRE(setsockopt(foreign.get(), SOL_SOCKET, SO_REUSEPORT, &on, sizeof on) == 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(options.port));
  REQUIRE(bind(foreign.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
  for (const SocketSharing sharing : {SocketSharing::shared, SocketSharing::reuseport, SocketSharing::reuseport_cpu}) {
    EchoOptions sharing_options = options;
    sharing_options.sharing = sharing;
    const auto server = EchoServer::start(sharing_options);
    REQUIRE_FALSE(server);
    CHECK(server.error().code == ErrorCode::busy);
    CHECK(to_text(server.error()).find("cannot be bound (Address already in use)") != std::string::npos);
  }
}

TEST_CASE("every kind of sockets works with a single worker") {
  for (const SocketSharing sharing : {SocketSharing::shared, SocketSharing::reuseport, SocketSharing::reuseport_cpu}) {
    EchoOptions options = options_for(*find_io_model("blocking"));
    options.sharing = sharing;
    CHECK(started(options)->report().sockets.size() == 1);
  }
}

TEST_CASE("steering by CPU without CPUs is refused") {
  EchoOptions options = options_for(*find_io_model("blocking"));
  options.cpus.clear();
  options.sharing = SocketSharing::reuseport_cpu;
  const auto server = EchoServer::start(options);
  REQUIRE_FALSE(server);
  CHECK(server.error().subject == "--sockets");
}

/// Runs `check` in a child process, whose restrictions end with it. True where it returned true.
template <typename Check>
bool in_a_child(Check check) {
  const pid_t child = fork();
  if (child == 0) _exit(check() ? 0 : 1);
  int status = 0;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/// From now on the kernel refuses these calls of this process with `error`: of `call`, those whose argument `which` is `value`.
bool refuse(std::uint32_t call, std::uint32_t which, std::uint32_t value, std::uint32_t error) {
  const std::uint32_t argument = offsetof(seccomp_data, args) + 8 * which;  // its low half, on a little-endian machine
  sock_filter program[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
                           BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 3),
                           BPF_STMT(BPF_LD | BPF_W | BPF_ABS, argument),
                           BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1),
                           BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
                           BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  const sock_fprog filter{.len = std::size(program), .filter = program};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

TEST_CASE("where the kernel has no io_uring, that is said at the start") {
  EchoOptions options = options_for(*find_io_model("io_uring"));
  options.batch = 64;
  CHECK(in_a_child([&] {
    constexpr std::uint32_t kEntries = 128;  // of the submission queue: two for each datagram of a batch, which is 64 here
    if (!refuse(SYS_io_uring_setup, 0, kEntries, ENOSYS)) return false;
    const auto server = EchoServer::start(options);
    return !server && to_text(server.error()).find("io_uring: not available here: io_uring_setup") != std::string::npos;
  }));
}

TEST_CASE("busy polling works with the capability, and without it the error names it") {
  EchoOptions options = options_for(*find_io_model("blocking"));
  options.busy_poll = std::chrono::microseconds(50);
  CHECK(started(options)->report().unpinned == 0);
  CHECK(in_a_child([&] {
    if (!refuse(SYS_setsockopt, 2, SO_BUSY_POLL, EPERM)) return false;  // as older kernels do
    const auto server = EchoServer::start(options);
    return !server && to_text(server.error()).find("CAP_NET_ADMIN") != std::string::npos;
  }));
}

}  // namespace
}  // namespace netsettle::runners
