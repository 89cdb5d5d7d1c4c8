// `netsettle show host` with a record that tells much of its machine.

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "datasets/store/store.hpp"
#include "tests/cli/study_text.hpp"
#include "tests/support/workspace.hpp"

using namespace netsettle;
using namespace netsettle::tests;

namespace {

void make_record(Workspace& here, const std::string& facts) {
  datasets::StudyRecord study;
  study.name = "machine";
  study.spec_file = "machine.toml";
  study.spec_text = short_study("machine", 6);
  study.facts = {{"cpus", 2}};
  study.host_fingerprint = "fingerprint";
  study.host_facts_json = facts;
  const auto store = datasets::Store::create(here.path("machine.netsettle.db"), study, 0);
  INFO((store ? std::string() : to_text(store.error())));
  REQUIRE(store);
}

}  // namespace

TEST_CASE("show host groups the facts of the machine, what identifies it first") {
  Workspace here;
  make_record(here,
              R"({"cpu_model":"Example 9000","kernel_release":"6.1.0","nic.eth0.driver":"virtio_net","irqbalance":"running",)"
              R"("mitigation.mds":"Not affected","load_version":"2.14.0","sysctl.net.core.rmem_max":"212992","governor":"performance"})");
  const auto shown = here.netsettle({"show", "host", "--db", here.path("machine.netsettle.db")});
  INFO(shown.standard_error);
  REQUIRE(shown.status.code == 0);
  const std::string& text = shown.standard_output;
  CHECK(text.starts_with("Machine: with another value here it is another machine\n  cpu_model                 Example 9000\n"));
  std::size_t at = 0;
  for (const char* part : {"\nCPUs, memory, power\n", "governor", "\nKernel\n", "kernel_release", "\nGuards", "mitigation.mds",
                           "\nNetwork interfaces\n", "nic.eth0.driver", "\nKernel settings\n", "sysctl.net.core.rmem_max",
                           "\nLimits and services\n", "irqbalance", "\nPrograms and placement\n", "load_version"}) {
    INFO(part);
    at = text.find(part, at);
    REQUIRE(at != std::string::npos);
  }
}

TEST_CASE("show host as JSON has every fact by its name") {
  Workspace here;
  make_record(here, R"({"cpu_model":"Example 9000","nodes":"2"})");
  const auto shown = here.netsettle({"show", "host", "--json", "--db", here.path("machine.netsettle.db")});
  INFO(shown.standard_error);
  REQUIRE(shown.status.code == 0);
  CHECK(nlohmann::json::parse(shown.standard_output) == nlohmann::json{{"cpu_model", "Example 9000"}, {"nodes", "2"}});
}
