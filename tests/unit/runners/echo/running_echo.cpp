#include "tests/unit/runners/echo/running_echo.hpp"

#include <netdb.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/time.h>

#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace netsettle::tests {
namespace {

using namespace std::chrono_literals;

constexpr const char* kProgram = NETSETTLE_BIN_DIR "/netsettle-echo";
constexpr int kPolls = 1000;
constexpr auto kPollInterval = 10ms;

/// Looks until the condition holds; false when it never did.
template <typename Condition>
bool eventually(Condition condition) {
  for (int i = 0; i < kPolls; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(kPollInterval);
  }
  return false;
}

struct SocketAddress {
  sockaddr_storage storage{};
  socklen_t size = 0;
  sockaddr* pointer() { return reinterpret_cast<sockaddr*>(&storage); }
};

SocketAddress resolve(const std::string& address, int port) {
  addrinfo hints{}, *found = nullptr;
  hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV;
  hints.ai_socktype = SOCK_DGRAM;
  if (getaddrinfo(address.c_str(), std::to_string(port).c_str(), &hints, &found) != 0) throw std::runtime_error("no address " + address);
  SocketAddress result;
  std::memcpy(&result.storage, found->ai_addr, found->ai_addrlen);
  result.size = found->ai_addrlen;
  freeaddrinfo(found);
  return result;
}

}  // namespace

int free_udp_port(const std::string& address) {
  SocketAddress any = resolve(address, 0);
  const runners::Descriptor socket(::socket(any.storage.ss_family, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (bind(socket.get(), any.pointer(), any.size) != 0 || getsockname(socket.get(), any.pointer(), &any.size) != 0)
    throw std::runtime_error("no free port on " + address);
  return ntohs(reinterpret_cast<const sockaddr_in&>(any.storage).sin_port);  // at the same place in sockaddr_in6
}

std::vector<int> allowed_cpus_highest_first() {
  cpu_set_t mask;
  if (sched_getaffinity(0, sizeof mask, &mask) != 0) throw std::runtime_error("sched_getaffinity");
  std::vector<int> cpus;
  for (int cpu = CPU_SETSIZE - 1; cpu >= 0; --cpu)
    if (CPU_ISSET(cpu, &mask)) cpus.push_back(cpu);
  return cpus;
}

RunningEcho::RunningEcho(const std::vector<std::string>& options, const std::string& address)
    : address_(address), port_(free_udp_port(address)), host_(runners::make_local_host()) {
  runners::ProcessSpec spec{.argv = {kProgram, "--address", address, "--port", std::to_string(port_)}};
  spec.argv.insert(spec.argv.end(), options.begin(), options.end());
  process_ = host_->start(spec).value();
  const bool ready = eventually([&] { return process_->standard_error().find("netsettle-echo: ready on ") != std::string::npos; });
  if (!ready) throw std::runtime_error("netsettle-echo is not ready: " + process_->standard_error());
}

std::vector<nlohmann::json> RunningEcho::reports() const {
  std::vector<nlohmann::json> reports;
  std::istringstream lines(process_->standard_output());
  for (std::string line; std::getline(lines, line) && !lines.eof();) reports.push_back(nlohmann::json::parse(line));
  return reports;
}

nlohmann::json RunningEcho::ask_for_report() {
  const std::size_t known = reports().size();
  if (!process_->signal(SIGUSR1) || !eventually([&] { return reports().size() > known; })) throw std::runtime_error("no report on SIGUSR1");
  return reports().back();
}

runners::ExitStatus RunningEcho::end_by(int signal) {
  if (!process_->signal(signal)) throw std::runtime_error("cannot be signalled");
  return process_->wait(20s).value();
}

runners::Finished run_echo(const std::vector<std::string>& options) {
  const auto host = runners::make_local_host();
  runners::ProcessSpec spec{.argv = {kProgram}};
  spec.argv.insert(spec.argv.end(), options.begin(), options.end());
  return runners::run_program(*host, spec, 20s).value();
}

EchoClient::EchoClient(const RunningEcho& server) {
  SocketAddress address = resolve(server.address(), server.port());
  socket_ = runners::Descriptor(::socket(address.storage.ss_family, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  const timeval timeout{10, 0};
  if (setsockopt(socket_.get(), SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout) != 0 ||
      connect(socket_.get(), address.pointer(), address.size) != 0)
    throw std::runtime_error("no client socket");
}

void EchoClient::send(const std::string& bytes) {
  if (::send(socket_.get(), bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) throw std::runtime_error("send");
}

void EchoClient::try_send(const std::string& bytes) { static_cast<void>(::send(socket_.get(), bytes.data(), bytes.size(), MSG_DONTWAIT)); }

std::optional<std::string> EchoClient::receive() {
  std::string bytes(65535, '\0');
  const ssize_t size = recv(socket_.get(), bytes.data(), bytes.size(), 0);
  if (size < 0) return std::nullopt;
  bytes.resize(static_cast<std::size_t>(size));
  return bytes;
}

bool is_gone_soon(int pid) {
  return eventually([&] {
    std::ifstream status("/proc/" + std::to_string(pid) + "/status");
    for (std::string line; std::getline(status, line);)
      if (line.starts_with("State:")) return line.find('Z') != std::string::npos;
    return true;
  });
}

}  // namespace netsettle::tests
