// irqbalance as a parameter, beside the policy and beside interrupts.

#include <catch2/catch.hpp>

#include "datasets/model/experiment_file.hpp"

using namespace netsettle;

namespace {

const std::string kHead = "schema = 1\n[study]\nname = \"t\"\n[load]\nqueries = \"q.txt\"\n[budget]\ntrials = 40\n";
const std::string kDaemon =
    "[parameters.daemon]\nsets = \"actors.irqbalance\"\ntype = \"categorical\"\nvalues = [\"running\", \"banned\", \"stopped\"]\n";
const std::string kInterrupts = "[parameters.cpus_of_irqs]\nsets = \"interrupts.count\"\ntype = \"integer\"\nrange = [1, 4]\n";

/// The messages of all diagnostics; "" where the file is good.
std::string problems(const std::string& text) {
  const auto experiment = parse_experiment(text, "/studies/t.toml", {});
  std::string lines;
  if (!experiment)
    for (const Diagnostic& diagnostic : experiment.error()) lines += diagnostic.message + "\n";
  return lines;
}

}  // namespace

TEST_CASE("irqbalance may be a parameter of its own") {
  CHECK(problems(kHead + kDaemon).empty());
  CHECK(problems(kHead + kDaemon + "[safety]\nirqbalance = \"ignore\"\n").empty());
}

TEST_CASE("a policy that settles irqbalance for the study contradicts a parameter that changes it") {
  for (const std::string policy : {"ban", "stop", "require-off"}) {
    const std::string text = problems(kHead + kDaemon + "[safety]\nirqbalance = \"" + policy + "\"\n");
    CHECK_THAT(text, Catch::Contains("safety.irqbalance = \"" + policy + "\" settles it for all of them: leave one out"));
  }
  CHECK(problems(kHead + kInterrupts + "[safety]\nirqbalance = \"ban\"\n").empty());
}

TEST_CASE("interrupts beside irqbalance need the condition that it does not move them") {
  CHECK_THAT(problems(kHead + kDaemon + kInterrupts),
             Catch::Contains("write when = \"daemon != 'running'\" in [parameters.cpus_of_irqs]"));
  CHECK(problems(kHead + kDaemon + kInterrupts + "when = \"daemon != 'running'\"\n").empty());
  CHECK(problems(kHead + kInterrupts).empty());
}

TEST_CASE("other modes of irqbalance and other actors are not known") {
  CHECK_THAT(problems(kHead + "[parameters.d]\nsets = \"actors.irqbalance\"\ntype = \"categorical\"\nvalues = [\"paused\"]\n"),
             Catch::Contains("actors.irqbalance is \"running\", \"banned\", \"stopped\", not \"paused\""));
  CHECK_THAT(problems(kHead + "[parameters.d]\nsets = \"actors.tuned\"\ntype = \"categorical\"\nvalues = [\"running\"]\n"),
             Catch::Contains("unknown setting 'actors.tuned'"));
  CHECK_THAT(problems(kHead + "[rig]\nkind = \"loopback\"\n" + kDaemon), Catch::Contains("cannot be changed on rig.kind = \"loopback\""));
}
