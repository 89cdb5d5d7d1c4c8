#include "tuner/bundle/applied.hpp"

#include <catch2/catch.hpp>

using namespace netsettle;
using namespace netsettle::tuner;

namespace {

AppliedSetting row(const std::string& setting, const std::string& target, const std::string& effective) {
  return {.setting = setting, .target = target, .requested = effective, .before = "another configuration's", .effective = effective};
}

const std::vector<CpuId> kCpus = {0, 2, 4};
const std::string kQueues = "/sys/class/net/nss0/queues/rx-0/rps_cpus and 1 more (namespace netsettle-1-server)";

}  // namespace

TEST_CASE("an applied sysctl becomes a bundle's setting without the namespace that it was written in") {
  const auto setting = bundle_setting_of_old_record(
      row("sysctl.net.ipv4.udp_rmem_min", "/proc/sys/net/ipv4/udp_rmem_min (namespace x)", "8192"), std::int64_t{4096}, kCpus);
  REQUIRE(setting);
  CHECK(setting->scope == BundleScope::network_namespace);
  REQUIRE(setting->files.size() == 1);
  CHECK(setting->files[0].path == "/proc/sys/net/ipv4/udp_rmem_min");
  CHECK(setting->files[0].value == "8192");
  CHECK(setting->files[0].as_found == "4096");
}

TEST_CASE("a setting of the whole machine is marked as such") {
  const auto setting =
      bundle_setting_of_old_record(row("sysctl.net.core.rmem_max", "/proc/sys/net/core/rmem_max", "8192"), std::int64_t{4096}, kCpus);
  REQUIRE(setting);
  CHECK(setting->scope == BundleScope::host);
}

TEST_CASE("a number of CPUs becomes the mask of the first ones") {
  const auto setting = bundle_setting_of_old_record(row("queues.rps.count", kQueues, "2"), std::int64_t{0}, kCpus);
  REQUIRE(setting);
  CHECK(setting->scope == BundleScope::device);
  CHECK(setting->value == "2");
  REQUIRE(setting->files.size() == 1);
  CHECK(setting->files[0].path == "/sys/class/net/nss0/queues/rx-0/rps_cpus");
  CHECK(setting->files[0].value == "5");
  CHECK(setting->files[0].as_found == "0");
}

TEST_CASE("more CPUs than are known is an error, a mask that was found stays a mask") {
  const auto beyond = bundle_setting_of_old_record(row("queues.rps.count", kQueues, "4"), std::int64_t{0}, kCpus);
  REQUIRE_FALSE(beyond);
  CHECK(beyond.error().code == ErrorCode::invalid_input);
  const auto masks = bundle_setting_of_old_record(row("queues.rps.count", kQueues, "1"), std::string("4"), kCpus);
  REQUIRE(masks);
  CHECK(masks->files[0].as_found == "4");
}

TEST_CASE("a setting whose files an old record does not have is refused, not written wrongly") {
  for (const std::string name : {"queues.xps.count", "queues.rfs.entries", "interrupts.count", "cpu.idle", "napi.threaded"}) {
    const auto setting = bundle_setting_of_old_record(row(name, kQueues, "2"), std::int64_t{0}, kCpus);
    REQUIRE_FALSE(setting);
    CHECK(setting.error().code == ErrorCode::unsupported);
    CHECK(setting.error().subject == name);
  }
}

TEST_CASE("all files of a setting come with what they held before the study, not before the trial") {
  AppliedSetting spread = row("interrupts.count", "/proc/irq/41/smp_affinity_list and 1 more", "1");
  spread.files = {{"/proc/irq/41/smp_affinity_list", "", "1", "2"}, {"/proc/irq/42/smp_affinity_list", "", "1", "3"}};
  AppliedSetting earlier = spread;
  earlier.files = {{"/proc/irq/41/smp_affinity_list", "", "0-3", "1"}, {"/proc/irq/42/smp_affinity_list", "", "0-3", "1"}};
  Originals originals;
  note_originals({earlier}, originals);
  note_originals({spread}, originals);
  const auto setting = bundle_setting(spread, originals);
  CHECK(setting.scope == BundleScope::host);
  REQUIRE(setting.files.size() == 2);
  CHECK(setting.files[1].value == "3");
  CHECK(setting.files[1].as_found == "0-3");
}

TEST_CASE("values of a card and files of an interface are the device's") {
  AppliedSetting ring = row("nic.ring.rx", "ethtool -g eth0 rx", "4096");
  ring.files = {{"ethtool -g eth0 rx", "", "512", "4096"}};
  CHECK(bundle_setting(ring, {}).scope == BundleScope::device);
  CHECK(bundle_setting(ring, {}).files[0].as_found == "512");
}
