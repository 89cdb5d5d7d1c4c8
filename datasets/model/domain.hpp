#pragma once
// What a single Domain is: how it follows from a parameter, what it contains, which levels it has. Private to this folder; SearchSpace
// is what others use.

#include <cstdint>
#include <optional>
#include <vector>

#include "datasets/model/search_space.hpp"

namespace netsettle {

/// Works the range out. Failure: invalid_input with the parameter's name as subject.
Expected<Domain> resolve_domain(const Parameter& parameter, const Facts& facts, const AsFoundValues& as_found);

/// Whether it is a level, inside the range (and on its steps), or a special value. as-found always is.
bool contains(const Domain& domain, const Value& value);

/// The value in the type of the domain (a whole number for a real one becomes a double), as-found where it equals the value found.
/// Failure: invalid_input where the domain does not contain it.
Expected<Value> normalized(const Domain& domain, const Value& value);

/// Every value, as-found first, then the levels in their order or the range upwards, then special ones; nullopt for a real range without
/// steps and for more than `limit`.
std::optional<std::vector<Value>> all_values(const Domain& domain, std::uint64_t limit);

/// How expressions see a value; as-found is no value.
ExpressionValue to_expression_value(const Value& value);

}  // namespace netsettle
