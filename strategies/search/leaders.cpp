#include "strategies/search/leaders.hpp"

#include <algorithm>
#include <cmath>

#include "strategies/designs/blocks.hpp"
#include "strategies/search/plan.hpp"
#include "strategies/search/standing.hpp"

namespace netsettle::strategies {
namespace {

std::vector<Standing> by_promise(const StudyView& study) {
  const auto standings = standings_of(study);
  if (!standings) return {};
  std::vector<Standing> able;
  std::ranges::copy_if(standings->others, std::back_inserter(able), [](const Standing& standing) { return standing.obstacle.empty(); });
  std::ranges::stable_sort(able, std::greater{},
                           [](const Standing& standing) { return standing.belief.mean + standing.belief.standard_deviation; });
  return able;
}

std::optional<Proposal> proposal_of(const StudyView& study, std::int64_t id) {
  const auto found = std::ranges::find(study.configurations, id, &StudyConfiguration::id);
  if (found == study.configurations.end()) return std::nullopt;
  return Proposal{found->configuration, found->origin};
}

}  // namespace

std::vector<Proposal> leaders(const StudyView& study, std::size_t count) {
  std::vector<Proposal> proposals;
  if (count == 0) return proposals;
  for (const Standing& standing : by_promise(study)) {
    if (proposals.size() >= count) break;
    if (auto proposal = proposal_of(study, standing.id)) proposals.push_back(*std::move(proposal));
  }
  return proposals;
}

std::vector<Proposal> leaders_short_of_repeats(const StudyView& study, std::size_t among, std::size_t count) {
  std::vector<Standing> able = by_promise(study);
  if (able.size() > among) able.resize(among);
  std::vector<Proposal> proposals;
  for (const Standing& standing : able) {
    if (proposals.size() >= count || standing.n >= study.experiment.search.repeats) continue;
    if (auto proposal = proposal_of(study, standing.id)) proposals.push_back(*std::move(proposal));
  }
  return proposals;
}

bool is_leaders_turn(const StudyView& study, double share) {
  if (study.experiment.budget.until) {
    const auto turns_by = [share](std::size_t blocks) { return std::floor((1 - share) * static_cast<double>(blocks) + 1e-9); };
    const std::size_t blocks = only(blocks_of(study), Purpose::search).size();
    return turns_by(blocks + 1) > turns_by(blocks);
  }
  return search_trials_so_far(study) >= share * plan_budget(study, std::nullopt).search;
}

}  // namespace netsettle::strategies
