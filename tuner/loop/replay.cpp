#include "tuner/loop/replay.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "strategies/course/pending.hpp"
#include "strategies/racing/next_step.hpp"
#include "tuner/loop/preparation.hpp"
#include "tuner/report/json_parts.hpp"

namespace netsettle::tuner {
namespace {

using Json = nlohmann::ordered_json;
using strategies::BudgetLeft;
using strategies::NextStep;
using strategies::RunBlock;

constexpr const char* kLeft = "trials_left";
constexpr const char* kLeftByClock = "trials_left_by_clock";

struct RecordedBlock {
  int number = 0;
  std::int64_t first_id = 0;
  std::int64_t begun_us = 0;         // 0: unknown
  std::vector<const Trial*> places;  // first attempts by position
  std::vector<const Trial*> trials;  // all attempts, by id
};

std::vector<RecordedBlock> blocks_in(const StudyView& study) {
  std::vector<RecordedBlock> blocks;
  for (const Trial& trial : study.trials) {
    if (trial.imported_from) continue;
    auto block = std::ranges::find(blocks, trial.block, &RecordedBlock::number);
    if (block == blocks.end()) block = blocks.insert(blocks.end(), {.number = trial.block, .first_id = trial.id});
    block->trials.push_back(&trial);
    if (trial.attempt == 1) block->places.push_back(&trial);
    if (trial.started_us > 0 && (block->begun_us == 0 || trial.started_us < block->begun_us)) block->begun_us = trial.started_us;
  }
  for (RecordedBlock& block : blocks) std::ranges::sort(block.places, {}, &Trial::position);
  return blocks;
}

bool close(double a, double b) {
  constexpr double kTolerance = 1e-9;
  return a == b || std::abs(a - b) <= kTolerance * std::max(std::abs(a), std::abs(b));
}

void add_differences(const Json& a, const Json& b, const std::string& path, std::vector<ReplayedValue>& found);

void add_member_differences(const Json& a, const Json& b, const std::string& path, std::vector<ReplayedValue>& found) {
  const auto below = [&](const std::string& key) { return path.empty() ? key : path + "." + key; };
  for (const auto& [key, value] : a.items()) add_differences(value, b.contains(key) ? b.at(key) : Json(nullptr), below(key), found);
  for (const auto& [key, value] : b.items())
    if (!a.contains(key)) add_differences(nullptr, value, below(key), found);
}

/// Every single value that differs, by its path.
void add_differences(const Json& a, const Json& b, const std::string& path, std::vector<ReplayedValue>& found) {
  if (a.is_object() && b.is_object()) return add_member_differences(a, b, path, found);
  if (a.is_array() && b.is_array() && a.size() == b.size()) {
    for (std::size_t i = 0; i < a.size(); ++i) add_differences(a[i], b[i], fmt::format("{}.{}", path, i), found);
    return;
  }
  const bool broken_numbers = a.is_number() && b.is_number() && (a.is_number_float() || b.is_number_float());
  const bool same = broken_numbers ? close(a.get<double>(), b.get<double>()) : a == b;
  if (!same) found.push_back({path, a, b});
}

std::vector<ReplayedValue> differences(const Json& recorded, const Json& computed) {
  std::vector<ReplayedValue> found;
  add_differences(recorded, computed, "", found);
  return found;
}

Json inputs_of(const Decision& decision) {
  auto inputs = Json::parse(decision.inputs_json, nullptr, false);
  return inputs.is_object() ? inputs : Json::object();
}

/// What a decision says, without when it was written and what was left of the budget, which is an input of the replay itself.
Json content_of(const Decision& decision) {
  Json json = decision_object(decision);
  json.erase("id");
  json.erase("at_us");
  if (json["inputs"].is_object()) {
    json["inputs"].erase(kLeft);
    json["inputs"].erase(kLeftByClock);
  }
  return json;
}

Json step_json(const NextStep& step) {
  if (const auto* block = std::get_if<RunBlock>(&step)) {
    Json trials = Json::array();
    for (const auto& trial : block->trials) trials.push_back({{"values", values_json(trial.configuration)}, {"seed", trial.seed}});
    return {{"purpose", to_text(block->purpose)}, {"trials", std::move(trials)}};
  }
  if (const auto* decide = std::get_if<strategies::Decide>(&step)) return content_of(decide->decisions.front());
  return {{"step", "the study is over"}};
}

/// The record is gone through from its beginning; `study_` is what was known at each step.
class Replayer {
 public:
  Replayer(const StudyView& record, std::optional<std::int64_t> until_us)
      : record_(record), until_us_(until_us), study_(record), blocks_(blocks_in(record)) {
    study_.decisions.clear();
    std::erase_if(study_.trials, [](const Trial& trial) { return !trial.imported_from; });
    std::erase_if(study_.configurations, [&](const StudyConfiguration& one) {
      return one.id != kBaselineId && std::ranges::find(study_.trials, one.id, &Trial::configuration_id) == study_.trials.end();
    });
  }

