#include "strategies/surrogate/features.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace netsettle::strategies {
namespace {

constexpr double kMiddle = 0.5;                     // where an inactive number lies
constexpr double kInactive = 0.5;                   // how far active and inactive are apart in their own coordinate
constexpr double kWideRange = 10;                   // levels that span more than this ratio are spaced by their logarithms
constexpr double kLevel = 1 / std::numbers::sqrt2;  // two different levels are 1 apart

std::optional<std::vector<double>> numbers_of(const std::vector<Value>& values) {
  std::vector<double> numbers;
  for (const Value& value : values) {
    const auto number = number_of(value);
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

}  // namespace

double Features::on_scale(const Place& place, double number) {
  return place.logarithmic ? std::log(std::max(number + place.shift, 1e-300)) : number;
}

Features::Place Features::place_of(const Domain& domain) {
  Place place{.name = domain.name, .as_found = domain.as_found};
  double low = domain.low, high = domain.high;
  place.logarithmic = domain.scale == Scale::logarithmic;
  place.numeric = domain.levels.empty();
  if (const auto numbers = numbers_of(domain.levels); numbers && numbers->size() > 1) {
    const auto [least, most] = std::ranges::minmax(*numbers);
    place.numeric = true;
    low = least;
    high = most;
    place.logarithmic = low > 0 && high / low > kWideRange;
  }
  if (place.numeric) {
    // Zero has no logarithm.
    if (place.logarithmic && low < 1) place.shift = low > 0 ? 0 : 1 - low;
    place.low = on_scale(place, low);
    place.high = std::max(on_scale(place, high), place.low + 1e-12);
    place.levels = domain.special;
  } else {
    place.levels = domain.levels;
  }
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
  const double at = on_scale(place, number_of(meant).value_or(place.low));
  // A machine's own value may lie outside the range; how far outside does not matter beyond the range's own width.
  const double unit = std::clamp((at - place.low) / (place.high - place.low), -1.0, 2.0);
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
