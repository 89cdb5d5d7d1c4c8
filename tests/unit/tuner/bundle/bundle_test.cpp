#include "tuner/bundle/bundle.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/unit/tuner/bundle/sample.hpp"

using namespace netsettle;
using namespace netsettle::tuner;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

std::map<std::string, std::string> files_of(const BundleInput& input) {
  auto files = render_bundle(input);
  REQUIRE(files);
  return *files;
}

ErrorCode refusal_of(const std::string& value, const std::string& path = "/proc/sys/net/core/rmem_max") {
  BundleInput input = sample_input();
  input.settings = {sysctl("net.core.rmem_max", path, value, "212992")};
  const auto files = render_bundle(input);
  REQUIRE_FALSE(files);
  return files.error().code;
}

}  // namespace

TEST_CASE("a bundle has the five files, named after the study") {
  const auto files = files_of(sample_input());
  std::vector<std::string> names;
  for (const auto& [name, content] : files) names.push_back(name);
  CHECK(names == std::vector<std::string>{"99-zz-netsettle-quick.conf", "README.md", "apply.sh", "manifest.json", "revert.sh"});
}

TEST_CASE("the sysctl.d file has one plain assignment a line and comments only above them") {
  const std::string conf = files_of(sample_input()).at("99-zz-netsettle-quick.conf");
  CHECK(conf ==
        "# netsettle 0.1.0, bundle quick-20261130T063000Z-c7\n"
        "# processes=2, rmem=4 MiB beats the settings you had by 31 %\n"
        "# LABORATORY ONLY: not measured on a network.\n"
        "# Only what differs from the values found on the measured machine.\n"
        "net.core.rmem_max = 4194304\n"
        "net.core.rmem_default = 4194304\n");
}

TEST_CASE("a setting with the value that was found is left out everywhere") {
  BundleInput input = sample_input();
  input.settings.push_back(sysctl("net.ipv4.tcp_rmem", "/proc/sys/net/ipv4/tcp_rmem", "4096 131072 6291456", "4096\t131072\t6291456\n"));
  input.settings.push_back(rps({"0", "0"}, "0\n"));
  const auto files = files_of(input);
  CHECK_THAT(files.at("99-zz-netsettle-quick.conf"), !Contains("tcp_rmem"));
  CHECK_THAT(files.at("apply.sh"), !Contains("tcp_rmem") && Contains("needs_interface=no"));
  CHECK_THAT(files.at("README.md"), !Contains("tcp_rmem") && !Contains("rps_cpus") && !Contains("--interface"));
}

TEST_CASE("a key with a dotted interface name is written with slashes") {
  BundleInput input = sample_input();
  input.settings = {sysctl("net.ipv4.conf.eth0/7.rp_filter", "/proc/sys/net/ipv4/conf/eth0.7/rp_filter", "0", "1")};
  CHECK_THAT(files_of(input).at("99-zz-netsettle-quick.conf"), Contains("\nnet/ipv4/conf/eth0.7/rp_filter = 0\n"));
}

TEST_CASE("values that could break out of a line are refused") {
  CHECK(refusal_of("1\nkernel.panic = 1") == ErrorCode::invalid_input);
  CHECK(refusal_of("1\n\n") == ErrorCode::invalid_input);
  CHECK(refusal_of("1\r") == ErrorCode::invalid_input);
  CHECK(refusal_of(std::string("1\0002", 3)) == ErrorCode::invalid_input);
  CHECK(refusal_of("1\x1b[2J") == ErrorCode::invalid_input);
  CHECK(refusal_of("\xc3\xa9") == ErrorCode::invalid_input);
  CHECK(refusal_of("1|2") == ErrorCode::invalid_input);
  CHECK(refusal_of("") == ErrorCode::invalid_input);
  CHECK(refusal_of(" \n") == ErrorCode::invalid_input);
}

TEST_CASE("paths outside the settings are refused") {
  for (const std::string path :
       {"/etc/passwd", "/proc/sys/../self/mem", "/proc/sys/net/core/..", "/proc/sys/net//core/x", "/proc/sys/net/core/",
        "/proc/sys/net/./core/x", "/proc/sys/net/co re", "/proc/sys/net/$(id)", "/proc/sys/net/'x'", "proc/sys/net/x", ""})
    CHECK(refusal_of("1", path) == ErrorCode::invalid_input);
}

