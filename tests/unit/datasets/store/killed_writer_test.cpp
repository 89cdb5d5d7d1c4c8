// kill -9 in the middle of recording.

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <thread>

#include "tests/unit/datasets/store/sample_record.hpp"

using namespace netsettle;
using namespace netsettle::datasets;
using namespace netsettle::datasets::testing;

namespace {

/// The child's whole life: records trials for ever and writes one byte after each commit.
[[noreturn]] void record_for_ever(const std::filesystem::path& path, int pipe) {
  auto store = Store::open_writer(path);
  if (!store || !store->begin_session({})) ::_exit(1);
  const TrialEvidence evidence = sample_evidence();
  for (int block = 1;; ++block) {
    const auto ids = store->plan_trials({{.configuration_id = 1, .block = block, .position = 0}});
    if (!ids || !store->set_trial_state(ids->front(), TrialState::measuring) ||
        !store->record_trial(ids->front(), sample_result(block, &evidence)))
      ::_exit(1);
    if (::write(pipe, "x", 1) != 1) ::_exit(1);
  }
}

/// Runs the writer, kills it a moment after it has reported `commits` commits; returns how many it had reported at its death.
int commits_until_killed(const std::filesystem::path& path, int commits) {
  int pipe[2];
  REQUIRE(::pipe(pipe) == 0);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    ::close(pipe[0]);
    record_for_ever(path, pipe[1]);
  }
  ::close(pipe[1]);
  char byte = 0;
  int reported = 0;
  while (reported < commits && ::read(pipe[0], &byte, 1) == 1) ++reported;
  std::this_thread::sleep_for(std::chrono::microseconds(137) * commits);  // into the middle of the next one
  ::kill(child, SIGKILL);
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  REQUIRE(WIFSIGNALED(status));
  while (::read(pipe[0], &byte, 1) == 1) ++reported;
  ::close(pipe[0]);
  return reported;
}

}  // namespace

TEST_CASE("A writer that is killed while recording loses no committed trial") {
  const int commits = GENERATE(1, 2, 5, 9, 17, 33, 61);
  const TemporaryFolder folder;
  {
    const Store store = new_record(folder.record());
  }
  const int reported = commits_until_killed(folder.record(), commits);
  REQUIRE(reported >= commits);

  auto store = Store::open_writer(folder.record());
  if (!store) FAIL(to_text(store.error()));
  const auto interrupted = store->interrupt_live_trials();
  REQUIRE(interrupted);
  CHECK(*interrupted <= 1);
  const auto trials = store->trials().value();
  REQUIRE(trials.size() >= static_cast<std::size_t>(reported));
  for (int i = 0; i < reported; ++i) {
    const Trial& trial = trials[static_cast<std::size_t>(i)];
    CHECK(trial.state == TrialState::done);
    CHECK(trial.measurements.at("qps") == i + 1);
    CHECK(store->artifacts(trial.id)->size() == sample_evidence().artifacts.size());
  }
  CHECK(first_text(raw(folder.record(), Access::read), "PRAGMA integrity_check") == "ok");
}
