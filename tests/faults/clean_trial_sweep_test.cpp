// Trials without a fault: no reason but what the machine itself did meanwhile. A few as a test, fifty in the sweep.

#include <catch2/catch.hpp>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>

#include "tests/faults/trial_lab.hpp"

using namespace netsettle;
using tests::TrialLab;
using tests::TrialOutcome;

namespace {

bool is_full() {
  const char* const sweep = std::getenv("NETSETTLE_SWEEP");
  return sweep != nullptr && std::string(sweep) == "full";
}

// What other programs and the hypervisor do to a trial is no fault of the trial's.
const std::set<std::string> kOthersDoing = {"crowded", "steal-jump", "series-gap", "stalled", "not-settled"};

}  // namespace

TEST_CASE("Clean trials have no reason but what others did to the machine") {
  const int trials = is_full() ? 50 : 4;
  const std::vector<std::string> models = {"blocking", "epoll", "recvmmsg", "io_uring"};
  std::map<std::string, int> seen;
  int spotless = 0;
  for (int i = 0; i < trials; ++i) {
    TrialLab lab(i % 5 == 4 ? RigKind::loopback : RigKind::namespaces);
    lab.experiment.server.io_model = models[static_cast<std::size_t>(i) % models.size()];
    lab.experiment.load.outstanding = 50;
    const TrialOutcome trial = lab.run();
    INFO(lab.experiment.server.io_model << "\n" << trial.text());
    CHECK(trial.judgement.verdict.outcome == Outcome::measured);
    CHECK(trial.judgement.measurements.at("unexplained_percent") < 0.1);
    for (const Reason& reason : trial.judgement.verdict.reasons) {
      ++seen[reason.code];
      CHECK(kOthersDoing.contains(reason.code));
    }
    spotless += trial.judgement.verdict.reasons.empty();
  }
  std::printf("%d of %d clean trials without any reason", spotless, trials);
  for (const auto& [code, count] : seen) std::printf(", %d %s", count, code.c_str());
  std::printf("\n");
}
