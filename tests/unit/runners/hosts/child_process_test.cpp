#include "runners/hosts/child_process.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <thread>

#include <catch2/catch.hpp>

#include "runners/hosts/files.hpp"
#include "runners/hosts/local_host.hpp"
#include "runners/hosts/spawn.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace netsettle;
using namespace netsettle::runners;
using netsettle::tests::TemporaryFolder;
using namespace std::chrono_literals;

namespace {

std::string output_of(const ProcessSpec& spec) {
  const auto host = make_local_host();
  const auto finished = run_program(*host, spec, 20s);
  REQUIRE(finished);
  CHECK(finished->standard_error == "");
  return finished->standard_output;
}

bool exists(pid_t pid) {
  const auto stat = read_whole_file(fmt::format("/proc/{}/stat", pid));
  return stat && stat->find(") Z ") == std::string::npos;
}

/// Waits for what must come; the end of the test's own time limit is the failure.
template <typename Condition>
void await(Condition condition) {
  while (!condition()) std::this_thread::sleep_for(2ms);
}

}  // namespace

TEST_CASE("a child has its three streams and no other descriptor") {
  const Descriptor leaky(::open("/dev/null", O_RDONLY));  // without O_CLOEXEC, as a library might
  const std::string listing = output_of({.argv = {"ls", "-1", "/proc/self/fd"}});
  CHECK(listing == "0\n1\n2\n3\n");  // 3 is ls's own
}

TEST_CASE("a child starts with no signal blocked or ignored") {
  std::signal(SIGPIPE, SIG_IGN);
  const std::string status = output_of({.argv = {"cat", "/proc/self/status"}});
  std::signal(SIGPIPE, SIG_DFL);
  CHECK(status.find("SigBlk:\t0000000000000000") != std::string::npos);
  CHECK(status.find("SigIgn:\t0000000000000000") != std::string::npos);
}

TEST_CASE("a child runs on exactly the CPUs asked for") {
  const std::string status = output_of({.argv = {"cat", "/proc/self/status"}, .cpus = {0}});
  CHECK(status.find("Cpus_allowed_list:\t0\n") != std::string::npos);
}

TEST_CASE("CPUs that the kernel would silently leave out are an error") {
  const auto host = make_local_host();
  const auto process = host->start({.argv = {"true"}, .cpus = {0, 4000}});
  REQUIRE(!process);
  CHECK(process.error().code == ErrorCode::unsupported);
  CHECK(process.error().text.find("0,4000") != std::string::npos);
  CHECK(!host->start({.argv = {"true"}, .cpus = {4000}}));
}

TEST_CASE("a child has the memory policy asked for, and its own children inherit it") {
  using Mode = MemoryPolicy::Mode;
  // Where the kernel has no NUMA, or a container forbids the system call, there is nothing but the refusal to see.
  const auto policy_of = [](const MemoryPolicy& memory) {
    const auto finished = run_program(*make_local_host(), {.argv = {"sh", "-c", "cat /proc/self/numa_maps; true"}, .memory = memory},
                                      std::chrono::seconds(10));
    if (!finished)
      return finished.error().subject == kMemoryPolicy && finished.error().errno_value != 0 ? std::string("refused") : "failed";
    const auto stack = finished->standard_output.find(" stack ");
    const auto begin = finished->standard_output.rfind('\n', stack) + 1;
    const std::string line = finished->standard_output.substr(begin, stack - begin);
    return line.substr(line.find(' ') + 1);
  };
  const auto is = [&](const MemoryPolicy& memory, const std::string& text) {
    const std::string found = policy_of(memory);
    INFO(found);
    CHECK((found == text || found == "refused"));
  };
  is({Mode::standard, {}}, "default");
  is({Mode::local, {}}, "local");
  is({Mode::bind, {0}}, "bind:0");
  is({Mode::interleave, {0}}, "interleave:0");
}

TEST_CASE("a memory policy with nodes that are not there is refused, and the program does not run") {
  const TemporaryFolder folder;
  const auto process = make_local_host()->start({.argv = {"touch", folder.file("ran")}, .memory = {MemoryPolicy::Mode::bind, {900}}});
  REQUIRE(!process);
  CHECK(process.error().subject == kMemoryPolicy);
  CHECK(process.error().errno_value != 0);
  CHECK_FALSE(std::filesystem::exists(folder.file("ran")));
  const auto too_large = make_local_host()->start({.argv = {"true"}, .memory = {MemoryPolicy::Mode::bind, {1024}}});
  REQUIRE(!too_large);
  CHECK(too_large.error().code == ErrorCode::invalid_input);
}

