#include "strategies/designs/sample.hpp"

#include <algorithm>
#include <cmath>

#include "strategies/designs/readable.hpp"

namespace netsettle::strategies {
namespace {

bool is_whole(ParameterType type) {
  return type == ParameterType::integer || type == ParameterType::bytes || type == ParameterType::duration;
}

/// low, low + step, … up to high, each as likely as the others.
double draw_step(const Domain& domain, double step, Random& random) {
  const auto steps = static_cast<std::int64_t>(std::floor((domain.high - domain.low) / step + 1e-9));
  return domain.low + step * static_cast<double>(random.integer(0, steps));
}

/// Uniform in the logarithm. A range that starts below 1 is moved there first: zero has no logarithm.
double draw_logarithmic(const Domain& domain, Random& random) {
  const double shift = domain.low < 1 && is_whole(domain.type) ? 1 - domain.low : 0;
  const double low = std::log(domain.low + shift), high = std::log(domain.high + shift);
  return std::exp(low + (high - low) * random.uniform()) - shift;
}

Value draw_from_range(const Domain& domain, Random& random) {
  double number = 0;
  if (domain.step)
    number = draw_step(domain, *domain.step, random);
  else if (domain.scale == Scale::logarithmic)
    number = is_whole(domain.type) ? readable(draw_logarithmic(domain, random), domain.type) : draw_logarithmic(domain, random);
  else if (is_whole(domain.type))
    return random.integer(static_cast<std::int64_t>(std::ceil(domain.low)), static_cast<std::int64_t>(std::floor(domain.high)));
  else
    number = domain.low + (domain.high - domain.low) * random.uniform();
  number = std::clamp(number, domain.low, domain.high);
  return is_whole(domain.type) ? Value(static_cast<std::int64_t>(std::llround(number))) : Value(number);
}

}  // namespace

Value draw_value(const Domain& domain, Random& random, const SampleOptions& options) {
  if (random.uniform() < options.as_found) return AsFound{};
  if (!domain.special.empty() && random.uniform() < options.special) return domain.special[random.index(domain.special.size())];
  if (!domain.levels.empty()) return domain.levels[random.index(domain.levels.size())];
  return draw_from_range(domain, random);
}

std::optional<Configuration> draw_configuration(const SearchSpace& space, Random& random, const SampleOptions& options) {
  for (int attempt = 0; attempt < options.attempts; ++attempt) {
    Configuration drawn;
    for (const Domain& domain : space.domains()) drawn.values[domain.name] = draw_value(domain, random, options);
    const auto canonical = space.canonical(drawn);
    if (canonical && space.satisfies(*canonical)) return *canonical;
  }
  return std::nullopt;
}

}  // namespace netsettle::strategies
