// cpu.* and sched.*: on a machine that has them, and on one that has not.

#include <cerrno>

#include <catch2/catch.hpp>

#include "runners/settings/guard.hpp"
#include "tests/support/fake_settings_machine.hpp"

using namespace netsettle;
using namespace netsettle::runners;
using Machine = netsettle::tests::FakeSettingsMachine;
using Texts = std::vector<std::string>;

namespace {

struct Processors {
  Processors() { machine.add_processors(); }
  ResolvedSetting resolve(const std::string& name) { return resolve_setting(machine.context(), name).value(); }
  Expected<Texts> texts(const std::string& name, const std::string& value) { return texts_for(machine.context(), resolve(name), value); }

  Machine machine;
};

const std::string kCpus = "/sys/devices/system/cpu/";

}  // namespace

TEST_CASE("a governor is one of those that the machine offers, for every policy") {
  Processors cpus;
  const auto setting = cpus.resolve("cpu.governor");
  CHECK(setting.scope == SettingScope::host);
  CHECK(setting.files.size() == 2);
  CHECK(setting.as_found == Value(std::string("powersave")));
  CHECK(cpus.texts("cpu.governor", "performance").value() == Texts(2, "performance"));
  const auto misspelled = cpus.texts("cpu.governor", "performence");
  REQUIRE_FALSE(misspelled);
  CHECK(misspelled.error().text == "'performence' is not one of performance, powersave; did you mean 'performance'?");
  cpus.machine.host.set_content(kCpus + "cpufreq/policy1/scaling_governor", "performance\n");
  CHECK(cpus.resolve("cpu.governor").as_found == Value(std::string("powersave performance")));
}

TEST_CASE("boost is the opposite of intel_pstate's no_turbo, and cpufreq's own word elsewhere") {
  Processors cpus;
  CHECK(cpus.resolve("cpu.boost").as_found == Value(std::int64_t{1}));
  CHECK(cpus.texts("cpu.boost", "0").value() == Texts{"1"});
  CHECK(cpus.texts("cpu.boost", "true").value() == Texts{"0"});
  CHECK_FALSE(cpus.texts("cpu.boost", "2"));
  cpus.machine.host.remove_file(kCpus + "intel_pstate/no_turbo");
  cpus.machine.host.add_number_file(kCpus + "cpufreq/boost", "1\n");
  CHECK(cpus.resolve("cpu.boost").as_found == Value(std::int64_t{1}));
  CHECK(cpus.texts("cpu.boost", "0").value() == Texts{"0"});
}

TEST_CASE("idle states deeper than allowed are disabled on every CPU") {
  Processors cpus;
  CHECK(cpus.resolve("cpu.idle").as_found == Value(std::int64_t{2}));
  CHECK(cpus.texts("cpu.idle", "0").value() == Texts{"0", "1", "1", "0", "1", "1"});
  CHECK(cpus.texts("cpu.idle", "1").value() == Texts{"0", "0", "1", "0", "0", "1"});
  CHECK_FALSE(cpus.texts("cpu.idle", "3"));
  cpus.machine.host.set_content(kCpus + "cpu1/cpuidle/state1/disable", "1\n");
  CHECK(cpus.resolve("cpu.idle").as_found == Value(std::string("0 0 0 0 1 0")));
}

TEST_CASE("a wish for short wake-ups is written for each CPU, where 0 means no wish and n/a none at all") {
  Processors cpus;
  CHECK(cpus.resolve("cpu.dma_latency").as_found == Value(std::string("none")));
  CHECK(cpus.texts("cpu.dma_latency", "50").value() == Texts(2, "50"));
  CHECK(cpus.texts("cpu.dma_latency", "0").value() == Texts(2, "n/a"));
  const auto setting = cpus.resolve("cpu.dma_latency");
  CHECK(value_of(cpus.machine.context(), setting, {"n/a\n", "n/a\n"}) == Value(std::int64_t{0}));
  CHECK(value_of(cpus.machine.context(), setting, {"50\n", "50\n"}) == Value(std::int64_t{50}));
}

TEST_CASE("a scheduler's value is found where this kernel keeps it") {
  Processors cpus;
  auto& host = cpus.machine.host;
  CHECK(cpus.resolve("sched.base_slice_ns").files[0].path == "/sys/kernel/debug/sched/base_slice_ns");
  host.remove_file("/sys/kernel/debug/sched/base_slice_ns");
  host.add_number_file("/proc/sys/kernel/sched_min_granularity_ns", "3000000\n");
  CHECK(cpus.resolve("sched.base_slice_ns").files[0].path == "/proc/sys/kernel/sched_min_granularity_ns");
  host.add_number_file("/sys/kernel/debug/sched/min_granularity_ns", "3000000\n");
  CHECK(cpus.resolve("sched.base_slice_ns").files[0].path == "/sys/kernel/debug/sched/min_granularity_ns");
}

TEST_CASE("a kernel that is locked down is named as the reason") {
  Processors cpus;
  cpus.machine.host.fail_path("/sys/kernel/debug/sched/nr_migrate", EPERM);
  const auto setting = resolve_setting(cpus.machine.context(), "sched.nr_migrate");
  REQUIRE_FALSE(setting);
  CHECK(setting.error().code == ErrorCode::permission_denied);
  CHECK(setting.error().text.find("locked down") != std::string::npos);
}

TEST_CASE("a virtual machine without any of them gets a reason for each") {
  Machine machine;
  for (const std::string name : {"cpu.governor", "cpu.epp", "cpu.boost", "cpu.idle", "cpu.dma_latency", "sched.base_slice_ns"}) {
    CAPTURE(name);
    const auto setting = resolve_setting(machine.context(), name);
    REQUIRE_FALSE(setting);
    CHECK(setting.error().code == ErrorCode::unsupported);
    CHECK(setting.error().text.size() > 20);
  }
}

TEST_CASE("of the scheduler's preemption the word in brackets is in force, and it is given back as a word") {
  Machine machine;
  machine.add_processors();
  const std::string path = "/sys/kernel/debug/sched/preempt";
  const auto setting = resolve_setting(machine.context(), "sched.preempt").value();
  CHECK(to_text(setting.as_found) == "voluntary");
  CHECK(setting.words == std::vector<std::string>{"none", "voluntary", "full"});
  CHECK(!texts_for(machine.context(), setting, "lazy"));
  {
    const auto guard = SettingsGuard::open(machine.guard_options()).value();
    const auto rows = guard->apply(machine.context(), {{"sched.preempt", "full"}});
    REQUIRE(rows.size() == 1);
    CHECK(rows[0].before == "voluntary");
    CHECK(rows[0].effective == "full");
    CHECK(rows[0].status == SettingStatus::ok);
    CHECK(machine.host.content(path) == "none voluntary (full) \n");
    CHECK(guard->restore().complete());
  }
  CHECK(machine.host.content(path) == "none (voluntary) full \n");
}
