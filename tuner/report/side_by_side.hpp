#pragma once
// Configurations side by side: the difference of each pair within blocks, and how steady each is. What a person's own blocks say, and what
// the blocks of a record say. Pure.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "datasets/model/study_view.hpp"
#include "strategies/statistics/comparison.hpp"

namespace netsettle::tuner {

/// Which pairs are compared.
enum class Pairs { all, with_baseline };

/// The trials that blocks are taken from.
enum class BlockSource {
  fresh,     // a person's own blocks: the given trials, whatever they are
  settled,   // of a record: confirmation and a person's own; nobody was chosen by them
  searched,  // of a record: the search's too, where settled blocks are too few: who was ahead there looks better than it is
};

/// One configuration in the blocks that are compared. The last attempt at a place counts.
struct Steadiness {
  std::int64_t id = 0;
  int n = 0;  // measured trials
  int failed = 0, invalid = 0, suspect = 0;
  double mean = 0, minimum = 0, maximum = 0;       // of the objective as measured; meaningless where n is 0
  std::optional<double> coefficient_of_variation;  // absent below two values
  std::optional<double> worst_share;               // worst / mean, above 1 where less is better
};

struct PairDifference {
  std::int64_t id = 0, versus = 0;
  int blocks = 0;                                          // in which both were measured
  std::optional<strategies::PairedComparison> comparison;  // of ln(id / versus), more is better; absent below two blocks
};

struct SideBySide {
  BlockSource source = BlockSource::fresh;
  std::vector<Steadiness> configurations;  // in the order asked for
  std::vector<PairDifference> pairs;
  double alpha = 0.025;  // one-sided, of each pair's interval
  /// Of three or more, those that may be the best at 95 % together (Hsu), by the blocks in which all were measured; absent below two.
  std::optional<std::vector<std::int64_t>> may_be_best;
};

/// The configurations in the given trials. `alpha` is one-sided: 0.025 gives 95 % intervals.
SideBySide side_by_side(const StudyView& study, std::span<const Trial> trials, std::span<const std::int64_t> configurations, Pairs pairs,
                        double alpha);

/// The same by what the record holds: settled blocks where every pair has two of them, else those of the search as well. Trials of another
/// record count only where there are no others.
SideBySide side_by_side_in_record(const StudyView& study, std::span<const std::int64_t> configurations);

}  // namespace netsettle::tuner
