// Interrupted anywhere and resumed, a study is the uninterrupted one, bit for bit. tests/sweep/resume_sweep runs 500 nights.

#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "tests/support/simulated_night.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace netsettle;
using namespace netsettle::tests;

TEST_CASE("a study that was cut off at random places and resumed has the record of the uninterrupted one") {
  int sessions = 0, cut_trials = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    CAPTURE(seed);
    const Night night = night_of(seed);
    const TemporaryFolder folder;
    const CutNight cut = cut_off(night, folder.path(), seed);
    const std::string expected = dump(uninterrupted(night));
    REQUIRE(dump(cut.study) == expected);
    REQUIRE(dump(cut.in_memory) == expected);
    sessions += cut.sessions;
    cut_trials += cut.cut_trials;
  }
  CHECK(sessions > 24);
  CHECK(cut_trials > 6);
}

TEST_CASE("without interruptions nothing is renumbered") {
  const StudyView study = uninterrupted(night_of(5));
  REQUIRE(study.trials.size() > 5);
  for (std::size_t i = 0; i < study.trials.size(); ++i) {
    CHECK(study.trials[i].id == static_cast<std::int64_t>(i) + 1);
    CHECK(dump(study).find(fmt::format("trial {} of {} {} block {} position {} attempt {} ", study.trials[i].id,
                                       study.trials[i].configuration_id, to_text(study.trials[i].purpose), study.trials[i].block,
                                       study.trials[i].position, study.trials[i].attempt)) != std::string::npos);
  }
}
