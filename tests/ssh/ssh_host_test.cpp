// What a host over ssh adds to the contract of all hosts (tests/contract): ends, errors, odd names. Against a real sshd.

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <thread>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "runners/hosts/files.hpp"
#include "runners/hosts/local_host.hpp"
#include "runners/hosts/ssh_host.hpp"
#include "runners/settings/process_identity.hpp"
#include "tests/support/ssh_server.hpp"

using namespace netsettle;
using namespace netsettle::runners;
using namespace netsettle::tests;
using namespace std::chrono_literals;

namespace {

SshServer& server() {
  static SshServer server;
  return server;
}

std::unique_ptr<Host> connect() { return make_ssh_host(server().destination()).value(); }

template <typename Condition>
void await(Condition condition) {
  while (!condition()) std::this_thread::sleep_for(2ms);
}

/// A program with a child; both as this machine sees them.
struct Family {
  explicit Family(Host& host) {
    process = host.start({.argv = {"sh", "-c", "sleep 1000 & echo $!; wait"}}).value();
    await([&] { return process->standard_output().ends_with('\n'); });
    parent = identify(process->pid()).value();
    child = identify(std::stoi(process->standard_output())).value();
  }
  bool runs() const { return is_running(parent) || is_running(child); }
  std::unique_ptr<Process> process;
  ProcessIdentity parent, child;
};

/// Folders below /tmp in which connections note what runs, on the other side.
std::set<std::string> remote_notes() {
  std::set<std::string> found;
  const std::vector<std::string> names = names_in("/tmp").value();
  for (const auto& name : names)
    if (name.starts_with("netsettle-ssh.")) found.insert(name);
  return found;
}

/// Those that were made since.
std::vector<std::string> new_notes(const std::set<std::string>& before) {
  std::vector<std::string> fresh;
  std::ranges::set_difference(remote_notes(), before, std::back_inserter(fresh));
  return fresh;
}

bool any_is_left(const std::vector<std::string>& notes) {
  const auto present = remote_notes();
  return std::ranges::any_of(notes, [&](const std::string& name) { return present.contains(name) || present.contains(name + ".end"); });
}

}  // namespace

TEST_CASE("what runs on the other side is in the server's namespace") {
  const auto host = connect();
  const auto device = host->list_directory("/sys/class/net").value();
  CHECK(device == std::vector<std::string>{"lo", "ssh0"});
}

TEST_CASE("kernel settings are read, written and refused as on this machine") {
  const auto host = connect();
  const std::string path = "/proc/sys/net/ipv4/udp_rmem_min";  // of the namespace
  const std::string before = host->read_file(path).value();
  REQUIRE(host->write_file(path, "8192"));
  CHECK(host->read_file(path).value() == "8192\n");
  const auto refused = host->write_file(path, "many");
  REQUIRE(!refused);
  CHECK(refused.error().errno_value == EINVAL);
  CHECK(refused.error().code == ErrorCode::refused);
  REQUIRE(host->write_file(path, before));
  CHECK(host->read_file("/proc").error().errno_value == EISDIR);
  CHECK(host->list_directory("/proc/version").error().errno_value == ENOTDIR);
}

TEST_CASE("links are followed to their end") {
  const TemporaryFolder folder;
  const auto host = connect();
  std::ofstream(folder.file("file")) << "x";
  std::filesystem::create_symlink(folder.file("file"), folder.file("link"));
  CHECK(host->real_path(folder.file("link")).value() == folder.file("file"));
  CHECK(host->real_path(folder.file("missing")).error().code == ErrorCode::not_found);
}

TEST_CASE("names and texts of any bytes arrive as they are") {
  const TemporaryFolder folder;
  const auto host = connect();
  std::string odd = "-n '\"$(reboot)` \\ \n*";
  for (int byte = 1; byte < 256; ++byte)
    if (byte != '/') odd += static_cast<char>(byte);
  odd.resize(200);  // a name may have 255 bytes
  std::string bytes;
  for (int byte = 0; byte < 256; ++byte) bytes += static_cast<char>(byte);
  std::ofstream(folder.file(odd)) << "old";
  REQUIRE(host->write_file(folder.file(odd), bytes));
  CHECK(host->read_file(folder.file(odd)).value() == bytes);
  CHECK(host->list_directory(folder.path().string()).value() == std::vector<std::string>{odd});
  const auto echoed = run_program(*host, {.argv = {"printf", "%s", odd}, .input = bytes, .environment = {{"ODD", odd}}}, 20s).value();
  CHECK(echoed.standard_output == odd);
  const auto variable = run_program(*host, {.argv = {"sh", "-c", "printf %s \"$ODD\""}, .environment = {{"ODD", odd}}}, 20s).value();
  CHECK(variable.standard_output == odd);
  CHECK(run_program(*host, {.argv = {"cat"}, .input = bytes}, 20s).value().standard_output == bytes);
}

