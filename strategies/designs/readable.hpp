#pragma once
// Numbers that people would write: two significant digits, of KiB where they are bytes and large enough. Nobody needs 3000310, and fewer
// different values are repeated more often.

#include "datasets/model/parameter.hpp"

namespace netsettle::strategies {

/// The readable number nearest to one that is at least 0.
double readable(double number, ParameterType type);

/// The smallest readable number above one that is at least 1.
double next_readable(double number, ParameterType type);

}  // namespace netsettle::strategies
