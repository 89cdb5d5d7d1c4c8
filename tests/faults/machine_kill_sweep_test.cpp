// The same on what this machine may not have, or must not change: interrupts of a card, its channels, times and features, the machine's
// table of flows, frequencies and idle states. They are plain files mounted over /sys and parts of /proc, in a mount namespace of this
// program's own, and a script in ethtool's place, whose card forgets what is said of its queues. Processes, kills, journal and guard are
// real.

#include "tests/faults/kill_sweep.hpp"

#include <sched.h>
#include <sys/mount.h>

#include <filesystem>
#include <fstream>

using namespace netsettle;
using namespace netsettle::runners;

namespace {

constexpr const char* kEthtool = R"script(#!/bin/sh
card=/sys/card
case $1 in
-k) printf 'Features for %s:\ngeneric-receive-offload: %s\n' "$2" "$(cat $card/gro)" ;;
-K) echo "$4" >$card/gro ;;
-c) printf 'Coalesce parameters for %s:\nAdaptive RX: off  TX: n/a\n\nrx-usecs:\t%s\n' "$2" "$(cat $card/usecs)" ;;
-C) echo "$4" >$card/usecs ;;
-l) printf 'Pre-set maximums:\nCombined:\t3\nCurrent hardware settings:\nCombined:\t%s\n' "$(cat $card/channels)" ;;
-L) echo "$4" >$card/channels
  for queue in 0 1 2; do
    folder=/sys/class/net/nic0/queues
    if [ $queue -ge "$4" ]; then rm -rf $folder/rx-$queue $folder/tx-$queue; continue; fi
    [ -d $folder/rx-$queue ] || { mkdir $folder/rx-$queue $folder/tx-$queue; echo 0 >$folder/rx-$queue/rps_cpus; echo 0 >$folder/rx-$queue/rps_flow_cnt; }
    echo $((1 << queue)) >$folder/tx-$queue/xps_cpus
    echo 0-1 >/proc/irq/$((41 + queue))/smp_affinity_list
  done ;;
*) echo "Cannot get RX ring count: Operation not supported" >&2; exit 1 ;;
esac
)script";

class Machine {
 public:
  Machine() {
    add_card();
    for (int cpu = 0; cpu < 2; ++cpu) {
      const std::string folder = "sys/devices/system/cpu/";
      add(fmt::format("{}cpufreq/policy{}/scaling_governor", folder, cpu), "powersave");
      add(fmt::format("{}cpufreq/policy{}/scaling_available_governors", folder, cpu), "performance powersave");
      for (int state = 0; state < 2; ++state) add(fmt::format("{}cpu{}/cpuidle/state{}/disable", folder, cpu, state), "0");
      add(fmt::format("{}cpu{}/power/pm_qos_resume_latency_us", folder, cpu), "0");
    }
    add("sys/devices/system/cpu/online", "0-1");
    add("sys/devices/system/node/node0/cpulist", "0-1");
    add("flows", "0");
    mount_over();
  }

  std::map<std::string, std::string> contents() const {
    std::map<std::string, std::string> contents;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(scene_.file("machine")))
      if (entry.is_regular_file()) contents[entry.path()] = make_local_host()->read_file(entry.path()).value();
    return contents;
  }
  Finished run_victim(std::size_t n, tests::Death death) const { return scene_.run_victim("-", "nic0", n, death); }
  GuardPaths paths() const { return scene_.paths(); }

 private:
  void add(const std::string& name, const std::string& text) const {
    const std::filesystem::path path = scene_.file("machine/" + name);
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text << "\n";
  }

  void add_card() const {
    const std::string device = "sys/devices/pci0000:80/0000:81:00.0/", card = "sys/class/net/nic0/";
    for (const auto& [name, text] : {std::pair("gro", "off"), std::pair("usecs", "3"), std::pair("channels", "3")})
      add(std::string("sys/card/") + name, text);
    add(device + "numa_node", "0");
    add("interrupts", "            CPU0       CPU1");
    for (int queue = 0; queue < 3; ++queue) {
      add(fmt::format("{}msi_irqs/{}", device, 41 + queue), "msix");
      add(fmt::format("irq/{}/smp_affinity_list", 41 + queue), fmt::format("{}", queue % 2));
      add(fmt::format("{}queues/rx-{}/rps_cpus", card, queue), fmt::format("{}", 1 + queue % 2));
      add(fmt::format("{}queues/rx-{}/rps_flow_cnt", card, queue), fmt::format("{}", 64 << queue));
      add(fmt::format("{}queues/tx-{}/xps_cpus", card, queue), "3");
      std::ofstream(scene_.file("machine/interrupts"), std::ios::app)
          << fmt::format(" {}: 0 0   PCI-MSIX-0000:81:00.0   {}-edge      nic0-TxRx-{}\n", 41 + queue, queue, queue);
    }
    std::filesystem::create_directory_symlink("/" + device, scene_.file("machine/" + card + "device"));
  }

  void mount_over() const {
    REQUIRE(::unshare(CLONE_NEWNS) == 0);
    REQUIRE(::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0);
    for (const auto& [name, place] :
         {std::pair("machine/sys", "/sys"), std::pair("machine/irq", "/proc/irq"), std::pair("machine/interrupts", "/proc/interrupts"),
          std::pair("machine/flows", "/proc/sys/net/core/rps_sock_flow_entries")})
      REQUIRE(::mount(scene_.file(name).c_str(), place, nullptr, MS_BIND, nullptr) == 0);
    const std::string programs = scene_.file("bin");
    std::filesystem::create_directory(programs);
    std::ofstream(programs + "/ethtool") << kEthtool;
    std::filesystem::permissions(programs + "/ethtool", std::filesystem::perms::owner_all);
    ::setenv("PATH", (programs + ":" + std::getenv("PATH")).c_str(), 1);
  }

  tests::Scene scene_;
};

}  // namespace

TEST_CASE("a netsettle killed at any operation leaves interrupts, channels, flows and CPUs as it found them") {
  Machine machine;
  CHECK(tests::sweep("kill sweep, card and CPUs", machine, 11) > 40);
}
