// apply.sh and revert.sh on the settings of an interface: on a veth with four queues, and on the interrupts of captured machines, which a
// private mount namespace shows in place of this one's.

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "tests/unit/tuner/bundle/sample.hpp"
#include "tuner/bundle/bundle.hpp"

using namespace netsettle;
using namespace netsettle::tuner;
using Catch::Matchers::Contains;
namespace fs = std::filesystem;

namespace {

struct Run {
  int exit_code = -1;
  std::string output;
};

Run run(const std::string& command) {
  Run result;
  std::FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
  REQUIRE(pipe != nullptr);
  char buffer[4096];
  for (std::size_t n = 0; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) result.output.append(buffer, n);
  const int status = ::pclose(pipe);
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return result;
}

/// A folder with a bundle of these settings and of no others.
class Bundle {
 public:
  explicit Bundle(std::vector<BundleSetting> settings) {
    static int counter = 0;
    name_ = fmt::format("nsdev-{}-{}", ::getpid(), ++counter);
    folder_ = fs::temp_directory_path() / name_;
    fs::create_directories(folder_);
    BundleInput input = sample_input();
    input.settings = std::move(settings);
    const auto files = render_bundle(input);
    REQUIRE(files);
    for (const auto& [name, content] : *files) std::ofstream(folder_ / name) << content;
  }
  ~Bundle() { fs::remove_all(folder_); }
  Bundle(const Bundle&) = delete;
  Bundle& operator=(const Bundle&) = delete;

  const std::string& name() const { return name_; }
  std::string file(const std::string& name) const { return (folder_ / name).string(); }
  std::string apply(const std::string& interface) const {
    return fmt::format("dash {} --lab-result --receipt {} --interface {}", file("apply.sh"), file("receipt"), interface);
  }
  std::string revert() const { return fmt::format("dash {} --receipt {}", file("revert.sh"), file("receipt")); }
  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name) << text; }

 private:
  std::string name_;
  fs::path folder_;
};

/// A namespace with the veth v0 of four queues each way.
class Veth {
 public:
  explicit Veth(std::string name) : name_(std::move(name)) {
    const Run made =
        run(fmt::format("ip netns add {0} && ip -n {0} link add v0 numrxqueues 4 numtxqueues 4 type veth peer name v1 "
                        "numrxqueues 4 numtxqueues 4",
                        name_));
    INFO(made.output);
    REQUIRE(made.exit_code == 0);
  }
  ~Veth() { run("ip netns del " + name_); }
  Veth(const Veth&) = delete;
  Veth& operator=(const Veth&) = delete;
  Run inside(const std::string& command) const { return run(fmt::format("ip netns exec {} {}", name_, command)); }
  /// Channels, features and all files of queues.
  std::string state() const {
    return inside(
               "sh -c 'ethtool -l v0; ethtool -k v0 | grep generic; cd /sys/class/net/v0 && grep . threaded queues/*/*_cpus "
               "queues/*/rps_flow_cnt'")
        .output;
  }

 private:
  std::string name_;
};

std::vector<BundleSetting> settings_of_veth(const std::string& channels) {
  return {device_setting("nic.channels.rx", {{"ethtool -l nss0 rx", channels, "1"}}),
          device_setting("nic.features.gro", {{"ethtool -k nss0 gro", "on", "off"}}), rps({"1", "1"}, "0"),
          device_setting("queues.xps.count",
                         {{"/sys/class/net/nss0/queues/tx-0/xps_cpus", "1", "0"}, {"/sys/class/net/nss0/queues/tx-1/xps_cpus", "2", "0"}})};
}

}  // namespace

TEST_CASE("channels, features and masks of a real veth are put in force and given back, all queues as they were") {
  const Bundle bundle(settings_of_veth("2"));
  const Veth veth(bundle.name());
  for (int queue = 0; queue < 4; ++queue)
    REQUIRE(veth.inside(fmt::format(
                            "sh -c 'echo 2 >/sys/class/net/v0/queues/rx-{0}/rps_cpus; echo 3 >/sys/class/net/v0/queues/tx-{0}/xps_cpus; "
                            "echo 64 >/sys/class/net/v0/queues/rx-{0}/rps_flow_cnt'",
                            queue))
                .exit_code == 0);
  const std::string before = veth.state();
  const Run applied = veth.inside(bundle.apply("v0"));
  INFO(applied.output);
  REQUIRE(applied.exit_code == 0);
  CHECK_THAT(applied.output, Contains("ethtool -l v0 rx: 4 -> 2"));
  CHECK(veth.state() != before);
  CHECK(veth.inside("ls -d /sys/class/net/v0/queues/rx-2").exit_code != 0);
  CHECK_THAT(veth.inside("cat /sys/class/net/v0/queues/rx-1/rps_cpus").output, Contains("1\n"));
  CHECK_THAT(veth.inside("cat /sys/class/net/v0/queues/tx-1/xps_cpus").output, Contains("2\n"));
  const Run again = veth.inside(bundle.apply("v0"));
  CHECK(again.exit_code == 0);
  CHECK_THAT(again.output, Contains("ethtool -l v0 rx: is 2 already"));
  const Run reverted = veth.inside(bundle.revert());
  INFO(reverted.output);
  CHECK(reverted.exit_code == 0);
  CHECK(veth.state() == before);
  CHECK_FALSE(fs::exists(bundle.file("receipt/receipt")));
}

