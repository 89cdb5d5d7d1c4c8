// Starts the echo server very often, with processes, threads, sockets and I/O models mixed, and looks each time where every thread may
// run. Usage: echo_pinning_sweep [STARTS]; 10,000 without arguments. Exit 1 where a single thread was not on its CPU.

#include <fmt/format.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/socket.h>

#include <charconv>
#include <string_view>

#include "runners/echo/echo_server.hpp"

namespace {

using namespace netsettle;
using namespace netsettle::runners;

std::vector<CpuId> allowed_cpus_highest_first() {
  cpu_set_t mask;
  std::vector<CpuId> cpus;
  if (sched_getaffinity(0, sizeof mask, &mask) != 0) return cpus;
  for (int cpu = CPU_SETSIZE - 1; cpu >= 0; --cpu)
    if (CPU_ISSET(cpu, &mask)) cpus.push_back(cpu);
  return cpus;
}

int free_port() {
  const Descriptor socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (bind(socket.get(), reinterpret_cast<sockaddr*>(&address), size) != 0) return 0;
  getsockname(socket.get(), reinterpret_cast<sockaddr*>(&address), &size);
  return ntohs(address.sin_port);
}

EchoOptions options_of(int start, const std::vector<CpuId>& cpus) {
  constexpr SocketSharing kSharings[] = {SocketSharing::shared, SocketSharing::reuseport, SocketSharing::reuseport_cpu};
  EchoOptions options{.port = free_port(), .cpus = cpus};
  options.processes = 1 + start % 4;
  options.threads = 1 + start / 4 % 4;
  options.sharing = kSharings[start / 16 % 3];
  options.io_model = &io_models()[static_cast<std::size_t>(start / 48) % io_models().size()];
  return options;
}

/// Threads that are not on their CPU by the server's own report, or by the list of CPUs.
int misplaced(const EchoReport& report, const std::vector<CpuId>& cpus) {
  int count = report.unpinned;
  for (std::size_t i = 0; i < report.workers.size(); ++i)
    if (report.workers[i].cpus != std::to_string(cpus[i % cpus.size()])) ++count;
  return count;
}

}  // namespace

int main(int argc, char** argv) {
  int starts = 10'000;
  if (argc > 1) std::from_chars(argv[1], argv[1] + std::string_view(argv[1]).size(), starts);
  const std::vector<CpuId> cpus = allowed_cpus_highest_first();
  int threads = 0, unpinned = 0, failed = 0;
  for (int start = 0; start < starts; ++start) {
    auto server = EchoServer::start(options_of(start, cpus));
    if (!server) {
      fmt::print(stderr, "echo_pinning_sweep: start {}: {}\n", start, to_text(server.error()));
      ++failed;
      continue;
    }
    const EchoReport report = (*server)->report();
    threads += static_cast<int>(report.workers.size());
    unpinned += misplaced(report, cpus);
    (*server)->stop();
    if ((*server)->failure()) ++failed;
  }
  fmt::print("echo server: {} starts, {} threads, {} unpinned, {} failed\n", starts, threads, unpinned, failed);
  return unpinned == 0 && failed == 0 ? 0 : 1;
}