  Replay run() {
    while (!result_.difference && (block_ < blocks_.size() || decision_ < record_.decisions.size())) take_step();
    return std::move(result_);
  }

 private:
  const Decision* next_decision() const { return decision_ < record_.decisions.size() ? &record_.decisions[decision_] : nullptr; }
  const RecordedBlock* next_block() const { return block_ < blocks_.size() ? &blocks_[block_] : nullptr; }

  void take_step() {
    use_budget_of_leg();
    if (until_us_ && next_block() != nullptr && !decision_is_next()) return take_block_by_clock(*next_block());
    const std::optional<double> by_clock = clock_left();
    const StudyView known = known_before(next_block());
    const NextStep step = step_from(known, by_clock);
    if (std::holds_alternative<RunBlock>(step))
      take_block(std::get<RunBlock>(step), known);
    else if (std::holds_alternative<strategies::Decide>(step))
      take_decisions(std::get<strategies::Decide>(step), by_clock);
    else
      differ(step_json(step), Step::other);
  }

  /// The record does not say what the clock left when a block was planned; it follows from the times of the trials, nearly.
  void take_block_by_clock(const RecordedBlock& block) {
    const StudyView known = known_before(&block);
    const double left_s = static_cast<double>(*until_us_ - block.begun_us) / 1e6;
    const NextStep step = step_from(known, std::max(0.0, left_s / seconds_per_trial(known)));
    if (const auto* computed = std::get_if<RunBlock>(&step);
        computed != nullptr && differences(json_of(block), step_json(*computed)).empty())
      ++result_.blocks;
    else
      ++result_.unchecked_blocks;
    consume(block);
  }

  static double seconds_per_trial(const StudyView& known) {
    double sum = 0;
    int n = 0;
    for (const Trial& trial : known.trials)
      if (trial.outcome && trial.ended_us > trial.started_us) {
        sum += static_cast<double>(trial.ended_us - trial.started_us) / 1e6;
        ++n;
      }
    return n > 0 ? sum / n : trial_seconds(known.experiment);
  }

  /// The budget under which the next verdict was reached; a study may have gone on with a larger one.
  void use_budget_of_leg() {
    study_.experiment.budget.trials = record_.experiment.budget.trials;
    for (std::size_t i = decision_; i < record_.decisions.size(); ++i) {
      if (!strategies::is_verdict(record_.decisions[i].kind)) continue;
      if (const auto budget = strategies::number_in_inputs(record_.decisions[i], "budget_trials"))
        study_.experiment.budget.trials = *budget;
      return;
    }
  }

  std::optional<double> clock_left() const {
    const Decision* const next = next_decision();
    if (next == nullptr) return std::nullopt;
    const auto inputs = inputs_of(*next);
    return inputs.contains(kLeftByClock) ? std::optional(inputs.value(kLeftByClock, 0.0)) : std::nullopt;
  }

  /// What was known when the block was planned: another program may have had trials of earlier blocks under way.
  StudyView known_before(const RecordedBlock* block) const {
    StudyView known = study_;
    if (block == nullptr) return known;
    std::erase_if(known.trials, [&](const Trial& trial) { return !trial.imported_from && trial.id > block->first_id; });
    for (Trial& trial : known.trials)
      if (!trial.imported_from && block->begun_us > 0 && trial.ended_us > block->begun_us)
        trial = {.id = trial.id,
                 .configuration_id = trial.configuration_id,
                 .purpose = trial.purpose,
                 .block = trial.block,
                 .position = trial.position,
                 .attempt = trial.attempt,
                 .seed = trial.seed};
    return known;
  }

  NextStep step_from(const StudyView& known, std::optional<double> by_clock) {
    if (strategies::has_verdict(known)) return strategies::Finished{};
    BudgetLeft left{.trials = std::nullopt, .trials_by_time = by_clock};
    if (known.experiment.budget.trials) left.trials = std::max(0, *known.experiment.budget.trials - strategies::trials_spent(known.trials));
    return strategies::next_step(known, left, &memory_);
  }

  // ---- blocks -----------------------------------------------------------------------------------------------------

  void take_block(const RunBlock& computed, const StudyView& known) {
    const RecordedBlock* const block = next_block();
    if (block == nullptr) return take_closing(computed, known);
    const Json now = step_json(computed);
    if (!differences(json_of(*block), now).empty()) return differ(now, Step::block);
    ++result_.blocks;
    consume(*block);
  }

