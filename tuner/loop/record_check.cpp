#include "tuner/loop/record_check.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "datasets/model/experiment_difference.hpp"
#include "strategies/course/course.hpp"
#include "tuner/loop/study.hpp"

namespace netsettle::tuner {
namespace {

std::string sentence(const ExperimentDifference& difference) {
  if (difference.before.empty()) return fmt::format("{} is new ({})", difference.key, difference.now);
  if (difference.now.empty()) return fmt::format("{} is gone (it was {})", difference.key, difference.before);
  return fmt::format("{} was {} and is now {}", difference.key, difference.before, difference.now);
}

/// Whether only the values differ that parameters may have, and every recorded one is still there.
Expected<bool> is_wider(const datasets::StudyRecord& record, const Experiment& experiment, const std::vector<ExperimentDifference>& found,
                        std::vector<std::string>& reasons) {
  if (!std::ranges::all_of(found, is_about_a_domain)) return false;
  NETSETTLE_ASSIGN(const SearchSpace space, space_on_record(record, experiment));
  reasons = narrowed(record.domains, space.domains());
  return reasons.empty();
}

Expected<void> compare_experiment(const datasets::StudyRecord& record, const Experiment& experiment, std::vector<std::string>& reasons) {
  if (record.spec_hash == experiment_hash(experiment)) return {};
  NETSETTLE_ASSIGN(const Experiment recorded, parsed_experiment(record));
  const auto found = differences(recorded, experiment);
  NETSETTLE_ASSIGN(const bool wider, is_wider(record, experiment, found, reasons));
  if (wider) return {};
  if (reasons.empty())
    for (const auto& difference : found) reasons.push_back(sentence(difference));
  // Where an older netsettle parsed the same text differently there is nothing to name.
  if (reasons.empty()) reasons.push_back(fmt::format("it belongs to another experiment ({})", record.spec_file));
  return {};
}

void compare_machine(const datasets::StudyRecord& record, const Machine& machine, std::vector<std::string>& reasons) {
  const auto before = runners::facts_from_json(record.host_facts_json);
  const auto differs = [&](const std::string& name) {
    const auto then = before.find(name);
    const auto now = machine.facts.find(name);
    return then != before.end() && now != machine.facts.end() && then->second != now->second;
  };
  if (record.workload_hash != machine.workload_hash)
    reasons.emplace_back(differs("query_file_sha256") ? "the content of the query file has changed" : "the workload ([load]) has changed");
  if (record.host_fingerprint != runners::fingerprint(machine.facts))
    reasons.push_back("it was made on another machine: " +
                      runners::to_text(runners::changed_facts(before, machine.facts, runners::FactRole::identity)));
  if (differs("server_sha256")) reasons.emplace_back("it was made with another build of the echo server");
}

}  // namespace

Expected<SearchSpace> space_on_record(const datasets::StudyRecord& record, const Experiment& experiment) {
  auto space = SearchSpace::resolve(without_dropped(experiment, record), record.facts, record.as_found);
  if (!space) return std::unexpected(space.error().front());
  return std::move(*space);
}

std::vector<std::string> widened_parameters(const datasets::StudyRecord& record, const SearchSpace& space) {
  std::vector<std::string> names;
  for (const Domain& domain : space.domains()) {
    const auto before = std::ranges::find(record.domains, domain.name, &Domain::name);
    // It holds all that was there; where the reverse does not, it holds more.
    if (before != record.domains.end() && !narrowed({domain}, {*before}).empty()) names.push_back(domain.name);
  }
  return names;
}

std::string widened_note(const std::vector<std::string>& parameters) {
  if (parameters.empty()) return {};
  return fmt::format(" The search space is wider than it was: {}. What was measured in the smaller one counts on.",
                     fmt::join(parameters, ", "));
}

Expected<void> adopt_experiment(datasets::Store& store, const Experiment& experiment, const std::vector<std::string>& overrides) {
  NETSETTLE_ASSIGN(datasets::StudyRecord record, store.study());
  const std::string text = experiment.text;
  if (record.spec_text == text && record.overrides == overrides) return {};
  NETSETTLE_ASSIGN(const SearchSpace space, space_on_record(record, experiment));
  record.spec_file = std::filesystem::absolute(experiment.file);
  record.spec_text = text;
  record.overrides = overrides;
  record.spec_hash = experiment_hash(experiment);
  record.space_hash = space.hash();
  datasets::describe_space(without_dropped(experiment, record), space, record);
  return store.change_experiment(record);
}

Expected<RecordCheck> check_record(const std::filesystem::path& database, const Experiment& experiment, const Machine& machine) {
  RecordCheck check;
  check.exists = std::filesystem::exists(database);
  if (!check.exists) return check;
  NETSETTLE_ASSIGN(const auto store, datasets::Store::open_reader(database));
  NETSETTLE_ASSIGN(const datasets::StudyRecord record, store.study());
  std::vector<std::string> reasons;
  NETSETTLE_TRY(compare_experiment(record, experiment, reasons));
  compare_machine(record, machine, reasons);
  if (!reasons.empty())
    return fail(
        ErrorCode::mismatch, database,
        fmt::format("this record (study {}) cannot be continued, it is of another experiment, workload or machine: {}. Put it back, "
                    "or begin another record with --db NEW.db, and with --import-from {} to search with what is known",
                    record.name, fmt::join(reasons, "; "), database.string()));
  NETSETTLE_ASSIGN(StudyView view, load_view(store));
  use_budget(view, experiment.budget);
  check.finished = strategies::is_over(view);
  if (check.finished) check.least_extension = strategies::least_extension(view);
  return check;
}

}  // namespace netsettle::tuner
