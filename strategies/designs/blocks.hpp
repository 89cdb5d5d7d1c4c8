#pragma once
// The record as blocks: what counts of each, read the same way by everything that looks at results.

#include <vector>

#include "datasets/model/study_view.hpp"

namespace netsettle::strategies {

/// One block of the record. Positions are in order; of a position that was repeated only the last attempt counts.
struct Block {
  int number = 0;
  Purpose purpose = Purpose::search;  // the baseline trial of a search block does not change it
  std::vector<const Trial*> trials;   // one a position
};

/// The blocks of the study in order of their numbers. The trials are borrowed from `study`.
std::vector<Block> blocks_of(const StudyView& study);

/// The number that the next block gets: one above the highest.
int next_block_number(const StudyView& study);

/// The objective as it was measured; absent for failed, invalid and unfinished trials and where the value is not positive (a rate of zero
/// is no measurement).
std::optional<double> measured_objective(const Experiment& experiment, const Trial& trial);

/// The objective so that more is better: of a metric of which less is better (a latency) the reciprocal. Ratios and differences of
/// logarithms are then improvements for either.
double oriented(const Experiment& experiment, double value);

/// oriented(measured_objective): what strategies compare.
std::optional<double> objective_of(const Experiment& experiment, const Trial& trial);

/// objective_of a configuration in a block (more is better); the mean where the block has it more than once.
std::optional<double> objective_in(const Experiment& experiment, const Block& block, std::int64_t configuration_id);

/// objective_in of two configurations, one of each for each of the blocks in which both were measured.
struct BlockPairs {
  std::vector<double> values, versus;
};
BlockPairs pairs_in(const Experiment& experiment, const std::vector<Block>& blocks, std::int64_t configuration_id,
                    std::int64_t versus = kBaselineId);
/// The same as they were measured: where less is better, less is better.
BlockPairs as_measured(const Experiment& experiment, BlockPairs pairs);

/// ln(configuration / versus), one for each of the blocks in which both were measured.
std::vector<double> log_differences(const Experiment& experiment, const std::vector<Block>& blocks, std::int64_t configuration_id,
                                    std::int64_t versus = kBaselineId);

/// The blocks of one phase.
std::vector<Block> only(const std::vector<Block>& blocks, Purpose purpose);

}  // namespace netsettle::strategies
