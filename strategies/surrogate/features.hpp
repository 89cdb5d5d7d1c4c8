#pragma once
// Configurations as points, so that the Euclidean distance says how alike they are.
//
// - A number lies in [0, 1] on its parameter's scale; as-found lies where the value found lies. On a linear scale that spans more than a
//   factor of ten (1 to 48 threads) it lies half way between its places on the linear and the logarithmic scale: what one thread more is
//   worth is a matter of ratios, where the CPUs run out is not.
// - A value without a place on that scale (a category, a special value, as-found where the machine's value is unknown) has coordinates of
//   its own: two different ones are 1 apart.
// - A parameter with a condition has one more coordinate that says whether it is active; inactive ones are equal to each other.
//
// Behind the coordinates stands the basis of the main effects: linear and quadratic (Legendre) of a number, one column a level. What each
// parameter does by itself is learnt from all trials with few unknowns, what they do together by distance.

#include <Eigen/Core>
#include <vector>

#include "datasets/model/search_space.hpp"

namespace netsettle::strategies {

/// Whether ratios matter between these ends of a range: more than a factor of ten.
bool is_wide(double low, double high);

class Features {
 public:
  explicit Features(const SearchSpace& space);

  /// Columns of a point: coordinates, then basis.
  Eigen::Index size() const { return coordinates() + basis_size_; }
  Eigen::Index coordinates() const { return static_cast<Eigen::Index>(parameter_.size()); }
  /// The parameter (its place among the domains of the space) that a coordinate belongs to; those of one share a length scale.
  const std::vector<std::size_t>& parameters() const { return parameter_; }
  std::size_t parameter_count() const { return places_.size(); }

  /// The point of a canonical configuration.
  Eigen::RowVectorXd point(const Configuration& configuration) const;
  /// The columns of the basis of rows of points.
  auto basis(const Eigen::MatrixXd& points) const { return points.rightCols(basis_size_); }
  /// Those of them that stand for levels: 1 where a parameter has this one, else 0.
  const std::vector<Eigen::Index>& level_columns() const { return level_columns_; }
  /// One row a configuration.
  Eigen::MatrixXd points(const std::vector<Configuration>& configurations) const;

 private:
  /// Where the coordinates of one parameter are, and what it takes to compute them.
  struct Place {
    std::string name;
    std::optional<Value> as_found;
    bool numeric = false;
    double ratios = 0;  // share of the logarithmic scale in the number's place, the rest is linear
    double shift = 0;   // added before the logarithm
    double low = 0, high = 1;
    std::vector<Value> levels;     // those that have a coordinate each
    Eigen::Index basis = 0;        // first of its columns behind the coordinates
    Eigen::Index number = -1;      // coordinate of the number, where numeric
    Eigen::Index first_level = 0;  // of the coordinates of `levels`
    Eigen::Index active = -1;      // coordinate that says whether it is active; -1: it always is
  };
  static Place place_of(const Domain& domain);
  static double unit(const Place& place, double number);
  void append(Place place, bool conditional);
  void write(const Place& place, const Value& value, Eigen::RowVectorXd& point) const;

  std::vector<Place> places_;
  std::vector<std::size_t> parameter_;
  std::vector<Eigen::Index> level_columns_;
  Eigen::Index basis_size_ = 0;
};

}  // namespace netsettle::strategies
