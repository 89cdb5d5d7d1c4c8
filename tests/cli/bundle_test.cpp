// A bundle from a real record: exported, applied, in force, reverted.

#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>

#include "tests/cli/study_text.hpp"
#include "tests/support/workspace.hpp"

using namespace netsettle;
using namespace netsettle::tests;

TEST_CASE("export, apply script, values in force, revert script, values as before") {
  Workspace here;
  here.write("bundled.toml", short_study("bundled", 24));
  const auto before = network_state();
  const auto run = here.netsettle({"run", "bundled.toml"});
  INFO(run.standard_output << run.standard_error);
  REQUIRE(run.status.code == 0);
  const auto shown = here.netsettle({"show", "configurations", "--json", "--db", "bundled.netsettle.db"});
  std::string chosen, backlog;
  const auto document = nlohmann::json::parse(shown.standard_output);
  for (const auto& configuration : document.at("configurations"))
    if (configuration.at("values").value("backlog", nlohmann::json()).is_number() && configuration.at("n").get<int>() > 0) {
      chosen = std::to_string(configuration.at("id").get<int>());
      backlog = std::to_string(configuration.at("values").at("backlog").get<int>());
    }
  REQUIRE_FALSE(chosen.empty());

  const auto exported = here.netsettle({"export", "-o", "bundle", "--configuration", chosen, "--db", "bundled.netsettle.db"});
  INFO(exported.standard_output << exported.standard_error);
  REQUIRE(exported.status.code == 0);
  const auto manifest = nlohmann::json::parse(here.read("bundle/manifest.json"));
  CHECK(manifest.at("laboratory_only") == true);
  CHECK(here.read("bundle/README.md").starts_with("LABORATORY ONLY"));
  CHECK(here.netsettle({"export", "-o", "bundle", "--configuration", chosen, "--db", "bundled.netsettle.db"}).status.code != 0);

  const std::string apply = here.path("bundle/apply.sh"), revert = here.path("bundle/revert.sh"), receipt = here.path("receipt");
  const auto refused = here.program({apply, "--receipt", receipt});
  CHECK(refused.status.code == 3);
  CHECK(network_state() == before);
  const auto applied = here.program({apply, "--lab-result", "--receipt", receipt, "--interface", "lo"});
  INFO(applied.standard_output << applied.standard_error);
  CHECK(applied.status.code == 0);
  CHECK(*here.host().read_file("/proc/sys/net/core/netdev_max_backlog") == backlog + "\n");
  const auto reverted = here.program({revert, "--receipt", receipt});
  INFO(reverted.standard_output << reverted.standard_error);
  CHECK(reverted.status.code == 0);
  CHECK(network_state() == before);
}
