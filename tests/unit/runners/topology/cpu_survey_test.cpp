#include "runners/topology/cpu_survey.hpp"

#include <catch2/catch.hpp>

#include "tests/support/fake_host.hpp"

using namespace netsettle;
using namespace netsettle::runners;
using tests::FakeHost;

namespace {

FakeHost with_cpus(const std::string& online) {
  FakeHost host;
  host.add_file("/sys/devices/system/cpu/online", online + "\n");
  return host;
}

std::string allowed(FakeHost& host) { return to_cpu_list(read_cpu_survey(host).value().allowed); }

}  // namespace

TEST_CASE("allowed are the CPUs on line, of the control group and of the own mask, but for isolated ones") {
  FakeHost host = with_cpus("0-7");
  CHECK(allowed(host) == "0-7");
  host.add_file("/sys/devices/system/cpu/isolated", "7\n");
  CHECK(allowed(host) == "0-6");
  host.add_file("/proc/self/status", "Cpus_allowed:\tfe\n");
  CHECK(allowed(host) == "1-6");
  host.add_file("/proc/self/status", "Cpus_allowed:\tff\nCpus_allowed_list:\t2-7\n");
  CHECK(allowed(host) == "2-6");
  host.add_file("/proc/self/cgroup", "0::/a.slice\n");
  host.add_file("/sys/fs/cgroup/a.slice/cpuset.cpus.effective", "0-5\n");
  CHECK(allowed(host) == "2-5");
}

TEST_CASE("what is missing or says nothing is absent, an empty list is empty") {
  FakeHost host = with_cpus("0-1");
  host.add_file("/sys/devices/system/cpu/nohz_full", "  (null)\n");
  host.add_file("/sys/devices/system/cpu/isolated", "\n");
  const CpuSurvey survey = read_cpu_survey(host).value();
  CHECK(!survey.nohz_full);
  CHECK(!survey.possible);
  CHECK(!survey.cpuset);
  CHECK(!survey.affinity);
  CHECK(survey.isolated == CpuSet{});
}

TEST_CASE("without the list of CPUs on line there is no survey") {
  FakeHost host;
  CHECK(read_cpu_survey(host).error().code == ErrorCode::not_found);
}

TEST_CASE("a lone CPU in a list is that CPU") {
  FakeHost host = with_cpus("5");
  CHECK(read_cpu_survey(host).value().online == CpuSet{5});
}

TEST_CASE("the cpuset of control groups, version 2") {
  FakeHost host;
  CHECK(!read_cpuset(host));
  host.add_file("/proc/self/cgroup", "0::/machine.slice/bench.scope\n");
  CHECK(!read_cpuset(host));
  host.add_file("/sys/fs/cgroup/cpuset.cpus.effective", "0-7\n");
  CHECK(read_cpuset(host) == CpuSet{0, 1, 2, 3, 4, 5, 6, 7});
  SECTION("the nearest group that says it counts") {
    host.add_file("/sys/fs/cgroup/machine.slice/cpuset.cpus.effective", "4-7\n");
    CHECK(read_cpuset(host) == CpuSet{4, 5, 6, 7});
    host.add_file("/sys/fs/cgroup/machine.slice/bench.scope/cpuset.cpus.effective", "6\n");
    CHECK(read_cpuset(host) == CpuSet{6});
  }
  SECTION("the hierarchy is where it is mounted") {
    host.add_file("/proc/self/mountinfo",
                  "24 1 0:21 / /proc rw - proc proc rw\n25 1 0:22 / /sys/fs/cgroup/unified rw,nosuid shared:9 - cgroup2 cgroup2 rw\n");
    host.add_file("/sys/fs/cgroup/unified/machine.slice/bench.scope/cpuset.cpus.effective", "1\n");
    CHECK(read_cpuset(host) == CpuSet{1});
  }
  SECTION("a mount that shows a group below the root has the rest of the path") {
    host.add_file("/proc/self/mountinfo", "25 1 0:22 /machine.slice /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
    host.add_file("/sys/fs/cgroup/bench.scope/cpuset.cpus.effective", "2-3\n");
    CHECK(read_cpuset(host) == CpuSet{2, 3});
  }
}

TEST_CASE("the cpuset of control groups, version 1") {
  FakeHost host;
  host.add_file("/proc/self/cgroup", "5:memory:/m\n4:cpuset:/docker/abc\n3:cpu,cpuacct:/c\n0::/unified\n");
  host.add_file("/sys/fs/cgroup/cpuset.cpus.effective", "0-7\n");
  host.add_file("/sys/fs/cgroup/cpuset/docker/abc/cpuset.cpus", "2-3\n");
  CHECK(read_cpuset(host) == CpuSet{2, 3});
  host.add_file("/sys/fs/cgroup/cpuset/docker/abc/cpuset.effective_cpus", "3\n");
  CHECK(read_cpuset(host) == CpuSet{3});
  host.add_file("/proc/self/mountinfo", "31 25 0:27 /docker/abc /cg/cpuset ro - cgroup cgroup rw,cpuset\n");
  host.add_file("/cg/cpuset/cpuset.cpus", "1\n");
  CHECK(read_cpuset(host) == CpuSet{1});
}

TEST_CASE("broken files of control groups say nothing") {
  for (const char* text : {"", "\n", ":", "::", "0:", "0::", "4:cpuset", "x", "0::x", "0::machine.slice", "0::/../../etc"}) {
    INFO(text);
    FakeHost host;
    host.add_file("/proc/self/cgroup", text);
    host.add_file("/proc/self/mountinfo", "1\n2 3\n - \n25 1 0:22 / /x rw -\n");
    CHECK(!read_cpuset(host));
  }
}

TEST_CASE("a node has the CPUs of its list and of its folder, and one with memory only has none") {
  FakeHost host;
  CHECK(read_nodes(host).empty());
  host.add_file("/sys/devices/system/node/online", "0-2\n");
  host.add_file("/sys/devices/system/node/node0/cpulist", "0-1\n");
  host.add_file("/sys/devices/system/node/node0/cpu2/online", "0\n");
  host.add_file("/sys/devices/system/node/node1/cpulist", "5\n");
  host.add_file("/sys/devices/system/node/node2/cpulist", "\n");
  const std::map<int, CpuSet> expected = {{0, {0, 1, 2}}, {1, {5}}, {2, {}}};
  CHECK(read_nodes(host) == expected);
}
