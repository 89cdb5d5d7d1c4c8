#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "runners/probes/counters.hpp"

namespace netsettle::runners {
namespace {

using Texts = std::map<std::string, std::string>;

CounterDeltas between(Texts before, Texts after, Microseconds elapsed = std::chrono::seconds(10)) {
  return difference({.texts = std::move(before)}, {.texts = std::move(after), .at = elapsed}, AddressFamily::ipv4, {0});
}

TEST_CASE("pressure is read with and without the line of all tasks") {
  const auto both = parse_pressure("some avg10=0.00 avg60=0.00 avg300=0.00 total=5\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=3\n");
  REQUIRE(both);
  CHECK(both->some_us == 5);
  CHECK(both->full_us == 3);
  CHECK_FALSE(parse_pressure("some avg10=0.00 total=5\n").value().full_us);
  for (const char* text : {"", "full total=5\n", "some avg10=0.00\n", "some total=-1\n", "some total=5\nfull\n"})
    CHECK_FALSE(parse_pressure(text));
}

TEST_CASE("memory stalls are a share of the time between the readings") {
  const Texts before{{"pressure.memory", "some avg10=0.00 total=1000000\n"}};
  const Texts after{{"pressure.memory", "some avg10=0.00 total=3000000\n"}};
  CHECK(between(before, after).memory_stall_percent == 20);
  CHECK(between(before, after, std::chrono::seconds(1)).memory_stall_percent == 100);
  CHECK_FALSE(between(before, after, std::chrono::seconds(0)).memory_stall_percent);
  CHECK_FALSE(between(after, before).memory_stall_percent);
}

TEST_CASE("each CPU has its own idle share") {
  const CounterDeltas deltas =
      between({{"stat", "cpu  0 0 0 0 0 0 0\ncpu0 0 0 0 0 0 0 0\ncpu1 0 0 0 0 0 0 0\n"}},
              {{"stat", "cpu  50 0 0 150 0 0 0\ncpu0 50 0 0 50 0 0 0\ncpu1 0 0 0 100 0 0 0\ncpu2 9 0 0 9 0 0 0\n"}});
  CHECK(deltas.idle_percent == 75);
  CHECK(deltas.idle_by_cpu == std::map<int, double>{{0, 50}, {1, 100}});
}

TEST_CASE("network softirqs are counted by CPU, and those of CPUs that came or went are absent") {
  const CounterDeltas deltas =
      between({{"softirqs", "  CPU0 CPU1 CPU3\nNET_RX: 1 4294967295 5\n"}}, {{"softirqs", "  CPU0 CPU1 CPU2\nNET_RX: 4 1 7\n"}});
  CHECK(deltas.net_rx_by_cpu == std::map<int, std::int64_t>{{0, 3}, {1, 2}});
}

TEST_CASE("interrupts of the interface's vectors are counted by action and CPU") {
  const auto interrupts = [](int first, int second, const char* name) {
    return fmt::format(
        "  CPU0 CPU1\n 38: {} 0  PCI-MSI 1-edge      eth0-rx-0\n 39: 0 {}  PCI-MSI 2-edge      {}\n 40: 1 1  X 3-edge      nvme0q1\n",
        first, second, name);
  };
  const auto deltas = [&](const char* name_after) {
    return between({{"interrupts", interrupts(5, 6, "eth0-rx-1")}, {"vectors.server", "38 39\n"}},
                   {{"interrupts", interrupts(7, 9, name_after)}})
        .queue_interrupts;
  };
  const auto counted = deltas("eth0-rx-1");
  REQUIRE(counted.size() == 2);
  CHECK(counted.at("eth0-rx-0") == std::map<int, std::int64_t>{{0, 2}, {1, 0}});
  CHECK(counted.at("eth0-rx-1") == std::map<int, std::int64_t>{{0, 0}, {1, 3}});
  CHECK(deltas("eth7-rx-1").size() == 1);
  CHECK(between({{"interrupts", interrupts(5, 6, "a")}}, {{"interrupts", interrupts(5, 6, "a")}}).queue_interrupts.empty());
}

TEST_CASE("throttling is counted once for each core, and once for all CPUs of a package") {
  const CounterDeltas deltas = between({{"throttle", "cpu0.core 1\ncpu0.package 4\ncpu1.core 0\ncpu1.package 4\n"}},
                                       {{"throttle", "cpu0.core 3\ncpu0.package 9\ncpu1.core 1\ncpu1.package 9\n"}});
  CHECK(deltas.throttles == 8);
  CHECK_FALSE(between({}, {}).throttles);
}

TEST_CASE("the frequency is the mean of the CPUs at the end") {
  CHECK(between({}, {{"cpufreq", "cpu0 2000000\ncpu1 3000000\n"}}).cpu_mhz == 2500);
  CHECK_FALSE(between({{"cpufreq", "cpu0 2000000\n"}}, {}).cpu_mhz);
  CHECK_FALSE(between({}, {{"cpufreq", "cpu0 fast\n"}}).cpu_mhz);
}

TEST_CASE("flow limit drops are absent where the kernel has no such column") {
  const auto line = [](int columns, const char* limited) {
    std::string text = "00000000";
    for (int column = 1; column < columns; ++column) text += std::string(" ") + (column == 10 ? limited : "00000000");
    return text + "\n";
  };
  CHECK(between({{"softnet", line(11, "00000001")}}, {{"softnet", line(11, "00000004")}}).flow_limit_drops == 3);
  CHECK_FALSE(between({{"softnet", line(10, "")}}, {{"softnet", line(10, "")}}).flow_limit_drops);
}

}  // namespace
}  // namespace netsettle::runners
