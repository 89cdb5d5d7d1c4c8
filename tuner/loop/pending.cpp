#include "tuner/loop/pending.hpp"

#include <algorithm>
#include <map>

namespace netsettle::tuner {
namespace {

bool was_cut_off(const Trial& trial) {
  return trial.state != TrialState::planned && trial.state != TrialState::done && trial.state != TrialState::failed;
}

bool needs_repeat(const Trial& trial) { return trial.outcome && *trial.outcome != Outcome::measured; }

}  // namespace

std::optional<PendingTrial> next_pending(const std::vector<Trial>& trials, int attempts) {
  int block = 0;
  for (const auto& trial : trials) block = std::max(block, trial.block);
  struct Position {
    const Trial* last = nullptr;
    int counted = 0;
  };
  std::map<int, Position> positions;
  for (const auto& trial : trials) {
    if (trial.block != block) continue;
    Position& position = positions[trial.position];
    if (!position.last || trial.attempt > position.last->attempt) position.last = &trial;
    if (!was_cut_off(trial)) ++position.counted;
  }
  for (const auto& [number, position] : positions) {
    const Trial& last = *position.last;
    if (last.state == TrialState::planned) return PendingTrial{last.id, last, std::nullopt};
    if (was_cut_off(last) || (needs_repeat(last) && position.counted < attempts)) {
      PendingTrial next{std::nullopt, last, last.id};
      next.like.attempt = last.attempt + 1;
      return next;
    }
  }
  return std::nullopt;
}

int trials_spent(const std::vector<Trial>& trials) {
  return static_cast<int>(std::ranges::count_if(trials, [](const Trial& trial) { return !was_cut_off(trial); }));
}

int consecutive_failures(const std::vector<Trial>& trials) {
  std::vector<const Trial*> ended;
  for (const auto& trial : trials)
    if (trial.outcome && !was_cut_off(trial)) ended.push_back(&trial);
  std::ranges::sort(ended, {}, [](const Trial* trial) { return trial->ended_us; });
  int failures = 0;
  for (auto trial = ended.rbegin(); trial != ended.rend() && *(*trial)->outcome != Outcome::measured; ++trial) ++failures;
  return failures;
}

}  // namespace netsettle::tuner
