#pragma once
// What `simulate` found, as a table or as JSON.

#include <span>
#include <string>

#include "tuner/cli/simulate_runs.hpp"

namespace netsettle::tuner {

enum class Completeness { whole, interrupted };

/// A table for each budget, rows without a study left out; with several machines, a row of means over them for each strategy whose machines
/// are all there.
std::string simulation_tables(const SimulationPlan& plan, std::span<const SimulatedCell> cells, std::size_t width);

std::string simulation_json(const SimulationPlan& plan, std::span<const SimulatedCell> cells, Completeness completeness);

}  // namespace netsettle::tuner