TEST_CASE("the environment is the inherited one with additions") {
  ::setenv("NETSETTLE_TEST_INHERITED", "a", 1);
  ::setenv("NETSETTLE_TEST_CHANGED", "a", 1);
  const std::string environment =
      output_of({.argv = {"env"}, .environment = {{"NETSETTLE_TEST_CHANGED", "b"}, {"NETSETTLE_TEST_ADDED", "c"}}});
  CHECK(environment.find("NETSETTLE_TEST_INHERITED=a\n") != std::string::npos);
  CHECK(environment.find("NETSETTLE_TEST_CHANGED=b\n") != std::string::npos);
  CHECK(environment.find("NETSETTLE_TEST_CHANGED=a\n") == std::string::npos);
  CHECK(environment.find("NETSETTLE_TEST_ADDED=c\n") != std::string::npos);
}

TEST_CASE("a file that cannot be executed is permission_denied, a script without interpreter not_found") {
  const TemporaryFolder folder;
  std::ofstream(folder.file("plain")) << "x";
  std::ofstream(folder.file("script")) << "#!/no/such/interpreter\n";
  std::filesystem::permissions(folder.file("script"), std::filesystem::perms::owner_all);
  const auto host = make_local_host();
  CHECK(host->start({.argv = {folder.file("plain")}}).error().code == ErrorCode::permission_denied);
  CHECK(host->start({.argv = {folder.file("script")}}).error().code == ErrorCode::not_found);
  CHECK(host->start({.argv = {"plain"}, .environment = {{"PATH", folder.path().string()}}}).error().code == ErrorCode::permission_denied);
}

TEST_CASE("large output on both streams does not block the child") {
  const auto host = make_local_host();
  const auto finished = run_program(*host, {.argv = {"sh", "-c", "head -c 3000000 /dev/zero >&2; head -c 3000000 /dev/zero"}}, 60s);
  REQUIRE(finished);
  CHECK(finished->standard_output.size() == 3'000'000);
  CHECK(finished->standard_error.size() == 3'000'000);
}

TEST_CASE("a child that does not read its input ends all the same") {
  const auto host = make_local_host();
  const auto finished = run_program(*host, {.argv = {"true"}, .input = std::string(1'000'000, 'x')}, 20s);
  REQUIRE(finished);
  CHECK(finished->status.ok());
}

TEST_CASE("the whole process group ends with its process object") {
  const auto host = make_local_host();
  pid_t grandchild = 0;
  {
    const auto process = host->start({.argv = {"sh", "-c", "sleep 1000 & echo $!; wait"}}).value();
    await([&] { return process->standard_output().ends_with('\n'); });
    grandchild = std::stoi(process->standard_output());
    CHECK(exists(grandchild));
  }
  await([&] { return !exists(grandchild); });
}

TEST_CASE("what a process leaves behind neither holds up the wait nor survives it") {
  const auto host = make_local_host();
  const auto finished = run_program(*host, {.argv = {"sh", "-c", "sleep 1000 & echo $!"}}, 20s);
  REQUIRE(finished);
  await([&] { return !exists(std::stoi(finished->standard_output)); });
}

TEST_CASE("a child dies when the process that started it is killed") {
  const TemporaryFolder folder;
  const pid_t parent = ::fork();
  if (parent == 0) {
    const auto host = make_local_host();
    const auto process = host->start({.argv = {"sleep", "1000"}});
    std::ofstream(folder.file("pid.part")) << (process ? (*process)->pid() : -1);
    std::filesystem::rename(folder.file("pid.part"), folder.file("pid"));
    for (;;) ::pause();
  }
  await([&] { return std::filesystem::exists(folder.file("pid")); });
  pid_t child = 0;
  std::ifstream(folder.file("pid")) >> child;
  REQUIRE(child > 0);
  CHECK(exists(child));
  ::kill(parent, SIGKILL);
  ::waitpid(parent, nullptr, 0);
  await([&] { return !exists(child); });
}

TEST_CASE("a child lives on when the thread that asked for it ends") {
  const auto host = make_local_host();
  std::unique_ptr<Process> process;
  std::thread([&] { process = host->start({.argv = {"sleep", "1000"}}).value(); }).join();
  CHECK(!process->wait(20ms));
}

TEST_CASE("descriptors can be handed to a program in a session of its own") {
  const TemporaryFolder folder;
  std::ofstream(folder.file("text")) << "handed on";
  const Descriptor text(::open(folder.file("text").c_str(), O_RDONLY | O_CLOEXEC));
  const Descriptor output(::open(folder.file("output").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  const Descriptor nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
  SpawnPlan plan;
  plan.argv = {"sh", "-c", "cat <&3; cut -d' ' -f6 /proc/$$/stat"};
  plan.standard[0] = plan.standard[2] = nothing.get();
  plan.standard[1] = output.get();
  plan.inherited = {text.get()};
  plan.kinship = Kinship::own_session;
  const auto spawned = spawn(plan);
  REQUIRE(spawned);
  ::waitpid(spawned->pid, nullptr, 0);
  CHECK(read_whole_file(folder.file("output")).value() == fmt::format("handed on{}\n", spawned->pid));
}
