#include "tuner/loop/prior.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "strategies/designs/blocks.hpp"
#include "tuner/loop/study.hpp"

namespace netsettle::tuner {
namespace {

std::set<std::string> names_of(const std::vector<Domain>& domains) {
  std::set<std::string> names;
  for (const Domain& domain : domains) names.insert(domain.name);
  return names;
}

std::string objective_of(const datasets::StudyRecord& record) {
  const auto objective = nlohmann::json::parse(record.objective_json, nullptr, false);
  const auto metric = objective.is_object() ? objective.find("maximize") : objective.end();
  return metric != objective.end() && metric->is_string() ? metric->get<std::string>() : std::string();
}

Expected<void> check_likeness(const datasets::StudyRecord& old, const datasets::StudyRecord& record, const std::filesystem::path& from) {
  const auto before = names_of(old.domains), now = names_of(record.domains);
  if (before != now)
    return fail(
        ErrorCode::mismatch, from.string(),
        fmt::format("it has other parameters than this experiment: {} there, {} here", fmt::join(before, ", "), fmt::join(now, ", ")));
  if (objective_of(old) != objective_of(record))
    return fail(ErrorCode::mismatch, from.string(),
                fmt::format("it maximizes {}, this experiment {}", objective_of(old), objective_of(record)));
  return {};
}

/// A configuration of the old study in the new space: what was as found there has the value that was found. nullopt where the space does
/// not have it.
std::optional<Configuration> translated(const Configuration& configuration, const SearchSpace& old_space, const SearchSpace& space) {
  Configuration result = configuration;
  for (auto& [name, value] : result.values) {
    if (!std::holds_alternative<AsFound>(value)) continue;
    const Domain* const domain = old_space.find(name);
    if (domain == nullptr || !domain->as_found) return std::nullopt;
    value = *domain->as_found;
  }
  auto canonical = space.canonical(result);
  if (!canonical || !space.satisfies(*canonical)) return std::nullopt;
  return std::move(*canonical);
}

class PriorWriter {
 public:
  PriorWriter(datasets::Store& store, const SearchSpace& space, const StudyView& old, std::string name)
      : store_(store), space_(space), old_(old), name_(std::move(name)) {}

  Expected<PriorTrials> run() {
    NETSETTLE_TRY(store_.add_configuration(space_.baseline(), "baseline"));  // always number 1
    int block = 0;
    for (const strategies::Block& old_block : strategies::blocks_of(old_)) {
      const bool informs = old_block.purpose == Purpose::search || old_block.purpose == Purpose::confirm;
      if (!informs || old_block.trials.front()->imported_from) continue;
      NETSETTLE_TRY(take(old_block, ++block));
    }
    return prior_;
  }

 private:
  Expected<void> take(const strategies::Block& old_block, int block) {
    std::vector<datasets::BlockTrial> rows;
    std::vector<const Trial*> sources;
    for (const Trial* trial : old_block.trials) {
      if (!trial->outcome || *trial->outcome == Outcome::invalid) continue;
      const auto known = std::ranges::find(old_.configurations, trial->configuration_id, &StudyConfiguration::id);
      const auto configuration = translated(known->configuration, old_.space, space_);
      if (!configuration) {
        ++prior_.left_out;
        continue;
      }
      rows.push_back({*configuration, known->origin, row_of(*trial, block, static_cast<int>(rows.size()))});
      sources.push_back(trial);
    }
    NETSETTLE_ASSIGN(const auto ids, store_.plan_block(rows));
    for (std::size_t i = 0; i < ids.size(); ++i) NETSETTLE_TRY(record(ids[i].first, *sources[i]));
    return {};
  }

  datasets::PlannedTrial row_of(const Trial& trial, int block, int position) const {
    return {.configuration_id = 0,
            .purpose = Purpose::search,
            .block = block,
            .position = position,
            .attempt = 1,
            .retry_of = std::nullopt,
            .seed = trial.seed,
            .imported_from = name_,
            .imported_trial = trial.id};
  }

  Expected<void> record(std::int64_t id, const Trial& trial) {
    ++prior_.taken;
    return store_.record_trial(id, {.state = trial.state,
                                    .verdict = {*trial.outcome, trial.suspect, trial.reasons},
                                    .measurements = trial.measurements,
                                    .evidence = nullptr,
                                    .started_us = trial.started_us,
                                    .ended_us = trial.ended_us});
  }

  datasets::Store& store_;
  const SearchSpace& space_;
  const StudyView& old_;
  std::string name_;
  PriorTrials prior_;
};

}  // namespace

Expected<PriorTrials> create_with_prior(const std::filesystem::path& database, const datasets::StudyRecord& record,
                                        const SearchSpace& space, const std::filesystem::path& from) {
  NETSETTLE_ASSIGN(const auto source, datasets::Store::open_reader(from));
  NETSETTLE_ASSIGN(const datasets::StudyRecord old, source.study());
  NETSETTLE_TRY(check_likeness(old, record, from));
  NETSETTLE_ASSIGN(const StudyView view, load_view(source));
  const std::filesystem::path unfinished = database.string() + ".importing";
  std::error_code error;
  std::filesystem::remove(unfinished, error);  // of a run that was killed here
  datasets::StudyRecord child = record;
  child.parent_record = from.filename().string();
  PriorTrials prior;
  {
    NETSETTLE_ASSIGN(auto store, datasets::Store::create(unfinished, child));
    NETSETTLE_ASSIGN(prior, PriorWriter(store, space, view, *child.parent_record).run());
  }
  std::filesystem::rename(unfinished, database, error);
  if (error) return std::unexpected(errno_error(error.value(), database.string(), "the new record cannot be put in its place"));
  return prior;
}

std::string to_text(const PriorTrials& prior, const std::filesystem::path& from) {
  const std::string rest =
      prior.left_out > 0 ? fmt::format("; {} left out, whose configurations this space does not have", prior.left_out) : "";
  return fmt::format("Prior information: {} trials of {} inform the search and are no part of the confirmation{}.", prior.taken,
                     from.string(), rest);
}

Expected<void> check_prior(const std::filesystem::path& database, const std::filesystem::path& from) {
  NETSETTLE_ASSIGN(const auto store, datasets::Store::open_reader(database));
  NETSETTLE_ASSIGN(const datasets::StudyRecord record, store.study());
  if (record.parent_record == from.filename().string()) return {};
  return fail(ErrorCode::conflict, database.string(),
              "exists already, and prior information is taken when a study begins: name another record with --db");
}

}  // namespace netsettle::tuner
