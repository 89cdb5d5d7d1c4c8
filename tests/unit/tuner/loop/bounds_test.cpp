// Levels and ranges against a machine of four CPUs with a card of four queues.

#include "tuner/loop/bounds.hpp"

#include <catch2/catch.hpp>

#include "datasets/model/experiment_file.hpp"
#include "tests/support/fake_settings_machine.hpp"

using namespace netsettle;
using namespace netsettle::tuner;
using Catch::Matchers::Contains;
using Machine = netsettle::tests::FakeSettingsMachine;

namespace {

Parameter parameter_of(const std::string& table) {
  const auto experiment = parse_experiment(
      "schema = 1\n[study]\nname = \"x\"\n[load]\nqueries = \"q.txt\"\n[budget]\ntrials = 46\n[parameters.p]\n" + table, "x.toml", {});
  REQUIRE(experiment);
  return experiment->parameters.front();
}

struct Laboratory {
  Laboratory() {
    machine.add_card();
    machine.add_processors();
    machine.host.add_file("/proc/meminfo", "MemTotal:        1048576 kB\n");
  }
  std::expected<Fit, Errors> fit(const std::string& table) {
    const Parameter parameter = parameter_of(table);
    auto context = machine.card_context();
    context.server_cpus = {0, 1};
    std::vector<runners::ResolvedSetting> settings;
    for (const auto& name : parameter.sets) settings.push_back(runners::resolve_setting(context, name).value());
    return fit_to_machine(parameter, settings, {{"cpus", 8}, {"queues", 4}}, context);
  }
  std::string problem(const std::string& table) {
    const auto fitted = fit(table);
    REQUIRE(!fitted);
    REQUIRE(fitted.error().size() == 1);
    return to_text(fitted.error().front());
  }

  Machine machine;
};

}  // namespace

TEST_CASE("a level above what the machine takes is an error with the bound and its reason") {
  Laboratory here;
  CHECK_THAT(here.problem("sets = \"interrupts.count\"\ntype = \"integer\"\nvalues = [1, 5]\n"),
             Contains("interrupts.count: takes at most 4 here (4 queues of nic0 with interrupts, 4 CPUs that may be used), not 5") &&
                 Contains("the value 5 of the parameter p"));
  CHECK_THAT(here.problem("sets = \"sysctl.net.core.rmem_max\"\ntype = \"bytes\"\nvalues = [\"1GiB\"]\n"),
             Contains("takes at most 134217728 here (what this machine's memory bears)"));
}

TEST_CASE("a range that ends above the bound is an error, one that ends at a fact is narrowed") {
  Laboratory here;
  CHECK_THAT(here.problem("sets = \"queues.rps.count\"\ntype = \"integer\"\nrange = [0, 6]\n"),
             Contains("queues.rps.count: takes at most 4 here (4 CPUs may be used), not 6") && Contains("the range of the parameter p"));
  const auto fitted = here.fit("sets = \"queues.rps.count\"\ntype = \"integer\"\nrange = [0, \"cpus\"]\n");
  REQUIRE(fitted);
  CHECK(fitted->parameter.high->text() == "4");
  REQUIRE(fitted->narrowed.size() == 1);
  CHECK(fitted->narrowed[0] == "the range ends at 4: queues.rps.count takes at most 4 here (4 CPUs may be used)");
}

TEST_CASE("what fits stays as it is") {
  Laboratory here;
  for (const char* table : {"sets = \"interrupts.count\"\ntype = \"integer\"\nrange = [1, \"queues\"]\n",
                            "sets = \"cpu.governor\"\ntype = \"categorical\"\nvalues = [\"performance\", \"powersave\"]\n",
                            "sets = \"sysctl.net.ipv4.udp_mem\"\ntype = \"categorical\"\nvalues = [\"1000 2000 3000\"]\n"}) {
    const auto fitted = here.fit(table);
    REQUIRE(fitted);
    CHECK(fitted->narrowed.empty());
  }
}

TEST_CASE("a word, a vector and a place that the machine does not have are errors") {
  Laboratory here;
  CHECK_THAT(here.problem("sets = \"cpu.governor\"\ntype = \"categorical\"\nvalues = [\"schedutil\"]\n"),
             Contains("'schedutil' is not one of performance, powersave"));
  CHECK_THAT(here.problem("sets = \"sysctl.net.ipv4.udp_mem\"\ntype = \"categorical\"\nvalues = [\"1000 2000\"]\n"),
             Contains("has 3 numbers, not 2"));
  CHECK_THAT(here.problem("sets = \"interrupts.node\"\ntype = \"categorical\"\nvalues = [\"local\", \"sibling\"]\n"),
             Contains("a CPU has no sibling"));
}

TEST_CASE("a special value is held against the bound, too") {
  Laboratory here;
  CHECK_THAT(here.problem("sets = \"cpu.idle\"\ntype = \"integer\"\nrange = [0, 2]\nspecial = [7]\n"), Contains("takes at most 2 here"));
}
