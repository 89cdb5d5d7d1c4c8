// apply.sh and revert.sh run for real, with dash, on the sysctls and queues of a network namespace made for each test.

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/unit/tuner/bundle/sample.hpp"
#include "tuner/bundle/bundle.hpp"

using namespace netsettle;
using namespace netsettle::tuner;
using Catch::Matchers::Contains;
namespace fs = std::filesystem;

namespace {

struct Run {
  int exit_code = -1;
  std::string output;  // standard output and standard error
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

/// A network namespace, a folder with the bundle's files, and a place for receipts; all gone afterwards.
class Laboratory {
 public:
  explicit Laboratory(const BundleInput& input) {
    static int counter = 0;
    namespace_ = fmt::format("nsbundle-{}-{}", ::getpid(), ++counter);
    folder_ = fs::temp_directory_path() / namespace_;
    fs::create_directories(folder_);
    const Run made = run("ip netns add " + namespace_ + " && ip -n " + namespace_ + " link set lo up");
    INFO(made.output);
    REQUIRE(made.exit_code == 0);
    put(input);
  }
  ~Laboratory() {
    run("ip netns del " + namespace_);
    fs::remove_all(folder_);
  }
  Laboratory(const Laboratory&) = delete;
  Laboratory& operator=(const Laboratory&) = delete;

  void put(const BundleInput& input) {
    const auto files = render_bundle(input);
    REQUIRE(files);
    for (const auto& [name, content] : *files) std::ofstream(folder_ / name) << content;
  }
  Run inside(const std::string& command) { return run("ip netns exec " + namespace_ + " " + command); }
  Run apply(const std::string& options = "--lab-result") { return script("apply.sh", options); }
  Run revert(const std::string& options = "") { return script("revert.sh", options); }
  std::string value(const std::string& path) {
    const Run result = inside("cat " + path);
    REQUIRE(result.exit_code == 0);
    std::string text = result.output.substr(0, result.output.find('\n'));
    for (char& c : text)
      if (c == '\t') c = ' ';
    return text;
  }
  void set(const std::string& path, const std::string& text) {
    REQUIRE(inside("dash -c 'echo " + text + " >" + path + "'").exit_code == 0);
  }
  std::string file(const std::string& name) const { return (folder_ / name).string(); }
  bool has_receipt() const { return fs::exists(folder_ / "receipt" / "receipt"); }

 private:
  Run script(const std::string& name, const std::string& options) {
    return inside("dash " + file(name) + " --receipt " + file("receipt") + " " + options);
  }

