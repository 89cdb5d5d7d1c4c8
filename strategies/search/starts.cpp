#include "strategies/search/starts.hpp"

#include <algorithm>

namespace netsettle::strategies {
namespace {

template <typename Predicate>
std::set<std::string> texts_with_trial(const StudyView& study, const Predicate& counts) {
  std::set<std::int64_t> ids;
  for (const Trial& trial : study.trials)
    if (trial.purpose == Purpose::search && counts(trial)) ids.insert(trial.configuration_id);
  std::set<std::string> texts;
  for (const StudyConfiguration& known : study.configurations)
    if (ids.contains(known.id)) texts.insert(canonical_text(known.configuration));
  return texts;
}

}  // namespace

std::set<std::string> tried_texts(const StudyView& study) {
  std::set<std::string> texts = texts_with_trial(study, [](const Trial&) { return true; });
  texts.insert(canonical_text(study.space.baseline()));
  return texts;
}

std::set<std::string> failed_texts(const StudyView& study) {
  return texts_with_trial(study, [](const Trial& trial) { return trial.outcome == Outcome::failed; });
}

std::optional<Configuration> completed(const SearchSpace& space, const Configuration& start) {
  Configuration whole = space.baseline();
  for (const Domain& domain : space.domains()) whole.values.try_emplace(domain.name, AsFound{});
  for (const auto& [name, value] : start.values) whole.values[name] = value;
  auto canonical = space.canonical(whole);
  if (!canonical || !space.satisfies(*canonical)) return std::nullopt;
  return *std::move(canonical);
}

void add_starts(const StudyView& study, std::size_t count, std::set<std::string>& known, std::vector<Proposal>& proposals) {
  for (const Configuration& start : study.experiment.search.start) {
    if (proposals.size() >= count) return;
    const auto whole = completed(study.space, start);
    if (whole && known.insert(canonical_text(*whole)).second) proposals.push_back({*whole, "start"});
  }
}

}  // namespace netsettle::strategies
