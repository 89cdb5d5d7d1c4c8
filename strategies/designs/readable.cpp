#include "strategies/designs/readable.hpp"

#include <cmath>

namespace netsettle::strategies {
namespace {

constexpr double kKib = 1024, kCountedInKib = 10 * kKib;

double unit_of(double number, ParameterType type) { return type == ParameterType::bytes && number >= kCountedInKib ? kKib : 1; }

/// What two readable numbers of this size differ by, in units.
double digit_of(double count) { return count < 100 ? 1 : std::pow(10, std::floor(std::log10(count)) - 1); }

}  // namespace

double readable(double number, ParameterType type) {
  const double unit = unit_of(number, type);
  const double count = number / unit;
  const double digit = digit_of(count);
  return std::round(count / digit) * digit * unit;
}

double next_readable(double number, ParameterType type) {
  const double unit = unit_of(number, type);
  const double count = number / unit;
  const double digit = digit_of(count);
  const double next = (std::floor(count / digit + 1e-9) + 1) * digit * unit;
  return unit < unit_of(next, type) ? kCountedInKib : next;
}

}  // namespace netsettle::strategies