TEST_CASE("a large file arrives whole, one that is too large is refused") {
  const TemporaryFolder folder;
  const auto host = connect();
  std::ofstream(folder.file("large")) << std::string(kMaxFileSize, 'x');
  CHECK(host->read_file(folder.file("large")).value().size() == kMaxFileSize);
  std::ofstream(folder.file("large"), std::ios::app) << "x";
  CHECK(host->read_file(folder.file("large")).error().code == ErrorCode::unsupported);
}

TEST_CASE("a program runs on the CPUs that it was given, or not at all") {
  const auto host = connect();
  const auto finished = run_program(*host, {.argv = {"grep", "Cpus_allowed_list", "/proc/self/status"}, .cpus = {0}}, 20s).value();
  CHECK(finished.standard_output == "Cpus_allowed_list:\t0\n");
  CHECK(host->start({.argv = {"true"}, .cpus = {0, 4000}}).error().code == ErrorCode::unsupported);
}

TEST_CASE("a memory policy is refused over ssh, before anything is started there") {
  const auto process = connect()->start({.argv = {"true"}, .memory = {runners::MemoryPolicy::Mode::local, {}}});
  REQUIRE(!process);
  CHECK(process.error().code == ErrorCode::unsupported);
  CHECK(process.error().subject == runners::kMemoryPolicy);
}

TEST_CASE("a program that is missing there is named with the machine") {
  const TemporaryFolder folder;
  const auto host = connect();
  const auto missing = host->start({.argv = {"dnsperf-of-tomorrow"}});
  REQUIRE(!missing);
  CHECK(missing.error().code == ErrorCode::not_found);
  CHECK(missing.error().text == "no such program on root@" + server().address() + ": install it there");
  CHECK(host->start({.argv = {"dnsperf-of-tomorrow"}, .environment = {{"A", "b"}}}).error().code == ErrorCode::not_found);
  CHECK(host->start({.argv = {folder.file("none")}}).error().code == ErrorCode::not_found);
  std::ofstream(folder.file("script")) << "#!/bin/sh\n";
  CHECK(host->start({.argv = {folder.file("script")}}).error().code == ErrorCode::permission_denied);
}

TEST_CASE("the end of a process ends its children there") {
  const auto host = connect();
  SECTION("by its destruction") {
    Family family(*host);
    CHECK(family.process->watched_pid() != family.process->pid());
    family.process.reset();
    await([&] { return !family.runs(); });
  }
  SECTION("by a signal to it") {
    Family family(*host);
    REQUIRE(family.process->signal(SIGINT));
    CHECK(to_text(family.process->wait(20s).value()) == "signal 2");
    await([&] { return !family.runs(); });
  }
  SECTION("by its own end") {
    const auto process = host->start({.argv = {"sh", "-c", "sleep 1000 & echo $!"}}).value();
    REQUIRE(process->wait(20s).value().ok());
    const auto child = identify(std::stoi(process->standard_output()));
    await([&] { return !child || !is_running(*child); });
  }
}

TEST_CASE("the end of the host ends what runs there, and leaves nothing behind") {
  const auto before = remote_notes();
  auto host = connect();
  const auto notes = new_notes(before);
  REQUIRE(!notes.empty());
  Family family(*host);
  Family another(*host);
  // As a lost connection does it: the ssh clients here go first.
  auto process = std::move(family.process), other = std::move(another.process);
  process.reset();
  other.reset();
  host.reset();
  await([&] { return !family.runs() && !another.runs() && !any_is_left(notes); });
}

TEST_CASE("when netsettle is killed, what it started on the other side ends") {
  const auto here = make_local_host();
  const auto destination = server().destination();
  const auto before = remote_notes();
  const TemporaryFolder folder;  // a killed process cannot remove its control socket
  const auto victim = here->start({.argv = {NETSETTLE_SSH_VICTIM, destination.name, destination.arguments.at(1)},
                                   .environment = {{"TMPDIR", folder.path().string()}}})
                          .value();
  await([&] { return victim->standard_output().ends_with('\n') || victim->wait(0ms); });
  int parent_pid = 0, child_pid = 0;
  std::istringstream(victim->standard_output()) >> parent_pid >> child_pid;
  const auto parent = identify(parent_pid), child = identify(child_pid);
  REQUIRE((parent && child));
  CHECK(is_running(*child));
  const auto notes = new_notes(before);
  CHECK(!notes.empty());
  REQUIRE(victim->signal(SIGKILL));
  REQUIRE(victim->wait(20s));
  await([&] { return !is_running(*parent) && !is_running(*child) && !any_is_left(notes); });
}