  void consume(const RecordedBlock& block) {
    for (const Trial* trial : block.trials) {
      study_.trials.push_back(*trial);
      const bool known =
          std::ranges::find(study_.configurations, trial->configuration_id, &StudyConfiguration::id) != study_.configurations.end();
      const auto own = std::ranges::find(record_.configurations, trial->configuration_id, &StudyConfiguration::id);
      if (!known && own != record_.configurations.end()) study_.configurations.push_back(*own);
    }
    std::ranges::sort(study_.configurations, {}, &StudyConfiguration::id);
    std::ranges::sort(study_.trials, {}, &Trial::id);
    ++block_;
  }

  Json json_of(const RecordedBlock& block) const {
    Json trials = Json::array();
    for (const Trial* trial : block.places) {
      const auto own = std::ranges::find(record_.configurations, trial->configuration_id, &StudyConfiguration::id);
      const Json values = own == record_.configurations.end() ? Json(nullptr) : values_json(own->configuration);
      trials.push_back({{"values", values}, {"seed", trial->seed}});
    }
    return {{"purpose", to_text(block.trials.front()->purpose)}, {"trials", std::move(trials)}};
  }

  // ---- decisions --------------------------------------------------------------------------------------------------

  void take_decisions(const strategies::Decide& computed, std::optional<double> by_clock) {
    if (next_decision() == nullptr) return differ(step_json(computed), Step::other);
    const auto left = inputs_of(*next_decision());
    const int spent = strategies::trials_spent(study_.trials);
    const int total = left.value(kLeft, 0) + spent;
    // The budget was another one while the study was under way: as that decision has it.
    if (left.contains(kLeft) && study_.experiment.budget.trials.value_or(total) > spent && study_.experiment.budget.trials != total) {
      StudyView then = study_;
      then.experiment.budget.trials = total;
      if (const NextStep step = step_from(then, by_clock); std::holds_alternative<strategies::Decide>(step))
        return compare(std::get<strategies::Decide>(step));
    }
    compare(computed);
  }

  void compare(const strategies::Decide& computed) {
    for (const Decision& now : computed.decisions) {
      const Decision* const recorded = next_decision();
      if (recorded == nullptr) return;  // cut off between them; a study that goes on makes the others
      if (!check(*recorded, now)) return;
    }
  }

  /// Another program may end a study before its time: then there is a verdict where a block would be next.
  void take_closing(const RunBlock& computed, const StudyView& known) {
    const Decision* const recorded = next_decision();
    if (recorded == nullptr || !strategies::is_verdict(recorded->kind)) return differ(step_json(computed), Step::other);
    check(*recorded, strategies::closing_decision(known));
  }

  bool check(const Decision& recorded, const Decision& now) {
    const Json before = content_of(recorded), after = content_of(now);
    if (!differences(before, after).empty()) {
      differ(after, Step::decision);
      return false;
    }
    study_.decisions.push_back(recorded);
    ++decision_;
    ++result_.decisions;
    return true;
  }

  // ---- what differs -----------------------------------------------------------------------------------------------

  bool decision_is_next() const {
    const Decision* const decision = next_decision();
    const RecordedBlock* const block = next_block();
    return decision != nullptr && (block == nullptr || (block->begun_us > 0 && decision->at_us <= block->begun_us));
  }

  enum class Step { block, decision, other };  // other: the record goes on with one of them, and neither was computed

  void differ(const Json& computed, Step step) {
    const Decision* const decision = next_decision();
    const bool decides = step == Step::decision || (step == Step::other && decision_is_next());
    result_.difference = ReplayDifference{.step = decides ? fmt::format("decision {} ({})", decision->id, to_text(decision->kind))
                                                          : fmt::format("block {}", next_block()->number),
                                          .trials = static_cast<int>(study_.trials.size()),
                                          .values = differences(decides ? content_of(*decision) : json_of(*next_block()), computed)};
  }

  const StudyView& record_;
  std::optional<std::int64_t> until_us_;
  StudyView study_;
  strategies::SurrogateMemory memory_;
  std::vector<RecordedBlock> blocks_;
  std::size_t block_ = 0, decision_ = 0;
  Replay result_;
};

StudyView without_own_trials(StudyView record) {
  std::erase_if(record.trials, [](const Trial& trial) { return trial.purpose == Purpose::manual || trial.purpose == Purpose::profile; });
  return record;
}

}  // namespace

Replay replay(const StudyView& record, std::optional<std::int64_t> until_us) {
  const StudyView course = without_own_trials(record);
  return Replayer(course, until_us).run();
}

}  // namespace netsettle::tuner
