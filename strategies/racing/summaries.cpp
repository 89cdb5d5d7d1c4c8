// The final table and the progress line: what the record says about each configuration, without claims.

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "strategies/designs/blocks.hpp"
#include "strategies/racing/next_step.hpp"
#include "strategies/racing/pilot.hpp"
#include "strategies/search/standing.hpp"
#include "strategies/statistics/comparison.hpp"
#include "strategies/statistics/summary.hpp"

namespace netsettle::strategies {
namespace {

/// A study does not count what was measured for another one; a record that was made of old files has nothing else.
bool counts_imported(const StudyView& study) {
  return std::ranges::all_of(study.trials, [](const Trial& trial) { return trial.imported_from.has_value(); });
}

/// What belongs to one configuration, found in one pass over the record for all of them.
struct Share {
  int failed = 0, invalid = 0;
  std::vector<double> values;
  std::vector<Block> blocks;  // in which it ran
};
using Shares = std::map<std::int64_t, Share>;

void count_outcomes(const StudyView& study, bool imported_too, Shares& shares) {
  for (const Trial& trial : study.trials) {
    if (trial.imported_from && !imported_too) continue;
    Share& share = shares[trial.configuration_id];
    share.failed += trial.outcome == Outcome::failed ? 1 : 0;
    share.invalid += trial.outcome == Outcome::invalid ? 1 : 0;
  }
}

void add_blocks(const StudyView& study, const std::vector<Block>& blocks, Shares& shares) {
  for (const Block& block : blocks) {
    std::set<std::int64_t> seen;
    for (const Trial* trial : block.trials) {
      Share& share = shares[trial->configuration_id];
      if (const auto value = measured_objective(study.experiment, *trial)) share.values.push_back(*value);
      // The baseline runs in every block and is compared with nothing.
      if (trial->configuration_id != kBaselineId && seen.insert(trial->configuration_id).second) share.blocks.push_back(block);
    }
  }
}

}  // namespace

std::vector<ConfigurationSummary> summarise(const StudyView& study) {
  const bool imported_too = counts_imported(study);
  std::vector<Block> blocks = blocks_of(study);
  std::erase_if(blocks, [imported_too](const Block& block) {
    const bool counts = block.purpose == Purpose::search || block.purpose == Purpose::confirm;
    return !counts || (block.trials.front()->imported_from && !imported_too);
  });
  Shares shares;
  count_outcomes(study, imported_too, shares);
  add_blocks(study, blocks, shares);
  std::vector<ConfigurationSummary> summaries;
  for (const StudyConfiguration& configuration : study.configurations) {
    const Share& share = shares[configuration.id];
    ConfigurationSummary summary{.id = configuration.id, .failed = share.failed, .invalid = share.invalid};
    if (const auto values = summarise_values(share.values)) {
      summary.n = values->n;
      summary.mean = values->mean;
      summary.minimum = values->minimum;
      summary.maximum = values->maximum;
    }
    if (configuration.id != kBaselineId)
      if (const auto comparison = compare_paired_log(log_differences(study.experiment, share.blocks, configuration.id), kAlpha))
        summary.versus_baseline = Interval95{comparison->effect, comparison->low, comparison->high};
    summaries.push_back(summary);
  }
  return summaries;
}

std::optional<std::pair<std::int64_t, double>> best_so_far(const StudyView& study) {
  const auto standings = standings_of(study);
  if (!standings) return std::nullopt;
  const Standing* leader = leader_of(*standings);
  // Twice oriented is as measured.
  if (leader == nullptr || leader->belief.mean <= 0) return std::pair{kBaselineId, oriented(study.experiment, std::exp(standings->level))};
  return std::pair{leader->id, oriented(study.experiment, std::exp(standings->level + leader->belief.mean))};
}

}  // namespace netsettle::strategies