TEST_CASE("queues that apply has made itself need not be given back") {
  const Bundle bundle(settings_of_veth("4"));
  const Veth veth(bundle.name());
  REQUIRE(veth.inside("ethtool -L v0 rx 2").exit_code == 0);
  const std::string before = veth.state();
  const Run applied = veth.inside(bundle.apply("v0"));
  INFO(applied.output);
  REQUIRE(applied.exit_code == 0);
  CHECK_THAT(veth.inside("cat /sys/class/net/v0/queues/rx-3/rps_cpus").output, Contains("1\n"));
  const Run reverted = veth.inside(bundle.revert());
  INFO(reverted.output);
  CHECK(reverted.exit_code == 0);
  CHECK(veth.state() == before);
}

TEST_CASE("a value that the card does not have stops everything beforehand") {
  const Bundle bundle({device_setting("nic.ring.rx", {{"ethtool -g nss0 rx", "4096", "512"}})});
  const Veth veth(bundle.name());
  const Run refused = veth.inside(bundle.apply("v0"));
  CHECK(refused.exit_code == 3);
  CHECK_THAT(refused.output, Contains("ethtool -g v0 rx: this card has no such value; nothing was changed"));
}

TEST_CASE("after a restart revert has nothing to give back, and apply begins a receipt of its own") {
  const Bundle bundle({rps({"1"}, "0")});
  const Veth veth(bundle.name());
  REQUIRE(veth.inside(bundle.apply("v0")).exit_code == 0);
  REQUIRE(run("sed -i 's/^# boot .*/# boot another/' " + bundle.file("receipt/receipt")).exit_code == 0);
  const Run applied = veth.inside(bundle.apply("v0"));
  CHECK(applied.exit_code == 0);
  CHECK_THAT(veth.inside("cat " + bundle.file("receipt/receipt")).output, Contains("rx-0/rps_cpus|") && !Contains("another"));
  REQUIRE(run("sed -i 's/^# boot .*/# boot another/' " + bundle.file("receipt/receipt")).exit_code == 0);
  const Run reverted = veth.inside(bundle.revert());
  CHECK(reverted.exit_code == 0);
  CHECK_THAT(reverted.output, Contains("has restarted since"));
  CHECK_FALSE(fs::exists(bundle.file("receipt/receipt")));
}

