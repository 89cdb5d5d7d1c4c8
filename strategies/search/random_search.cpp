#include "strategies/search/random_search.hpp"

#include <algorithm>
#include <set>

#include "strategies/designs/blocks.hpp"
#include "strategies/designs/sample.hpp"
#include "strategies/search/plan.hpp"
#include "strategies/search/standing.hpp"

namespace netsettle::strategies {
namespace {

constexpr int kBlockSize = 3;
constexpr int kDrawsPerProposal = 50;
constexpr std::uint64_t kProposalSeed = 0x70726f706f73616c;  // "proposal"

/// Canonical texts of what must not be proposed again: the baseline and everything that has a search trial.
std::set<std::string> tried(const StudyView& study) {
  std::set<std::int64_t> ids{kBaselineId};
  for (const Block& block : only(blocks_of(study), Purpose::search))
    for (const Trial* trial : block.trials) ids.insert(trial->configuration_id);
  std::set<std::string> texts{canonical_text(study.space.baseline())};
  for (const StudyConfiguration& known : study.configurations)
    if (ids.contains(known.id)) texts.insert(canonical_text(known.configuration));
  return texts;
}

/// A start configuration with what it does not mention left as found; nullopt where it is not in the space.
std::optional<Configuration> completed(const SearchSpace& space, const Configuration& start) {
  Configuration whole = space.baseline();
  for (const Domain& domain : space.domains()) whole.values.try_emplace(domain.name, AsFound{});
  for (const auto& [name, value] : start.values) whole.values[name] = value;
  const auto canonical = space.canonical(whole);
  if (!canonical || !space.satisfies(*canonical)) return std::nullopt;
  return *canonical;
}

std::vector<Proposal> new_ones(const StudyView& study, int block, std::size_t count) {
  std::vector<Proposal> proposals;
  std::set<std::string> known = tried(study);
  for (const Configuration& start : study.experiment.search.start) {
    if (proposals.size() >= count) return proposals;
    const auto whole = completed(study.space, start);
    if (whole && known.insert(canonical_text(*whole)).second) proposals.push_back({*whole, "start"});
  }
  Random random(derive_seed(derive_seed(study.experiment.study.seed, static_cast<std::uint64_t>(block)), kProposalSeed));
  for (std::size_t draw = 0; draw < kDrawsPerProposal * count && proposals.size() < count; ++draw) {
    const auto drawn = draw_configuration(study.space, random);
    if (!drawn) break;
    if (known.insert(canonical_text(*drawn)).second) proposals.push_back({*drawn, "random"});
  }
  return proposals;
}

const StudyConfiguration* find(const StudyView& study, std::int64_t id) {
  const auto found = std::ranges::find(study.configurations, id, &StudyConfiguration::id);
  return found == study.configurations.end() ? nullptr : &*found;
}

/// Those that may still turn out best: by mean + standard deviation of what is believed of them.
std::vector<Proposal> leaders(const StudyView& study, std::size_t count) {
  const auto standings = standings_of(study);
  if (!standings) return {};
  std::vector<Standing> able;
  std::ranges::copy_if(standings->others, std::back_inserter(able), [](const Standing& standing) { return standing.obstacle.empty(); });
  std::ranges::stable_sort(able, std::greater{},
                           [](const Standing& standing) { return standing.belief.mean + standing.belief.standard_deviation; });
  std::vector<Proposal> proposals;
  for (const Standing& standing : able) {
    if (proposals.size() >= count) break;
    if (const StudyConfiguration* known = find(study, standing.id)) proposals.push_back({known->configuration, known->origin});
  }
  return proposals;
}

bool time_for_leaders(const StudyView& study) {
  const int done = search_trials_so_far(study);
  if (study.experiment.budget.until) {
    const auto blocks = only(blocks_of(study), Purpose::search).size();
    return blocks % 5 >= 3;
  }
  return 10 * done >= 6 * plan_budget(study, std::nullopt).search;
}

}  // namespace

int RandomSearch::block_size(const StudyView& /*study*/) const { return kBlockSize; }

std::vector<Proposal> RandomSearch::ask(const StudyView& study, int block, int count) const {
  const auto room = static_cast<std::size_t>(std::max(0, count));
  if (time_for_leaders(study)) {
    if (auto proposals = leaders(study, room); !proposals.empty()) return proposals;
  }
  std::vector<Proposal> proposals = new_ones(study, block, room);
  for (Proposal& leader : leaders(study, room - proposals.size())) proposals.push_back(std::move(leader));
  return proposals;
}

}  // namespace netsettle::strategies
