#pragma once
// Rules of the experiment file that concern more than one table: names in expressions, settings that two parameters change, conditions in
// a circle, where a search starts, a budget that ends. Private to this folder.

#include <vector>

#include "datasets/model/experiment_parameters.hpp"
#include "datasets/model/table_reader.hpp"

namespace netsettle {

/// [constraints] require. The names in them are checked by check_expressions.
std::vector<PlacedExpression> read_constraints(TableReader& reader);

/// Every name is known and may stand there; numbers, texts and truth values stand where they fit; constants can be computed.
void check_expressions(const std::vector<PlacedParameter>& parameters, const std::vector<PlacedExpression>& require,
                       Diagnostics& diagnostics);

/// No setting is changed twice.
void check_settings_once(const std::vector<PlacedParameter>& parameters, Diagnostics& diagnostics);

/// irqbalance as a parameter: not beside a policy that settles it for the whole study, and interrupts are placed only where it does not
/// move them.
void check_irqbalance(const std::vector<PlacedParameter>& parameters, IrqbalancePolicy policy, Diagnostics& diagnostics);

/// No parameter's `when` leads back to itself.
void check_condition_circles(const std::vector<PlacedParameter>& parameters, Diagnostics& diagnostics);

/// [search] start: parameters that an entry does not name are as found.
std::vector<Configuration> read_start(TableReader& reader, const std::vector<PlacedParameter>& parameters);

}  // namespace netsettle