TEST_CASE("a connection that breaks is told as such, and ends what runs there") {
  SshServer broken;
  const auto host = make_ssh_host(broken.destination()).value();
  Family family(*host);
  // The server's own processes, as an administrator who ends sessions: the listener and those of the connection.
  const auto here = make_local_host();
  const auto pids = run_checked(*here, {"ip", "netns", "pids", broken.space().name()}).value();
  std::istringstream words(pids);
  for (int pid = 0; words >> pid;)
    if (read_whole_file(fmt::format("/proc/{}/comm", pid)).value_or("") == "sshd\n") ::kill(pid, SIGKILL);
  const auto status = family.process->wait(60s);
  REQUIRE(status);
  CHECK(to_text(*status) == "no exit status");
  await([&] { return !family.runs(); });
  const auto text = host->read_file("/proc/version");
  REQUIRE(!text);
  CHECK(text.error().code == ErrorCode::io);
  CHECK(text.error().subject == "ssh root@" + broken.address());
  CHECK(host->start({.argv = {"true"}}).error().code == ErrorCode::io);
}

TEST_CASE("a machine that cannot be connected to is told with what to do") {
  SECTION("no server at that port") {
    const auto host = make_ssh_host(server().destination_with("Port 9\n"));
    REQUIRE(!host);
    CHECK(host.error().code == ErrorCode::io);
    CHECK(host.error().text.find("is sshd running") != std::string::npos);
  }
  SECTION("a key that is not accepted") {
    const auto host = make_ssh_host(server().destination_with("IdentityFile " + server().foreign_key() +
                                                              "\nIdentitiesOnly yes\nCertificateFile none\n"
                                                              "PubkeyAuthentication no\n"));
    REQUIRE(!host);
    CHECK(host.error().code == ErrorCode::permission_denied);
    CHECK(host.error().text.find("ssh-copy-id") != std::string::npos);
  }
  SECTION("a host key that is not known") {
    const auto host = make_ssh_host(server().destination_with("UserKnownHostsFile /dev/null\n"));
    REQUIRE(!host);
    CHECK(host.error().code == ErrorCode::refused);
    CHECK(host.error().text.find("connect once by hand") != std::string::npos);
  }
  SECTION("a name that does not exist") {
    const auto host = make_ssh_host({"root@no-such-machine.invalid", {}});
    REQUIRE(!host);
    CHECK(host.error().code == ErrorCode::not_found);
  }
  SECTION("a name that is an option") { CHECK(make_ssh_host({"-oProxyCommand=true", {}}).error().code == ErrorCode::invalid_input); }
}

TEST_CASE("an account that cannot be used is told with the reason") {
  SECTION("its shell prints a text of its own") {
    const SshServer chatty("ForceCommand echo Welcome; eval \"$SSH_ORIGINAL_COMMAND\"\n");
    const auto host = make_ssh_host(chatty.destination());
    REQUIRE(!host);
    CHECK(host.error().code == ErrorCode::refused);
    CHECK(host.error().text.find("'Welcome'") != std::string::npos);
  }
  SECTION("programs are missing there") {
    const SshServer bare("SetEnv PATH=/nonexistent SHLVL=2\n");
    const auto host = make_ssh_host(bare.destination());
    REQUIRE(!host);
    CHECK(host.error().code == ErrorCode::unsupported);
    CHECK(host.error().text.find("setsid") != std::string::npos);
  }
  SECTION("it allows too few sessions on a connection") {
    const SshServer narrow("MaxSessions 1\n");
    const auto host = make_ssh_host(narrow.destination()).value();
    const auto text = host->read_file("/proc/version");
    REQUIRE(!text);
    CHECK(text.error().code == ErrorCode::busy);
  }
}

TEST_CASE("a datagram is sent from the other side, and its answer comes back") {
  const auto host = connect();
  // A socket of this machine, asked from the server's namespace.
  const Descriptor socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  sockaddr_in own{};
  own.sin_family = AF_INET;
  ::inet_pton(AF_INET, server().own_address().c_str(), &own.sin_addr);
  REQUIRE(::bind(socket.get(), reinterpret_cast<const sockaddr*>(&own), sizeof own) == 0);
  socklen_t size = sizeof own;
  ::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&own), &size);
  const int port = ntohs(own.sin_port);
  std::string question("a\0\n\xff b", 6);
  std::string sender;
  std::jthread answerer([&] {
    char block[100];
    sockaddr_in from{};
    socklen_t from_size = sizeof from;
    const ssize_t count = ::recvfrom(socket.get(), block, sizeof block, 0, reinterpret_cast<sockaddr*>(&from), &from_size);
    char text[INET_ADDRSTRLEN] = "";
    sender = ::inet_ntop(AF_INET, &from.sin_addr, text, sizeof text);
    ::sendto(socket.get(), block, static_cast<std::size_t>(count), 0, reinterpret_cast<const sockaddr*>(&from), from_size);
  });
  const auto answer = host->exchange_datagram(server().own_address(), port, question, 20s);
  answerer.join();
  CHECK(answer.value() == question);
  CHECK(sender == server().address());
  CHECK(host->exchange_datagram(server().own_address(), port, "x", 50ms).error().code == ErrorCode::timed_out);
  CHECK(host->exchange_datagram("$(reboot)", port, "x", 50ms).error().code == ErrorCode::invalid_input);
}