TEST_CASE("interrupts are found by the order of the queues on other drivers' machines, set and given back") {
  struct Row {
    std::string tree, interface;
    std::vector<int> irqs;  // in the order of the queues; the bundle has three lists for them
  };
  const Row table[] = {{"virtio-4q-and-rng", "ens3", {25, 26, 27, 28, 29, 30, 31, 32}},
                       {"bond-vlan-bridge", "eth1", {60, 61, 62, 63}},
                       {"igb-separate", "eth0", {41, 43, 42, 44}},
                       {"mlx5-comp", "enp129s0f0np0", {81, 82, 83, 84, 85, 86, 87, 88}},
                       {"xen-netfront", "eth0", {72, 73, 74, 75, 76, 77, 78, 79}},
                       {"bnx2x-fp", "em1", {62, 63, 64, 65}},
                       {"msi-irqs-empty", "ens5", {28, 29, 30, 31}},
                       {"vmxnet3", "ens192", {56, 57, 58, 59}}};
  for (const Row& row : table) {
    CAPTURE(row.tree);
    const Bundle bundle({device_setting("interrupts.count", {{"/proc/irq/7/smp_affinity_list", "1", "0-3"},
                                                             {"/proc/irq/8/smp_affinity_list", "2", "0-3"},
                                                             {"/proc/irq/9/smp_affinity_list", "3", "0-3"}})});
    const std::string tree = bundle.file("tree"), list = "for irq in /proc/irq/[0-9]*; do cat $irq/smp_affinity_list; done\n";
    bundle.write("stage.sh", fmt::format("set -e\nmkdir {0}\ntar -xzf {1}/datasets/captures/trees/{2}.tar.gz -C {0}\n"
                                         "mount --bind {0}/proc/irq /proc/irq\nmount --bind {0}/proc/interrupts /proc/interrupts\n"
                                         "mount --rbind {0}/sys /sys\n{3} >{0}.before\n{4}\n{3} >{0}.during\n{5}\n{3} >{0}.after\n"
                                         "cmp {0}.before {0}.after\n! cmp -s {0}.before {0}.during\n",
                                         tree, NETSETTLE_SOURCE_DIR, row.tree, list.substr(0, list.size() - 1), bundle.apply(row.interface),
                                         bundle.revert()));
    const Run staged = run("unshare --mount sh " + bundle.file("stage.sh"));
    INFO(staged.output);
    CHECK(staged.exit_code == 0);
    for (std::size_t i = 0; i < row.irqs.size(); ++i)
      CHECK_THAT(staged.output,
                 Contains(fmt::format("/proc/irq/{}/smp_affinity_list: ", row.irqs[i])) &&
                     (Contains(fmt::format(" -> {}\n/proc", i % 3 + 1)) || Contains(fmt::format("is {} already", i % 3 + 1)) ||
                      Contains(fmt::format(" -> {}\nIn force", i % 3 + 1))));
    std::size_t last = 0;
    for (const int irq : row.irqs) {
      const std::size_t at = staged.output.find(fmt::format("/proc/irq/{}/", irq));
      CHECK(at >= last);
      last = at;
    }
  }
}

TEST_CASE("of the scheduler's preemption the word in brackets is compared and given back") {
  const Bundle bundle({device_setting("sched.preempt", {{"/sys/kernel/debug/sched/preempt", "full", "voluntary"}})});
  bundle.write("stage.sh", fmt::format("set -e\nmount -t tmpfs none /sys/kernel/debug\nmkdir /sys/kernel/debug/sched\n"
                                       "echo 'none (voluntary) full ' >/sys/kernel/debug/sched/preempt\n{}\n{}\n",
                                       bundle.apply("lo"), bundle.revert()));
  const Run staged = run("unshare --mount sh " + bundle.file("stage.sh"));
  INFO(staged.output);
  CHECK(staged.exit_code == 0);
  CHECK_THAT(staged.output, Contains("voluntary -> full") && Contains("full -> voluntary"));
}

TEST_CASE("systemd takes the unit as it is meant") {
  const Bundle bundle(settings_of_veth("2"));
  REQUIRE(fs::exists(bundle.file("netsettle-quick@.service")));
  if (run("command -v systemd-analyze").exit_code != 0) {
    WARN("systemd-analyze is not on this machine");
    return;
  }
  fs::rename(bundle.file("netsettle-quick@.service"), bundle.file("netsettle-quick@lo.service"));
  const Run verified = run("systemd-analyze verify --man=no --recursive-errors=no " + bundle.file("netsettle-quick@lo.service"));
  INFO(verified.output);
  CHECK(verified.exit_code == 0);
}

TEST_CASE("irqbalance is told to leave the interface's device alone and no other") {
  const Bundle bundle({device_setting("actors.irqbalance", {{"irqbalance", "banned", "running"}})});
  const std::string policy = bundle.file("irqbalance-policy.sh"), tree = bundle.file("tree");
  CHECK(run("shellcheck --shell=sh --severity=warning " + policy).exit_code == 0);
  REQUIRE(run("sed -i 's/^interfaces=IF/interfaces=ens3/' " + policy).exit_code == 0);
  bundle.write("stage.sh", fmt::format("set -e\nmkdir {0}\ntar -xzf {1}/datasets/captures/trees/virtio-4q-and-rng.tar.gz -C {0}\n"
                                       "mount --rbind {0}/sys /sys\ncard=$(readlink -f /sys/class/net/ens3/device/..)\n"
                                       "echo own $(sh {2} \"$card\" 25)\necho other $(sh {2} \"${{card%/*}}/0000:00:99.0\" 40)\n",
                                       tree, NETSETTLE_SOURCE_DIR, policy));
  const Run staged = run("unshare --mount sh " + bundle.file("stage.sh"));
  INFO(staged.output);
  CHECK(staged.exit_code == 0);
  CHECK_THAT(staged.output, Contains("own ban=true\n") && Contains("other\n"));
}
