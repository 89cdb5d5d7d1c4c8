#include "strategies/course/pending.hpp"

#include <algorithm>
#include <map>

namespace netsettle::strategies {
namespace {

bool was_cut_off(const Trial& trial) {
  return trial.state != TrialState::planned && trial.state != TrialState::done && trial.state != TrialState::failed;
}

bool needs_repeat(const Trial& trial, const RetryRule& rule) {
  if (!trial.outcome || *trial.outcome == Outcome::measured) return false;
  return *trial.outcome == Outcome::invalid || rule.repeats_failed;
}

struct Place {
  const Trial* last = nullptr;
  int counted = 0;
};
using Blocks = std::map<int, std::map<int, Place>>;

Blocks places_of(const std::vector<Trial>& trials) {
  Blocks blocks;
  for (const Trial& trial : trials) {
    if (!belongs_to_course(trial)) continue;
    Place& place = blocks[trial.block][trial.position];
    if (place.last == nullptr || trial.attempt > place.last->attempt) place.last = &trial;
    if (!was_cut_off(trial)) ++place.counted;
  }
  return blocks;
}

/// The last block and those of the same purpose directly before it.
Blocks::const_iterator first_begun(const Blocks& blocks) {
  auto first = std::prev(blocks.end());
  const Purpose purpose = first->second.begin()->second.last->purpose;
  while (first != blocks.begin() && std::prev(first)->second.begin()->second.last->purpose == purpose) --first;
  return first;
}

std::optional<PendingTrial> pending_in(const Place& place, const RetryRule& rule, bool has_room) {
  const Trial& last = *place.last;
  if (last.state == TrialState::planned) return PendingTrial{last.id, last, std::nullopt};
  const bool again = was_cut_off(last) || (has_room && needs_repeat(last, rule) && place.counted < rule.attempts);
  if (!again) return std::nullopt;
  PendingTrial next{std::nullopt, last, last.id};
  next.like.attempt = last.attempt + 1;
  return next;
}

}  // namespace

bool belongs_to_course(const Trial& trial) {
  return trial.purpose != Purpose::manual && trial.purpose != Purpose::profile && !trial.imported_from;
}

RetryRule retry_rule(const Experiment& experiment) {
  return {.attempts = experiment.trial.attempts, .repeats_failed = experiment.rig.kind != RigKind::external};
}

std::optional<PendingTrial> next_pending(const std::vector<Trial>& trials, const RetryRule& rule, const std::set<std::int64_t>& out,
                                         std::optional<int> room) {
  const Blocks blocks = places_of(trials);
  if (blocks.empty()) return std::nullopt;
  for (auto block = first_begun(blocks); block != blocks.end(); ++block)
    for (const auto& [position, place] : block->second) {
      if (out.contains(place.last->id)) continue;
      if (auto pending = pending_in(place, rule, room.value_or(1) > 0)) return pending;
    }
  return std::nullopt;
}

int trials_spent(const std::vector<Trial>& trials) {
  return static_cast<int>(
      std::ranges::count_if(trials, [](const Trial& trial) { return belongs_to_course(trial) && !was_cut_off(trial); }));
}

int consecutive_failures(const std::vector<Trial>& trials) {
  std::vector<const Trial*> ended;
  for (const auto& trial : trials)
    if (trial.outcome && belongs_to_course(trial) && !was_cut_off(trial)) ended.push_back(&trial);
  std::ranges::sort(ended, {}, [](const Trial* trial) { return trial->ended_us; });
  int failures = 0;
  for (auto trial = ended.rbegin(); trial != ended.rend() && *(*trial)->outcome != Outcome::measured; ++trial) ++failures;
  return failures;
}

}  // namespace netsettle::strategies
