#include "strategies/designs/cube_axis.hpp"

#include <algorithm>
#include <cmath>

#include "strategies/designs/readable.hpp"

namespace netsettle::strategies {
namespace {

constexpr double kOwnCell = 0.1;     // width of the cell of a value outside the range
constexpr double kMostOwn = 0.5;     // of all of these together
constexpr double kMostCells = 2000;  // a linear range with more whole numbers is as good as real

bool is_whole(ParameterType type) { return is_numeric(type) && type != ParameterType::real; }

std::optional<double> number_in(const Value& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(&value)) return *real;
  return std::nullopt;
}

Value number_as(ParameterType type, double number) {
  return is_whole(type) ? Value(static_cast<std::int64_t>(std::llround(number))) : Value(number);
}

double on_scale(bool logarithmic, double number) { return logarithmic ? std::log(number) : number; }

/// Whether the levels or the range have this value.
bool is_regular(const Domain& domain, const Value& value) {
  if (!domain.levels.empty()) return std::ranges::find(domain.levels, value) != domain.levels.end();
  const auto number = number_in(value);
  return number && *number >= domain.low && *number <= domain.high;
}

/// The numbers of a range that have a cell each, upwards; empty where it is taken as real.
std::vector<double> numbers_of(const Domain& domain) {
  std::vector<double> numbers;
  if (domain.step || (is_whole(domain.type) && domain.scale == Scale::linear)) {
    const double step = domain.step.value_or(1);
    const double steps = std::floor((domain.high - domain.low) / step + 1e-9);
    if (steps >= kMostCells) return {};
    for (double i = 0; i <= steps; ++i) numbers.push_back(std::min(domain.low + i * step, domain.high));
    return numbers;
  }
  if (!is_whole(domain.type)) return {};
  for (double number = domain.low; number < domain.high; number = next_readable(number, domain.type)) numbers.push_back(number);
  numbers.push_back(domain.high);
  if (domain.as_found && is_regular(domain, *domain.as_found)) numbers.push_back(*number_in(*domain.as_found));
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

/// Cells whose widths are still relative to each other, with low = 0.
CubeCell wide(double width, std::optional<Value> value) { return {.low = 0, .high = width, .value = std::move(value)}; }

/// A number's cell reaches half-way to its neighbours, and as far beyond the ends.
std::vector<CubeCell> number_cells(const Domain& domain, const std::vector<double>& numbers) {
  const bool logarithmic = domain.scale == Scale::logarithmic;
  const std::size_t last = numbers.size() - 1;
  if (last == 0) return {wide(1, number_as(domain.type, numbers[0]))};
  const auto border = [&](std::size_t i) {  // below number i
    if (i == 0) return on_scale(logarithmic, numbers[0] - (numbers[1] - numbers[0]) / 2);
    if (i > last) return on_scale(logarithmic, numbers[last] + (numbers[last] - numbers[last - 1]) / 2);
    return on_scale(logarithmic, (numbers[i - 1] + numbers[i]) / 2);
  };
  std::vector<CubeCell> cells;
  for (std::size_t i = 0; i <= last; ++i) cells.push_back(wide(border(i + 1) - border(i), number_as(domain.type, numbers[i])));
  return cells;
}

std::vector<CubeCell> regular_cells(const Domain& domain) {
  std::vector<CubeCell> cells;
  for (const Value& level : domain.levels) cells.push_back(wide(1, level));
  if (!cells.empty()) return cells;
  const std::vector<double> numbers = numbers_of(domain);
  return numbers.empty() ? std::vector{wide(1, std::nullopt)} : number_cells(domain, numbers);
}

/// Cells beside the regular ones, in their order.
struct OwnCells {
  std::vector<CubeCell> below, above;
};

OwnCells own_cells(const Domain& domain, const CubeShares& shares) {
  OwnCells own;
  const auto add = [&](const Value& value, const std::optional<Value>& meaning, double width) {
    const auto number = meaning ? number_in(*meaning) : std::nullopt;
    const bool is_above = domain.levels.empty() && number && *number > domain.high;
    (is_above ? own.above : own.below).push_back(wide(width, value));
  };
  if (shares.as_found > 0 || !domain.as_found || !is_regular(domain, *domain.as_found))
    add(AsFound{}, domain.as_found, shares.as_found > 0 ? shares.as_found : kOwnCell);
  for (const Value& special : domain.special) {
    if (shares.special <= 0 && (is_regular(domain, special) || special == domain.as_found)) continue;
    add(special, special, shares.special > 0 ? shares.special / static_cast<double>(domain.special.size()) : kOwnCell);
  }
  return own;
}

double width_of(const std::vector<CubeCell>& cells) {
  double sum = 0;
  for (const CubeCell& cell : cells) sum += cell.high;
  return sum;
}

void scale(std::vector<CubeCell>& cells, double factor) {
  for (CubeCell& cell : cells) cell.high *= factor;
}

void make_equal(std::vector<CubeCell>& cells) {
  for (CubeCell& cell : cells) cell.high = 1 / static_cast<double>(cells.size());
}

/// From widths to places.
void line_up(std::vector<CubeCell>& cells) {
  double place = 0;
  for (CubeCell& cell : cells) {
    cell.low = place;
    cell.high += place;
    place = cell.high;
  }
  cells.back().high = 1;
}

/// The number at a place of the real range's cell.
Value number_at(const CubeAxis& axis, const CubeCell& cell, double coordinate) {
  const double share = std::clamp((coordinate - cell.low) / (cell.high - cell.low), 0.0, 1.0);
  const double low = on_scale(axis.logarithmic, axis.range_low), high = on_scale(axis.logarithmic, axis.range_high);
  const double scaled = low + share * (high - low);
  const double number = std::clamp(axis.logarithmic ? std::exp(scaled) : scaled, axis.range_low, axis.range_high);
  return number_as(axis.type, number);
}

double place_of_number(const CubeAxis& axis, double number) {
  const CubeCell* nearest = nullptr;
  double least = 0;
  for (const CubeCell& cell : axis.cells) {
    if (!cell.value) {
      if (number < axis.range_low || number > axis.range_high || axis.range_low == axis.range_high) continue;
      const double low = on_scale(axis.logarithmic, axis.range_low), high = on_scale(axis.logarithmic, axis.range_high);
      return cell.low + (cell.high - cell.low) * (on_scale(axis.logarithmic, number) - low) / (high - low);
    }
    const auto here = number_in(*cell.value);
    if (!here || (nearest != nullptr && std::abs(*here - number) >= least)) continue;
    nearest = &cell;
    least = std::abs(*here - number);
  }
  return nearest == nullptr ? 0.5 : (nearest->low + nearest->high) / 2;
}

}  // namespace

CubeAxis cube_axis(const Domain& domain, const CubeShares& shares) {
  CubeAxis axis{.name = domain.name,
                .type = domain.type,
                .ordered = is_numeric(domain.type),
                .logarithmic = domain.levels.empty() && domain.scale == Scale::logarithmic,
                .range_low = domain.low,
                .range_high = domain.high,
                .as_found = domain.as_found,
                .cells = {}};
  std::vector<CubeCell> regular = regular_cells(domain);
  auto [below, above] = own_cells(domain, shares);
  const double wanted = width_of(below) + width_of(above), owned = std::min(wanted, kMostOwn);
  if (wanted > 0) {
    scale(below, owned / wanted);
    scale(above, owned / wanted);
  }
  scale(regular, (1 - owned) / width_of(regular));
  axis.cells = std::move(below);
  axis.cells.insert(axis.cells.end(), regular.begin(), regular.end());
  axis.cells.insert(axis.cells.end(), above.begin(), above.end());
  const bool fixed_shares = shares.as_found > 0 || shares.special > 0;
  if (!domain.levels.empty() && !fixed_shares) make_equal(axis.cells);
  line_up(axis.cells);
  return axis;
}

const CubeCell& cell_at(const CubeAxis& axis, double coordinate) {
  const auto above = std::ranges::upper_bound(axis.cells, coordinate, {}, &CubeCell::low);
  return above == axis.cells.begin() ? axis.cells.front() : *std::prev(above);
}

Value value_at(const CubeAxis& axis, double coordinate) {
  const CubeCell& cell = cell_at(axis, coordinate);
  return cell.value ? *cell.value : number_at(axis, cell, coordinate);
}

double place_of(const CubeAxis& axis, const Value& value) {
  const auto found = std::ranges::find(axis.cells, std::optional(value), &CubeCell::value);
  if (found != axis.cells.end()) return (found->low + found->high) / 2;
  if (std::holds_alternative<AsFound>(value)) return axis.as_found ? place_of(axis, *axis.as_found) : 0.5;
  const auto number = number_in(value);
  return number ? place_of_number(axis, *number) : 0.5;
}

}  // namespace netsettle::strategies
