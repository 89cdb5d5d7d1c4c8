#pragma once
// Words for people: percentages, configurations, verdict sentences. Decides nothing.

#include <string>

#include "datasets/model/search_space.hpp"
#include "strategies/statistics/comparison.hpp"

namespace netsettle::strategies {

/// 0.031 → "3.1 %", 0.31 → "31 %", -0.02 → "−2.0 %".
std::string percent(double fraction);
/// The same with a plus sign: "+3.1 %".
std::string signed_percent(double fraction);

/// "processes=2, rmem=4 MiB": what the configuration changes, in the order of the space; as-found values are left out.
/// "the settings you had" where it changes nothing.
std::string describe_changes(const Configuration& configuration, const SearchSpace& space);

/// "95 %" of an interval at one-sided alpha 0.025.
std::string level(double alpha);

/// "95 % interval"; of several finalists, each at alpha / finalists, "simultaneous 95 % interval over the 4 finalists".
std::string interval_name(double alpha, int finalists);

/// "1 block", "6 blocks".
std::string counted(int n, std::string_view singular);

/// "+3.0 % (95 % interval −2.0 % to +8.0 %) in 6 fresh blocks", of one of several `finalists` at comparison.alpha.
std::string measured_text(const PairedComparison& comparison, int finalists = 1);

}  // namespace netsettle::strategies
