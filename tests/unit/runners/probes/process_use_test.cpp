#include "runners/probes/process_use.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "runners/hosts/local_host.hpp"
#include "tests/support/fake_host.hpp"

namespace netsettle::runners {
namespace {

using tests::FakeHost;

/// A process with its name, parent and the ticks of itself and of children that it waited for.
void add_process(FakeHost& host, int pid, int parent, int ticks, const std::string& name = "server") {
  host.add_file(fmt::format("/proc/{}/stat", pid),
                fmt::format("{} ({}) S {} 1 1 0 -1 0 0 0 0 0 {} {} {} {} 20 0 1 0 5 0 0\n", pid, name, parent, ticks, 1, 2, 3));
}

void add_task(FakeHost& host, int pid, int task, const std::string& cpus, int voluntary = 10, int involuntary = 1) {
  host.add_file(fmt::format("/proc/{}/task/{}/status", pid, task),
                fmt::format("Name:\tworker\nCpus_allowed:\tff\nCpus_allowed_list:\t{}\nvoluntary_ctxt_switches:\t{}\n"
                            "nonvoluntary_ctxt_switches:\t{}\n",
                            cpus, voluntary, involuntary));
}

FakeHost family() {
  FakeHost host;
  add_process(host, 100, 1, 50, "a (b) c");
  add_process(host, 101, 100, 20);
  add_process(host, 50, 101, 10);  // a grandchild whose number is lower
  add_process(host, 102, 1, 999);
  add_task(host, 100, 100, "0-1");
  add_task(host, 100, 110, "0-1");
  add_task(host, 101, 101, "1");
  add_task(host, 50, 50, "0-3");
  add_task(host, 102, 102, "3");
  return host;
}

TEST_CASE("use is of the process, its threads and all processes below it") {
  FakeHost host = family();
  const auto use = read_process_use(host, 100, {});
  REQUIRE(use);
  CHECK(use->cpu_seconds == Approx(0.01 * (50 + 20 + 10 + 3 * 6)));
  CHECK(use->tasks == 4);
  CHECK(use->voluntary_switches == 40);
  CHECK(use->involuntary_switches == 4);
  CHECK(use->strays.empty());
}

TEST_CASE("where the kernel lists the children of each thread, no other process is looked at") {
  FakeHost host = family();
  host.add_file("/proc/100/task/100/children", "");
  host.add_file("/proc/100/task/110/children", "101 7 \n");  // 7 has ended meanwhile
  host.add_file("/proc/101/task/101/children", "50 ");
  host.add_file("/proc/50/task/50/children", "");
  const auto use = read_process_use(host, 100, {});
  REQUIRE(use);
  CHECK(use->cpu_seconds == Approx(0.01 * (50 + 20 + 10 + 3 * 6)));
  CHECK(use->tasks == 4);
  CHECK(std::ranges::none_of(host.log().operations(), [](const tests::Operation& operation) {
    return operation.subject == "/proc" || operation.subject.starts_with("/proc/102/");
  }));
}

TEST_CASE("a task that may run on other CPUs than it was given is a stray") {
  FakeHost host = family();
  CHECK(read_process_use(host, 100, {0, 1, 2}).value().strays == std::vector<std::string>{"thread 50 (worker) may run on 0-3"});
  CHECK(read_process_use(host, 100, {0, 1, 2, 3}).value().strays.empty());
}

TEST_CASE("a process that is not there has no use") {
  FakeHost host = family();
  CHECK(read_process_use(host, 7, {}).error().code == ErrorCode::not_found);
  FakeHost odd;
  odd.add_file("/proc/7/stat", "7 (x S 1\n");
  CHECK_FALSE(read_process_use(odd, 7, {}));
}

TEST_CASE("what was used between two readings is never negative, and strays of either remain") {
  const ProcessUse before{.cpu_seconds = 2, .voluntary_switches = 10, .involuntary_switches = 5, .tasks = 3, .strays = {"a", "b"}};
  const ProcessUse after{.cpu_seconds = 5, .voluntary_switches = 30, .involuntary_switches = 4, .tasks = 2, .strays = {"b", "c"}};
  const ProcessUse use = use_between(before, after);
  CHECK(use.cpu_seconds == 3);
  CHECK(use.voluntary_switches == 20);
  CHECK(use.involuntary_switches == 0);
  CHECK(use.tasks == 2);
  CHECK(use.strays == std::vector<std::string>{"b", "c", "a"});
}

TEST_CASE("a real process and its child are seen with the CPUs they may use") {
  const auto host = make_local_host();
  // The shell does not become its last command: it has another one after it.
  const auto process = host->start({.argv = {"sh", "-c", "sleep 60; true"}, .cpus = {0}});
  REQUIRE(process);
  ProcessUse use;
  for (int attempt = 0; attempt < 500 && use.tasks != 2; ++attempt) {
    host->clock().sleep(std::chrono::milliseconds(10));
    use = read_process_use(*host, (*process)->pid(), {1}).value();
  }
  CHECK(use.tasks == 2);
  REQUIRE(use.strays.size() == 2);
  CHECK(use.strays.front().ends_with("may run on 0"));
  CHECK(read_process_use(*host, (*process)->pid(), {0}).value().strays.empty());
}

}  // namespace
}  // namespace netsettle::runners