  std::string namespace_;
  fs::path folder_;
};

const std::string kReceiveMinimum = "/proc/sys/net/ipv4/udp_rmem_min";
const std::string kPortRange = "/proc/sys/net/ipv4/ip_local_port_range";
const std::string kQueue = "/sys/class/net/lo/queues/rx-0/rps_cpus";

BundleInput namespace_input() {
  BundleInput input = sample_input();
  input.settings = {sysctl("net.ipv4.udp_rmem_min", kReceiveMinimum, "8192", "4096"),
                    sysctl("net.ipv4.ip_local_port_range", kPortRange, "20000 50000", "32768\t60999\n")};
  return input;
}

BundleInput queue_input(const std::string& mask) {
  BundleInput input = sample_input();
  input.settings = {rps({mask}, "0")};
  return input;
}

}  // namespace

TEST_CASE("the scripts are POSIX shell without findings of shellcheck") {
  BundleInput input = namespace_input();
  input.settings.push_back(rps({"1"}, "0"));
  input.settings.push_back(device_setting("nic.channels.rx", {{"ethtool -l nss0 rx", "2", "4"}}));
  input.settings.push_back(device_setting("interrupts.count", {{"/proc/irq/41/smp_affinity_list", "0", "0-3"}}));
  Laboratory laboratory(input);
  for (const std::string name : {"apply.sh", "revert.sh"}) {
    CHECK(run("sh -n " + laboratory.file(name)).exit_code == 0);
    const Run check = run("shellcheck --shell=sh --severity=warning " + laboratory.file(name));
    INFO(check.output);
    CHECK(check.exit_code == 0);
  }
}

TEST_CASE("apply puts the values in force and revert gives the previous ones back") {
  Laboratory laboratory(namespace_input());
  const std::string before = laboratory.value(kReceiveMinimum), range_before = laboratory.value(kPortRange);
  const Run applied = laboratory.apply();
  INFO(applied.output);
  REQUIRE(applied.exit_code == 0);
  CHECK(laboratory.value(kReceiveMinimum) == "8192");
  CHECK(laboratory.value(kPortRange) == "20000 50000");
  CHECK_THAT(applied.output, Contains(kReceiveMinimum + ": " + before + " -> 8192"));

  const Run reverted = laboratory.revert();
  INFO(reverted.output);
  CHECK(reverted.exit_code == 0);
  CHECK(laboratory.value(kReceiveMinimum) == before);
  CHECK(laboratory.value(kPortRange) == range_before);
  CHECK_FALSE(laboratory.has_receipt());
}

TEST_CASE("applied twice, the first originals are still given back, and reverted twice, nothing happens") {
  Laboratory laboratory(namespace_input());
  const std::string before = laboratory.value(kReceiveMinimum);
  REQUIRE(laboratory.apply().exit_code == 0);
  const Run again = laboratory.apply();
  CHECK(again.exit_code == 0);
  CHECK_THAT(again.output, Contains(kReceiveMinimum + ": is 8192 already"));
  REQUIRE(laboratory.revert().exit_code == 0);
  CHECK(laboratory.value(kReceiveMinimum) == before);
  const Run nothing = laboratory.revert();
  CHECK(nothing.exit_code == 0);
  CHECK_THAT(nothing.output, Contains("Nothing to give back"));
}

TEST_CASE("a laboratory result is refused without --lab-result, a network's is not") {
  BundleInput input = namespace_input();
  Laboratory laboratory(input);
  const std::string before = laboratory.value(kReceiveMinimum);
  const Run refused = laboratory.apply("");
  CHECK(refused.exit_code == 3);
  CHECK_THAT(refused.output, Contains("LABORATORY ONLY") && Contains("nothing was changed"));
  CHECK(laboratory.value(kReceiveMinimum) == before);
  CHECK_FALSE(laboratory.has_receipt());
  input.laboratory_only = false;
  laboratory.put(input);
  CHECK(laboratory.apply("").exit_code == 0);
}

TEST_CASE("a dry run says what would change and changes nothing") {
  Laboratory laboratory(namespace_input());
  const std::string before = laboratory.value(kReceiveMinimum);
  const Run planned = laboratory.apply("--lab-result --dry-run");
  CHECK(planned.exit_code == 0);
  CHECK_THAT(planned.output, Contains("would change from " + before + " to 8192"));
  CHECK(laboratory.value(kReceiveMinimum) == before);
  CHECK_FALSE(laboratory.has_receipt());

  REQUIRE(laboratory.apply().exit_code == 0);
  CHECK_THAT(laboratory.revert("--dry-run").output, Contains("would change from 8192 to " + before));
  CHECK(laboratory.value(kReceiveMinimum) == "8192");
  CHECK(laboratory.has_receipt());
}

TEST_CASE("what somebody else changed meanwhile is left alone and named, unless forced") {
  Laboratory laboratory(namespace_input());
  const std::string before = laboratory.value(kReceiveMinimum), range_before = laboratory.value(kPortRange);
  REQUIRE(laboratory.apply().exit_code == 0);
  laboratory.set(kReceiveMinimum, "16384");
  const Run conflict = laboratory.revert();
  CHECK(conflict.exit_code == 4);
  CHECK_THAT(conflict.output, Contains("conflict: is 16384, apply.sh had written 8192"));
  CHECK(laboratory.value(kReceiveMinimum) == "16384");
  CHECK(laboratory.value(kPortRange) == range_before);
  CHECK(laboratory.has_receipt());

  const Run forced = laboratory.revert("--force");
  INFO(forced.output);
  CHECK(forced.exit_code == 0);
  CHECK(laboratory.value(kReceiveMinimum) == before);
  CHECK_FALSE(laboratory.has_receipt());
}

TEST_CASE("a value that the kernel refuses is named, the others are in force and can be taken back") {
  BundleInput input = namespace_input();
  input.settings[1].files[0].value = "50000 20000";  // upside down
  Laboratory laboratory(input);
  const std::string before = laboratory.value(kReceiveMinimum), range_before = laboratory.value(kPortRange);
  const Run applied = laboratory.apply();
  CHECK(applied.exit_code == 1);
  CHECK_THAT(applied.output, Contains(kPortRange + ": the kernel refused 50000 20000; it is " + range_before));
  CHECK(laboratory.value(kReceiveMinimum) == "8192");
  CHECK(laboratory.revert().exit_code == 0);
  CHECK(laboratory.value(kReceiveMinimum) == before);
}

TEST_CASE("a file that does not exist on the target stops everything beforehand") {
  BundleInput input = namespace_input();
  input.settings.push_back(sysctl("net.ipv4.no_such_setting", "/proc/sys/net/ipv4/no_such_setting", "1", "0"));
  Laboratory laboratory(input);
  const std::string before = laboratory.value(kReceiveMinimum);
  const Run refused = laboratory.apply();
  CHECK(refused.exit_code == 3);
  CHECK_THAT(refused.output, Contains("no_such_setting does not exist here; nothing was changed"));
  CHECK(laboratory.value(kReceiveMinimum) == before);
  CHECK_FALSE(laboratory.has_receipt());
}

TEST_CASE("without a place for the receipt nothing is changed") {
  Laboratory laboratory(namespace_input());
  const std::string before = laboratory.value(kReceiveMinimum);
  const Run refused = laboratory.apply("--lab-result --receipt /proc/sys/net");
  CHECK(refused.exit_code == 3);
  CHECK_THAT(refused.output, Contains("nothing was changed"));
  CHECK(laboratory.value(kReceiveMinimum) == before);
}

TEST_CASE("changing settings without root is refused") {
  Laboratory laboratory(namespace_input());
  const Run refused = laboratory.inside("setpriv --reuid 65534 --clear-groups dash " + laboratory.file("apply.sh") + " --lab-result");
  CHECK(refused.exit_code == 3);
  CHECK_THAT(refused.output, Contains("nothing was changed"));
}

TEST_CASE("receive queues are set on the interface that is named") {
  Laboratory laboratory(queue_input("1"));
  CHECK(laboratory.apply().exit_code == 2);
  CHECK(laboratory.apply("--lab-result --interface nosuch0").exit_code == 3);
  CHECK(laboratory.apply("--lab-result --interface ../lo").exit_code == 3);
  const std::string before = laboratory.value(kQueue);
  REQUIRE(laboratory.apply("--lab-result --interface lo").exit_code == 0);
  CHECK(laboratory.value(kQueue).ends_with("1"));
  CHECK(laboratory.revert().exit_code == 0);
  CHECK(laboratory.value(kQueue) == before);
}

TEST_CASE("a value that the kernel writes otherwise is named, and is taken back without a conflict") {
  const std::string reserved = "/proc/sys/net/ipv4/ip_local_reserved_ports";
  BundleInput input = sample_input();
  input.settings = {sysctl("net.ipv4.ip_local_reserved_ports", reserved, "20000,20001", "")};
  Laboratory laboratory(input);
  REQUIRE(laboratory.value(reserved).empty());
  const Run applied = laboratory.apply();
  CHECK(applied.exit_code == 1);
  CHECK_THAT(applied.output, Contains("asked for 20000,20001, in force is 20000-20001"));
  const Run reverted = laboratory.revert();
  INFO(reverted.output);
  CHECK(reverted.exit_code == 0);
  CHECK(laboratory.value(reserved).empty());
}

TEST_CASE("a mask that the kernel refuses leaves the queue as it was") {
  Laboratory laboratory(queue_input("ffff,ffffffff,ffffffff,ffffffff,ffffffff"));
  const std::string before = laboratory.value(kQueue);
  CHECK(laboratory.apply("--lab-result --interface lo").exit_code == 1);
  CHECK(laboratory.value(kQueue) == before);
  CHECK(laboratory.revert().exit_code == 0);
}

TEST_CASE("another interface's queues stay in the receipt of an earlier apply") {
  Laboratory laboratory(queue_input("1"));
  REQUIRE(laboratory.inside("ip link add v0 type veth peer name v1").exit_code == 0);
  const std::string other = "/sys/class/net/v0/queues/rx-0/rps_cpus";
  const std::string before = laboratory.value(kQueue), other_before = laboratory.value(other);
  REQUIRE(laboratory.apply("--lab-result --interface lo").exit_code == 0);
  REQUIRE(laboratory.apply("--lab-result --interface v0").exit_code == 0);
  REQUIRE(laboratory.revert().exit_code == 0);
  CHECK(laboratory.value(kQueue) == before);
  CHECK(laboratory.value(other) == other_before);
}

TEST_CASE("host-wide values are read, compared and left when they are the same") {
  std::ifstream present("/proc/sys/net/core/rmem_max");
  std::string value;
  REQUIRE(present >> value);
  BundleInput input = sample_input();
  input.settings = {sysctl("net.core.rmem_max", "/proc/sys/net/core/rmem_max", value, "another")};
  Laboratory laboratory(input);
  const std::string options = " --receipt " + laboratory.file("receipt");
  const Run applied = run("dash " + laboratory.file("apply.sh") + " --lab-result" + options);
  CHECK(applied.exit_code == 0);
  CHECK_THAT(applied.output, Contains("/proc/sys/net/core/rmem_max: is " + value + " already"));
  CHECK(run("dash " + laboratory.file("revert.sh") + options).exit_code == 0);
}

TEST_CASE("unknown options and missing values are usage errors") {
  Laboratory laboratory(namespace_input());
  CHECK(laboratory.apply("--what").exit_code == 2);
  CHECK(laboratory.apply("--lab-result --interface").exit_code == 2);
  CHECK(laboratory.revert("--what").exit_code == 2);
  CHECK(laboratory.apply("--help").exit_code == 0);
  CHECK(laboratory.revert("--help").exit_code == 0);
}

TEST_CASE("the loaders of sysctl.d take the file as it is meant") {
  Laboratory laboratory(namespace_input());
  const std::string conf = laboratory.file("99-zz-netsettle-quick.conf");
  const Run dry = laboratory.inside("sysctl --dry-run -p " + conf);
  INFO(dry.output);
  CHECK(dry.exit_code == 0);
  const Run loaded = laboratory.inside("sysctl -p " + conf);
  CHECK(loaded.exit_code == 0);
  CHECK(laboratory.value(kReceiveMinimum) == "8192");
  CHECK(laboratory.value(kPortRange) == "20000 50000");

  if (!fs::exists("/lib/systemd/systemd-sysctl")) {
    WARN("systemd-sysctl is not on this machine; the file was checked with procps only");
    return;
  }
  laboratory.set(kReceiveMinimum, "4096");
  const Run systemd = laboratory.inside("/lib/systemd/systemd-sysctl --strict " + conf);
  INFO(systemd.output);
  CHECK(systemd.exit_code == 0);
  CHECK(systemd.output.empty());
  CHECK(laboratory.value(kReceiveMinimum) == "8192");
}
