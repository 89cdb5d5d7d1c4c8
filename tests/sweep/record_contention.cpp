#include "tests/sweep/record_contention.hpp"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <vector>

#include <fmt/format.h>

#include "datasets/store/store.hpp"

namespace netsettle::tests {
namespace {

using Clock = std::chrono::steady_clock;

/// In memory that all the processes share.
struct Board {
  std::atomic<std::int64_t> commits, readings, locked, failed, wrong;
  std::atomic<bool> has_error;
  char first_error[400];

  void note(const Error& error) {
    ++(error.code == ErrorCode::busy ? locked : failed);
    if (!has_error.exchange(true)) std::strncpy(first_error, to_text(error).c_str(), sizeof first_error - 1);
  }
};

class SharedBoard {
 public:
  SharedBoard() : memory_(::mmap(nullptr, sizeof(Board), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) {
    new (memory_) Board();
  }
  SharedBoard(const SharedBoard&) = delete;
  SharedBoard& operator=(const SharedBoard&) = delete;
  ~SharedBoard() { ::munmap(memory_, sizeof(Board)); }
  Board& operator*() const { return *static_cast<Board*>(memory_); }

 private:
  void* memory_;
};

TrialEvidence evidence() {
  TrialEvidence evidence;
  evidence.load.emplace();
  for (int i = 0; i < 30; ++i) evidence.load->intervals.push_back({.time_s = 1.0 * i, .qps = 50'000.0 + i});
  evidence.artifacts = {{"load.stdout", std::string(5'000, 'x')}, {"stat.before", std::string(3'000, 'y')}};
  return evidence;
}

Expected<void> record_one(datasets::Store& store, int block, const TrialEvidence& seen) {
  NETSETTLE_ASSIGN(const auto ids, store.plan_trials({{.configuration_id = 1, .block = block}}));
  NETSETTLE_TRY(store.set_trial_state(ids.front(), TrialState::measuring));
  datasets::TrialResult result;
  result.measurements = {{"qps", 1.0 * block}, {"lost_percent", 0}};
  result.evidence = &seen;
  return store.record_trial(ids.front(), result);
}

/// Sessions end and begin again in between, which moves the record from WAL to one file and back.
Expected<void> write_until(const std::filesystem::path& path, Clock::time_point end, Board& board) {
  constexpr int kTrialsOfSession = 40;
  const TrialEvidence seen = evidence();
  int block = 0;
  while (Clock::now() < end) {
    NETSETTLE_ASSIGN(auto store, datasets::Store::open_writer(path));
    NETSETTLE_TRY(store.begin_session({}));
    for (int trial = 0; trial < kTrialsOfSession && Clock::now() < end; ++trial) {
      NETSETTLE_TRY(record_one(store, ++block, seen));
      ++board.commits;
    }
    // With readers in the way the rest stays in the WAL; nothing of it is lost.
    if (const auto ended = store.end_session("paused"); !ended && ended.error().code != ErrorCode::busy) return ended;
  }
  return {};
}

Expected<std::int64_t> read_once(const std::filesystem::path& path, std::int64_t before, Board& board) {
  NETSETTLE_ASSIGN(const auto store, datasets::Store::open_reader(path));
  NETSETTLE_TRY(store.study());
  NETSETTLE_ASSIGN(const auto trials, store.trials());
  std::int64_t done = 0;
  for (const Trial& trial : trials) {
    if (trial.state != TrialState::done) continue;
    ++done;
    const auto qps = trial.measurements.find("qps");
    if (qps == trial.measurements.end() || qps->second != trial.block) ++board.wrong;
  }
  if (done < before) ++board.wrong;
  if (done > 0) {
    NETSETTLE_ASSIGN(const auto texts, store.artifacts(trials.front().id));
    if (texts.size() != 2) ++board.wrong;
  }
  ++board.readings;
  return done;
}

void read_until(const std::filesystem::path& path, Clock::time_point end, Board& board) {
  std::int64_t seen = 0;
  while (Clock::now() < end) {
    const auto done = read_once(path, seen, board);
    if (done)
      seen = *done;
    else
      board.note(done.error());
  }
}

template <typename Work>
pid_t in_a_process(Work work) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  work();
  ::_exit(0);
}

std::int64_t commits_missing(const std::filesystem::path& path, std::int64_t commits) {
  const auto store = datasets::Store::open_reader(path);
  if (!store) return commits;
  const auto trials = store->trials();
  if (!trials) return commits;
  const auto done = std::ranges::count(*trials, TrialState::done, &Trial::state);
  return std::max<std::int64_t>(0, commits - done);
}

}  // namespace

Contention contend(const std::filesystem::path& path, int readers, std::chrono::milliseconds time) {
  Contention result;
  {
    datasets::StudyRecord study;
    study.name = "contended";
    auto store = datasets::Store::create(path, study);
    if (!store || !store->add_configuration({}, "baseline")) {
      result.failed = 1;
      result.first_error = store ? "the baseline could not be recorded" : to_text(store.error());
      return result;
    }
  }
  const SharedBoard board;
  const auto end = Clock::now() + time;
  std::vector<pid_t> children = {in_a_process([&] {
    if (const auto written = write_until(path, end, *board); !written) (*board).note(written.error());
  })};
  for (int i = 0; i < readers; ++i) children.push_back(in_a_process([&] { read_until(path, end, *board); }));
  for (const pid_t child : children) {
    int status = 0;
    if (child < 0 || ::waitpid(child, &status, 0) != child || status != 0) ++(*board).failed;
  }
  result.commits = (*board).commits;
  result.readings = (*board).readings;
  result.locked = (*board).locked;
  result.failed = (*board).failed;
  result.wrong = (*board).wrong;
  result.first_error = (*board).first_error;
  result.lost = commits_missing(path, result.commits);
  return result;
}

}  // namespace netsettle::tests
