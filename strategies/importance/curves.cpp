#include "strategies/importance/curves.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "strategies/designs/readable.hpp"

namespace netsettle::strategies {
namespace {

constexpr int kGridPoints = 9;
constexpr std::size_t kFewValues = 16;
constexpr double kDeviations = 2;

bool is_whole(ParameterType type) { return is_numeric(type) && type != ParameterType::real; }

double snapped(const Domain& domain, double number) {
  if (domain.step) return domain.low + std::round((number - domain.low) / *domain.step) * *domain.step;
  if (!is_whole(domain.type)) return number;
  return domain.scale == Scale::logarithmic ? readable(number, domain.type) : std::round(number);
}

Value value_of(const Domain& domain, double number) {
  const double inside = std::clamp(number, domain.low, domain.high);
  return is_whole(domain.type) ? Value(static_cast<std::int64_t>(std::llround(inside))) : Value(inside);
}

/// All numbers of a range with few, else some over its scale.
std::vector<Value> range_values(const Domain& domain) {
  std::vector<Value> values;
  const double step = domain.step.value_or(1);
  const bool has_steps = domain.step || is_whole(domain.type);
  if (has_steps && (domain.high - domain.low) / step < static_cast<double>(kFewValues)) {
    for (double number = domain.low; number <= domain.high + 1e-9 * step; number += step) values.push_back(value_of(domain, number));
    return values;
  }
  const bool logarithmic = domain.scale == Scale::logarithmic && domain.low > 0;
  for (int i = 0; i < kGridPoints; ++i) {
    const double share = static_cast<double>(i) / (kGridPoints - 1);
    const double number = logarithmic ? domain.low * std::pow(domain.high / domain.low, share) : std::lerp(domain.low, domain.high, share);
    values.push_back(value_of(domain, snapped(domain, number)));
  }
  return values;
}

std::vector<Value> values_to_try(const Domain& domain, const Value& centre) {
  std::vector<Value> values = domain.levels.empty() ? range_values(domain) : domain.levels;
  values.insert(values.end(), domain.special.begin(), domain.special.end());
  values.emplace_back(AsFound{});
  values.push_back(centre);
  return values;
}

struct Variant {
  Value value;
  Configuration configuration;
};

/// Where a value stands among the numbers; what has no place comes first.
double place_of(const Domain& domain, const Value& value) {
  const Value& meant = std::holds_alternative<AsFound>(value) && domain.as_found ? *domain.as_found : value;
  if (const auto* whole = std::get_if<std::int64_t>(&meant)) return static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(&meant)) return *real;
  return -std::numeric_limits<double>::infinity();
}

/// `centre` with each of the values of one parameter that the constraints allow, each value once.
std::vector<Variant> variants_of(const SearchSpace& space, const Domain& domain, const Configuration& centre) {
  std::vector<Variant> variants;
  std::set<Value> seen;
  for (const Value& value : values_to_try(domain, centre.values.at(domain.name))) {
    Configuration changed = centre;
    for (const Domain& other : space.domains()) changed.values.try_emplace(other.name, AsFound{});
    changed.values[domain.name] = value;
    const auto configuration = space.canonical(changed);
    if (!configuration || !space.satisfies(*configuration)) continue;
    const auto canonical = configuration->values.find(domain.name);
    if (canonical == configuration->values.end() || !seen.insert(canonical->second).second) continue;
    variants.push_back({.value = canonical->second, .configuration = *configuration});
  }
  if (is_numeric(domain.type))
    std::ranges::stable_sort(variants, {}, [&](const Variant& variant) { return place_of(domain, variant.value); });
  return variants;
}

Curve curve_of(const EffectModel& model, const std::string& parameter, const std::vector<Variant>& variants, const Configuration& centre) {
  std::vector<Configuration> configurations = {centre};
  for (const Variant& variant : variants) configurations.push_back(variant.configuration);
  const JointBelief belief = model.joint(configurations);
  Curve curve{.parameter = parameter, .points = {}, .range = {}};
  std::size_t best = 1, worst = 1;
  for (std::size_t i = 1; i < configurations.size(); ++i) {
    const Value& value = variants[i - 1].value;
    const NormalBelief versus_centre = belief.difference(i, 0);
    const bool is_centre = value == centre.values.at(parameter);
    curve.points.push_back({.value = value, .is_centre = is_centre, .versus_baseline = belief.of(i), .versus_centre = versus_centre});
    if (!is_centre) curve.bound = std::max(curve.bound, std::abs(versus_centre.mean) + kDeviations * versus_centre.standard_deviation);
    if (belief.mean[i] > belief.mean[best]) best = i;
    if (belief.mean[i] < belief.mean[worst]) worst = i;
  }
  curve.range = belief.difference(best, worst);
  curve.is_visible = best != worst && curve.range.mean > kDeviations * curve.range.standard_deviation;
  return curve;
}

}  // namespace

std::vector<Curve> curves_through(const SearchSpace& space, const EffectModel& model, const Configuration& centre) {
  std::vector<Curve> curves;
  for (const Domain& domain : space.domains()) {
    if (!centre.values.contains(domain.name)) continue;
    const auto variants = variants_of(space, domain, centre);
    if (variants.size() > 1) curves.push_back(curve_of(model, domain.name, variants, centre));
  }
  return curves;
}

}  // namespace netsettle::strategies
