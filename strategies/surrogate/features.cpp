#include "strategies/surrogate/features.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace netsettle::strategies {
namespace {

constexpr double kMiddle = 0.5;                     // where an inactive number lies
constexpr double kInactive = 0.5;                   // how far active and inactive are apart in their own coordinate
constexpr double kLevel = 1 / std::numbers::sqrt2;  // two different levels are 1 apart
constexpr double kWide = 10;                        // ratio of the ends of a range
constexpr double kRatiosOfWide = 0.5;

std::optional<std::vector<double>> numbers_of(const std::vector<Value>& values) {
  std::vector<double> numbers;
  for (const Value& value : values) {
    const auto number = number_of(value);
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

/// Where a number lies between two others. A machine's own value may lie outside; how far outside does not matter beyond their distance.
double between(double low, double high, double number) { return std::clamp((number - low) / std::max(high - low, 1e-12), -1.0, 2.0); }

}  // namespace

bool is_wide(double low, double high) { return low > 0 && high / low > kWide; }

double Features::unit(const Place& place, double number) {
  const auto logarithm = [&](double x) { return std::log(std::max(x + place.shift, 1e-300)); };
  return (1 - place.ratios) * between(place.low, place.high, number) +
         place.ratios * between(logarithm(place.low), logarithm(place.high), logarithm(number));
}

Features::Place Features::place_of(const Domain& domain) {
  Place place{.name = domain.name, .as_found = domain.as_found, .low = domain.low, .high = domain.high};
  place.numeric = domain.levels.empty();
  if (const auto numbers = numbers_of(domain.levels); numbers && numbers->size() > 1) {
    const auto [least, most] = std::ranges::minmax(*numbers);
    place.numeric = true;
    place.low = least;
    place.high = most;
    place.ratios = is_wide(place.low, place.high) ? 1 : 0;
  } else if (place.numeric) {
    place.ratios = domain.scale == Scale::logarithmic ? 1 : is_wide(place.low, place.high) ? kRatiosOfWide : 0;
  }
  // Zero has no logarithm.
  if (place.numeric && domain.scale == Scale::logarithmic && place.low <= 0) place.shift = 1 - place.low;
  place.levels = place.numeric ? domain.special : domain.levels;
  const bool has_place =
      domain.as_found && (place.numeric ? number_of(*domain.as_found).has_value() : std::ranges::count(place.levels, *domain.as_found) > 0);
  if (!has_place) {
    place.as_found.reset();
    place.levels.push_back(AsFound{});
  }
  return place;
}

void Features::append(Place place, bool conditional) {
  const std::size_t index = places_.size();
  const auto add = [&](std::size_t count) {
    const auto first = coordinates();
    parameter_.insert(parameter_.end(), count, index);
    return first;
  };
  if (place.numeric) place.number = add(1);
  place.first_level = add(place.levels.size());
  if (conditional) place.active = add(1);
  place.basis = basis_size_;
  basis_size_ += place.numeric ? 2 : 0;
  for (std::size_t i = 0; i < place.levels.size(); ++i) level_columns_.push_back(basis_size_++);
  places_.push_back(std::move(place));
}

Features::Features(const SearchSpace& space) {
  for (const Domain& domain : space.domains()) append(place_of(domain), space.is_conditional(domain.name));
}

void Features::write(const Place& place, const Value& value, Eigen::RowVectorXd& point) const {
  const Value& meant = std::holds_alternative<AsFound>(value) && place.as_found ? *place.as_found : value;
  const auto level = std::ranges::find(place.levels, meant);
  const Eigen::Index basis = coordinates() + place.basis;
  if (level != place.levels.end()) {
    const auto index = level - place.levels.begin();
    point[place.first_level + index] = kLevel;
    point[basis + (place.numeric ? 2 : 0) + index] = 1;
    return;
  }
  if (!place.numeric) return;
  const double unit = Features::unit(place, number_of(meant).value_or(place.low));
  point[place.number] = unit;
  // Legendre polynomials on [0, 1], normalised.
  const double u = 2 * unit - 1;
  point[basis] = std::sqrt(3) * u;
  point[basis + 1] = std::sqrt(5) / 2 * (3 * u * u - 1);
}

Eigen::RowVectorXd Features::point(const Configuration& configuration) const {
  Eigen::RowVectorXd point = Eigen::RowVectorXd::Zero(size());
  for (const Place& place : places_) {
    if (place.number >= 0) point[place.number] = kMiddle;
    const auto value = configuration.values.find(place.name);
    if (value == configuration.values.end()) continue;
    if (place.active >= 0) point[place.active] = kInactive;
    write(place, value->second, point);
  }
  return point;
}

Eigen::MatrixXd Features::points(const std::vector<Configuration>& configurations) const {
  Eigen::MatrixXd points(static_cast<Eigen::Index>(configurations.size()), size());
  Eigen::Index row = 0;
  for (const Configuration& configuration : configurations) points.row(row++) = point(configuration);
  return points;
}

}  // namespace netsettle::strategies
