// The final table and the progress line: what the record says about each configuration, without claims.

#include <algorithm>
#include <cmath>

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

void count_outcomes(const StudyView& study, bool imported_too, ConfigurationSummary& summary) {
  for (const Trial& trial : study.trials) {
    if (trial.configuration_id != summary.id || (trial.imported_from && !imported_too)) continue;
    summary.failed += trial.outcome == Outcome::failed ? 1 : 0;
    summary.invalid += trial.outcome == Outcome::invalid ? 1 : 0;
  }
}

std::vector<double> values_of(const StudyView& study, const std::vector<Block>& blocks, std::int64_t configuration_id) {
  std::vector<double> values;
  for (const Block& block : blocks)
    for (const Trial* trial : block.trials)
      if (trial->configuration_id == configuration_id)
        if (const auto value = measured_objective(study.experiment, *trial)) values.push_back(*value);
  return values;
}

}  // namespace

std::vector<ConfigurationSummary> summarise(const StudyView& study) {
  const bool imported_too = counts_imported(study);
  std::vector<Block> blocks = blocks_of(study);
  std::erase_if(blocks, [imported_too](const Block& block) {
    const bool counts = block.purpose == Purpose::search || block.purpose == Purpose::confirm;
    return !counts || (block.trials.front()->imported_from && !imported_too);
  });
  std::vector<ConfigurationSummary> summaries;
  for (const StudyConfiguration& configuration : study.configurations) {
    ConfigurationSummary summary{.id = configuration.id};
    count_outcomes(study, imported_too, summary);
    if (const auto values = summarise_values(values_of(study, blocks, configuration.id))) {
      summary.n = values->n;
      summary.mean = values->mean;
      summary.minimum = values->minimum;
      summary.maximum = values->maximum;
    }
    if (configuration.id != kBaselineId)
      if (const auto comparison = compare_paired_log(log_differences(study.experiment, blocks, configuration.id), kAlpha))
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