TEST_CASE("values that mean something to a shell are quoted") {
  BundleInput input = sample_input();
  input.settings = {sysctl("net.ipv4.x", "/proc/sys/net/ipv4/x", R"(a'b"c$(touch /tmp/x)`id`\ {{bundle}} * #)", "")};
  const auto files = files_of(input);
  CHECK_THAT(files.at("apply.sh"), Contains(R"("$1" '/proc/sys/net/ipv4/x' 'a'\''b"c$(touch /tmp/x)`id`\ {{bundle}} * #')"));
  CHECK_THAT(files.at("99-zz-netsettle-quick.conf"), Contains("net.ipv4.x = a'b\"c$(touch /tmp/x)`id`\\ {{bundle}} * #\n"));
}

TEST_CASE("one mask stands for all queues of a direction, different ones are written one by one") {
  BundleInput input = sample_input();
  input.settings = {rps({"3", "3"}, "0")};
  auto files = files_of(input);
  CHECK_THAT(files.at("apply.sh"), Contains("for_each_queue \"$1\" 'rx-' 'rps_cpus' '3'") && Contains("needs_interface=yes"));
  CHECK_THAT(files.at("README.md"), Contains("apply.sh --interface IF --lab-result") && Contains("`rps_cpus` of every receive queue"));
  CHECK_THAT(files.at("99-zz-netsettle-quick.conf"), Contains("# Nothing: this configuration changes no sysctl.\n"));

  input.settings = {rps({"3", "1"}, "0")};
  files = files_of(input);
  CHECK_THAT(files.at("apply.sh"), Contains("\"/sys/class/net/$interface/queues/rx-1/rps_cpus\" '1'"));
  input.settings = {rps({"3; id"}, "0")};
  CHECK(render_bundle(input).error().code == ErrorCode::invalid_input);
}

TEST_CASE("every kind of setting has its place in the scripts, and none names the measured interface or an interrupt's number") {
  BundleInput input = sample_input();
  input.settings = {
      device_setting("nic.channels.combined", {{"ethtool -l nss0 combined", "4", "8"}}),
      device_setting("nic.features.gro", {{"ethtool -k nss0 gro", "off", "on"}}),
      device_setting("nic.rss.count", {{"ethtool -x nss0 table", "equal 4", "equal 8"}}),
      device_setting("interrupts.count", {{"/proc/irq/41/smp_affinity_list", "0", "0-3"}, {"/proc/irq/42/smp_affinity_list", "1", "0-3"}}),
      device_setting("queues.rfs.entries", {{"/proc/sys/net/core/rps_sock_flow_entries", "32768", "0"},
                                            {"/sys/class/net/nss0/queues/rx-0/rps_flow_cnt", "16384", "0"},
                                            {"/sys/class/net/nss0/queues/rx-1/rps_flow_cnt", "16384", "0"}}),
      device_setting("napi.threaded", {{"/sys/class/net/nss0/threaded", "1", "0"}}),
      device_setting("cpu.governor", {{"/sys/devices/system/cpu/cpufreq/policy0/scaling_governor", "performance", "powersave"}}),
      device_setting("sched.preempt", {{"/sys/kernel/debug/sched/preempt", "full", "voluntary"}}),
      device_setting("actors.irqbalance", {{"irqbalance", "banned", "running"}})};
  const auto files = files_of(input);
  const std::string& apply = files.at("apply.sh");
  for (const char* call : {"\"$1\" \"ethtool -l $interface combined\" '4'\n", "\"$1\" \"ethtool -k $interface gro\" 'off'\n",
                           "for_each_interrupt \"$1\" '0' '1'\n", "\"$1\" '/proc/sys/net/core/rps_sock_flow_entries' '32768'\n",
                           "for_each_queue \"$1\" 'rx-' 'rps_flow_cnt' '16384'\n", "\"$1\" \"/sys/class/net/$interface/threaded\" '1'\n",
                           "\"$1\" '/sys/devices/system/cpu/cpufreq/policy0/scaling_governor' 'performance'\n",
                           "\"$1\" '/sys/kernel/debug/sched/preempt' 'full'\n"})
    CHECK_THAT(apply, Contains(call));
  CHECK_THAT(apply, !Contains("nss0") && !Contains("/proc/irq/41") && Contains("changes_channels=yes"));
  CHECK_THAT(files.at("99-zz-netsettle-quick.conf"), Contains("net.core.rps_sock_flow_entries = 32768\n"));
  CHECK_THAT(files.at("README.md"),
             Contains("`ethtool -X IF equal 4`") && Contains("irqbalance left the interrupts") && Contains("--policyscript="));
  CHECK(files.contains("netsettle-quick@.service"));
  CHECK_THAT(files.at("netsettle-quick@.service"),
             Contains("ExecStart=/bin/sh /usr/local/lib/netsettle/quick-20261130T063000Z-c7/apply.sh --interface %i --lab-result\n"));
}

TEST_CASE("what is as it was found is left out of the scripts, whatever its kind") {
  BundleInput input = sample_input();
  input.settings = {
      device_setting("interrupts.count", {{"/proc/irq/41/smp_affinity_list", "0", "0"}, {"/proc/irq/42/smp_affinity_list", "1", "1"}}),
      device_setting("nic.features.gro", {{"ethtool -k nss0 gro", "on", "on"}})};
  const auto files = files_of(input);
  CHECK_THAT(files.at("apply.sh"), !Contains("for_each_interrupt \"$1\"") && Contains("needs_interface=no"));
  CHECK(!files.contains("netsettle-quick.service"));
}

TEST_CASE("files of CPUs alone need no interface, and a unit of their own") {
  BundleInput input = sample_input();
  input.settings = {
      device_setting("cpu.governor", {{"/sys/devices/system/cpu/cpufreq/policy0/scaling_governor", "performance", "powersave"}})};
  const auto files = files_of(input);
  CHECK(files.contains("netsettle-quick.service"));
  CHECK_THAT(files.at("README.md"), Contains("systemctl enable --now netsettle-quick.service"));
}

TEST_CASE("a value of ethtool that a script cannot carry safely is refused by name") {
  BundleInput input = sample_input();
  input.settings = {device_setting("nic.odd", {{"ethtool -z nss0 x", "4", "8"}})};
  auto files = render_bundle(input);
  REQUIRE_FALSE(files);
  CHECK(files.error().code == ErrorCode::unsupported);
  CHECK(files.error().subject == "nic.odd");
  for (const char* path : {"ethtool -k nss0", "ethtool -k nss0 $(id)", "ethtool -k nss0 gro x"}) {
    input.settings = {device_setting("nic.odd", {{path, "4", "8"}})};
    CHECK(render_bundle(input).error().code == ErrorCode::invalid_input);
  }
}

TEST_CASE("a laboratory result says so in the first line of its page, a network's does not") {
  BundleInput input = sample_input();
  CHECK_THAT(files_of(input).at("README.md"), StartsWith("LABORATORY ONLY: measured on one machine (namespaces)"));
  input.laboratory_only = false;
  const auto files = files_of(input);
  CHECK_THAT(files.at("README.md"), StartsWith("# Settings of study `quick`, configuration 7") && !Contains("--lab-result"));
  CHECK_THAT(files.at("99-zz-netsettle-quick.conf"), !Contains("LABORATORY"));
}

TEST_CASE("the page names the server's own settings and says when nothing was proven") {
  BundleInput input = sample_input();
  CHECK_THAT(files_of(input).at("README.md"), Contains("- `server.processes` = `2`") && !Contains("No improvement was proven"));
  input.evidence.verdict = strategies::VerdictKind::cannot_tell;
  CHECK_THAT(files_of(input).at("README.md"), Contains("No improvement was proven"));
}

TEST_CASE("the manifest holds the values with their types, the evidence and the host's facts") {
  const auto manifest = nlohmann::json::parse(files_of(sample_input()).at("manifest.json"));
  CHECK(manifest["schema"] == 1);
  CHECK(manifest["bundle"] == "quick-20261130T063000Z-c7");
  CHECK(manifest["created"] == "2026-11-30T06:30:00Z");
  CHECK(manifest["laboratory_only"] == true);
  CHECK(manifest["configuration"]["values"]["rmem"] == 4194304);
  CHECK(manifest["configuration"]["values"]["rps_cpus"] == "as-found");
  CHECK(manifest["settings"][0]["files"][0]["path"] == "/proc/sys/net/core/rmem_max");
  CHECK(manifest["evidence"]["verdict"] == "winner");
  CHECK(manifest["evidence"]["effect"]["low"] == Approx(0.24));
  CHECK(manifest["host"]["kernel_release"] == "6.1.0");
}

TEST_CASE("what is absent is null in the manifest") {
  BundleInput input = sample_input();
  input.evidence.effect.reset();
  input.evidence.alpha.reset();
  const auto manifest = nlohmann::json::parse(files_of(input).at("manifest.json"));
  CHECK(manifest["evidence"]["effect"].is_null());
  CHECK(manifest["evidence"]["alpha"].is_null());
}

TEST_CASE("host facts that are no JSON are refused") {
  BundleInput input = sample_input();
  input.host_facts_json = "{";
  CHECK(render_bundle(input).error().code == ErrorCode::invalid_input);
}

TEST_CASE("a study's name cannot leave the folder or the line") {
  BundleInput input = sample_input();
  input.study = "../a b\n$(id)";
  input.evidence.statement = "one\nkernel.panic = 1";
  const auto files = files_of(input);
  CHECK(bundle_id(input) == "---a-b---id--20261130T063000Z-c7");
  REQUIRE(files.contains("99-zz-netsettle----a-b---id-.conf"));
  CHECK_THAT(files.at("99-zz-netsettle----a-b---id-.conf"), Contains("# one kernel.panic = 1\n"));
}
