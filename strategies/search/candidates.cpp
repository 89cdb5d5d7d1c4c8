#include "strategies/search/candidates.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "strategies/designs/sample.hpp"
#include "strategies/surrogate/features.hpp"

namespace netsettle::strategies {
namespace {

constexpr int kAttempts = 10;
constexpr std::array kSteps = {0.03, 0.1, 0.3};   // of the range
constexpr std::array kChanged = {1, 1, 2, 2, 3};  // parameters at once
constexpr double kByRatio = 0.5;                  // probability that a step on a wide linear range is one in the logarithm
constexpr double kElsewhere = 0.1;                // probability that a number is drawn anew instead of moved

/// Another value of a range near this one.
Value moved(const Domain& domain, double number, Random& random) {
  const double shift = domain.low < 1 ? 1 - domain.low : 0;
  const bool logarithmic = domain.scale == Scale::logarithmic || (is_wide(domain.low, domain.high) && random.uniform() < kByRatio);
  const auto on_scale = [&](double x) { return logarithmic ? std::log(x + shift) : x; };
  const double low = on_scale(domain.low), high = on_scale(domain.high);
  const double step = kSteps[random.index(kSteps.size())] * random.normal() * (high - low);
  const double at = std::clamp(on_scale(std::clamp(number, domain.low, domain.high)) + step, low, high);
  double result = logarithmic ? std::exp(at) - shift : at;
  if (domain.step) result = domain.low + std::round((result - domain.low) / *domain.step) * *domain.step;
  if (domain.type == ParameterType::real) return std::clamp(result, domain.low, domain.high);
  const double grain = domain.step.value_or(1);
  if (std::round(result) == std::round(number)) result += step < 0 ? -grain : grain;
  if (result > domain.high + 1e-9 || result < domain.low - 1e-9) result = number;
  return static_cast<std::int64_t>(std::llround(result));
}

Value moved_level(const Domain& domain, const Value& value, Random& random) {
  const auto found = std::ranges::find(domain.levels, value);
  const bool ordered = std::ranges::all_of(domain.levels, [](const Value& level) { return number_of(level).has_value(); });
  if (!ordered || found == domain.levels.end()) return draw_value(domain, random);
  const auto count = std::ssize(domain.levels);
  const auto step =
      static_cast<std::ptrdiff_t>(std::llround(kSteps[random.index(kSteps.size())] * random.normal() * static_cast<double>(count)));
  const auto moved = (found - domain.levels.begin()) + (step == 0 ? (random.uniform() < 0.5 ? -1 : 1) : step);
  return domain.levels[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(moved, 0, count - 1))];
}

Value changed(const Domain& domain, const Value& value, Random& random) {
  const Value& meant = std::holds_alternative<AsFound>(value) && domain.as_found ? *domain.as_found : value;
  if (random.uniform() < kElsewhere) return draw_value(domain, random);
  if (!domain.levels.empty()) return moved_level(domain, meant, random);
  const auto number = number_of(meant);
  const bool special = std::ranges::count(domain.special, meant) > 0;
  if (!number || special || random.uniform() < 0.05 * static_cast<double>(!domain.special.empty())) return draw_value(domain, random);
  return moved(domain, *number, random);
}

/// With a value for what is not active, too.
Configuration filled(const SearchSpace& space, Configuration configuration, Random& random) {
  for (const Domain& domain : space.domains())
    if (!configuration.values.contains(domain.name)) configuration.values[domain.name] = draw_value(domain, random);
  return configuration;
}

std::optional<Configuration> allowed(const SearchSpace& space, const Configuration& configuration) {
  auto canonical = space.canonical(configuration);
  if (!canonical || !space.satisfies(*canonical)) return std::nullopt;
  return std::move(*canonical);
}

}  // namespace

std::optional<Configuration> mutated(const SearchSpace& space, const Configuration& parent, Random& random) {
  const std::vector<Domain>& domains = space.domains();
  if (domains.empty()) return std::nullopt;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    Configuration child = filled(space, parent, random);
    for (int changes = kChanged[random.index(kChanged.size())]; changes > 0; --changes) {
      const Domain& domain = domains[random.index(domains.size())];
      child.values[domain.name] = changed(domain, child.values[domain.name], random);
    }
    if (auto result = allowed(space, child)) return result;
  }
  return std::nullopt;
}

std::optional<Configuration> crossed(const SearchSpace& space, const Configuration& one, const Configuration& other, Random& random) {
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    Configuration child;
    for (const Domain& domain : space.domains()) {
      const auto& first = random.uniform() < 0.5 ? one : other;
      const auto& second = &first == &one ? other : one;
      auto value = first.values.find(domain.name);
      if (value == first.values.end()) {
        value = second.values.find(domain.name);
        if (value == second.values.end()) continue;
      }
      child.values[domain.name] = value->second;
    }
    if (auto result = allowed(space, filled(space, std::move(child), random))) return result;
  }
  return std::nullopt;
}

}  // namespace netsettle::strategies
