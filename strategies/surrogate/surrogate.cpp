#include "strategies/surrogate/surrogate.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace netsettle::strategies {
namespace {

constexpr std::size_t kFitted = 160;    // observations that the hyper-parameters are fitted to
constexpr std::size_t kModelled = 300;  // observations that the model is made of
constexpr double kPriorDegrees = 5;     // of the noise of one configuration
constexpr double kLeastWeight = 0.1, kMostWeight = 10;

/// Hyper-parameters are fitted anew at these numbers of observations only: each a fifth more than the one before.
std::size_t fitted_at(std::size_t n) {
  std::size_t at = 3;
  while (true) {
    const std::size_t next = at + std::max<std::size_t>(4, at / 5);
    if (next > n) return at;
    at = next;
  }
}

/// FNV-1a over numbers, as a name for data.
class Digest {
 public:
  void add(std::uint64_t number) {
    for (int i = 0; i < 8; ++i) value_ = (value_ ^ ((number >> (8 * i)) & 0xff)) * 0x100000001b3;
  }
  void add(double number) { add(std::bit_cast<std::uint64_t>(number)); }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325;
};

std::uint64_t digest_of(const Observations& observations) {
  Digest digest;
  for (const double value : observations.values) digest.add(value);
  for (const double time : observations.times) digest.add(time);
  for (const double weight : observations.weights) digest.add(weight);
  for (Eigen::Index i = 0; i < observations.points.size(); ++i) digest.add(observations.points.data()[i]);
  return digest.value();
}

/// What `fit` finds, once for the same observations.
template <typename Fit>
HyperParameters fitted(const Fit& fit, const Observations& observations, const Features& features, SurrogateMemory* memory) {
  if (memory == nullptr) return fit(observations);
  const std::uint64_t digest = digest_of(observations);
  if (const auto* known = memory->find(digest))
    return HyperParameters::from(Eigen::Map<const Eigen::VectorXd>(known->data(), static_cast<Eigen::Index>(known->size())),
                                 features.parameter_count());
  HyperParameters found = fit(observations);
  const Eigen::VectorXd vector = found.vector();
  memory->keep(digest, {vector.begin(), vector.end()});
  return found;
}

Observations rows(const Observations& all, const std::vector<Eigen::Index>& chosen) {
  return {
      .points = all.points(chosen, Eigen::all), .times = all.times(chosen), .values = all.values(chosen), .weights = all.weights(chosen)};
}

/// At most `most` of n, spread evenly: what is chosen by its value would look less noisy than it is.
std::vector<Eigen::Index> even(std::size_t n, std::size_t most) {
  std::vector<Eigen::Index> chosen(std::min(n, most));
  for (std::size_t i = 0; i < chosen.size(); ++i) chosen[i] = static_cast<Eigen::Index>(i * n / chosen.size());
  return chosen;
}

/// At most `most` observations, in their order: the better half of the room for the best, the rest spread evenly over the others.
std::vector<Eigen::Index> representative(const Eigen::VectorXd& values, std::size_t n, std::size_t most) {
  std::vector<Eigen::Index> order(n);
  std::iota(order.begin(), order.end(), 0);
  if (n <= most) return order;
  std::ranges::stable_sort(order, std::greater{}, [&](Eigen::Index i) { return values[i]; });
  std::vector<Eigen::Index> chosen(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(most / 2));
  std::vector<Eigen::Index> others(order.begin() + static_cast<std::ptrdiff_t>(most / 2), order.end());
  std::ranges::sort(others);
  const std::size_t room = most - chosen.size();
  for (std::size_t i = 0; i < room; ++i) chosen.push_back(others[i * others.size() / room]);
  std::ranges::sort(chosen);
  return chosen;
}

double quantile(std::vector<double> values, double share) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::ranges::nth_element(values, at);
  return *at;
}

/// Far below the others nothing is to be learnt but that it is far below (statistics.md 7.2).
Eigen::VectorXd winsorised(const Eigen::VectorXd& values) {
  const std::vector<double> all(values.begin(), values.end());
  const double low = quantile(all, 0.25), high = quantile(all, 0.75);
  return values.cwiseMax(low - 1.5 * (high - low) - 0.3);
}

/// Of each trial, the variance of its noise over the usual: what its settings let expect (`expected`), corrected by how the trials of its
/// configuration differ from each other (their sum of squares, drawn towards the pooled one with kPriorDegrees).
Eigen::VectorXd noise_weights(const std::vector<SeenTrial>& trials, const Eigen::VectorXd& values, const Eigen::VectorXd& expected) {
  struct Group {
    std::vector<double> values;
    double sum_of_squares = 0;  // over what is expected
  };
  std::map<std::int64_t, Group> groups;
  for (std::size_t i = 0; i < trials.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    groups[trials[i].configuration_id].values.push_back(values[row] / std::sqrt(expected[row]));
  }
  double squares = 0, degrees = 0;
  for (auto& [id, group] : groups) {
    const double mean = std::accumulate(group.values.begin(), group.values.end(), 0.0) / static_cast<double>(group.values.size());
    for (const double value : group.values) group.sum_of_squares += (value - mean) * (value - mean);
    squares += group.sum_of_squares;
    degrees += static_cast<double>(group.values.size()) - 1;
  }
  if (degrees < 1 || squares <= 0) return expected;
  Eigen::VectorXd weights = expected;
  const double pooled = squares / degrees;
  for (std::size_t i = 0; i < trials.size(); ++i) {
    const Group& group = groups[trials[i].configuration_id];
    const double own = static_cast<double>(group.values.size()) - 1;
    if (own < 1) continue;
    const double ratio = (kPriorDegrees * pooled + group.sum_of_squares) / ((kPriorDegrees + own) * pooled);
    weights[static_cast<Eigen::Index>(i)] *= std::clamp(ratio, kLeastWeight, kMostWeight);
  }
  return weights;
}

using Points = std::map<std::int64_t, Eigen::RowVectorXd>;

Points points_of(const StudyView& study, const Features& features, const SurrogateData& data) {
  std::set<std::int64_t> wanted{kBaselineId};
  for (const SeenTrial& trial : data.trials) wanted.insert(trial.configuration_id);
  for (const auto& [id, works] : data.works) wanted.insert(id);
  Points points;
  for (const StudyConfiguration& configuration : study.configurations)
    if (wanted.contains(configuration.id)) points[configuration.id] = features.point(configuration.configuration);
  return points;
}

Observations observations_of(const SurrogateData& data, const Points& points, Eigen::Index coordinates) {
  const auto n = static_cast<Eigen::Index>(data.trials.size());
  Observations seen{.points = Eigen::MatrixXd(n, coordinates),
                    .times = Eigen::VectorXd(n),
                    .values = Eigen::VectorXd(n),
                    .weights = Eigen::VectorXd::Ones(n)};
  for (Eigen::Index i = 0; i < n; ++i) {
    const SeenTrial& trial = data.trials[static_cast<std::size_t>(i)];
    seen.points.row(i) = points.at(trial.configuration_id);
    seen.times[i] = trial.time;
    seen.values[i] = trial.log_value;
  }
  return seen;
}

/// Hyper-parameters of the first observations up to the last scheduled fit: of nothing that came later, so that they are found once.
HyperParameters scheduled_fit(const Observations& seen, const Features& features, SurrogateMemory* memory) {
  const std::size_t n = fitted_at(static_cast<std::size_t>(seen.count()));
  const std::vector<Eigen::Index> chosen = even(n, kFitted);
  Observations some = rows(seen, chosen);
  some.values = winsorised(seen.values.head(static_cast<Eigen::Index>(n)))(chosen);
  const double mean = some.values.mean();
  const double scale = std::max(1e-6, std::sqrt((some.values.array() - mean).square().mean()));
  some.values = (some.values.array() - mean) / scale;
  const auto with_noise = [&](const Observations& observations) {
    return fit_with_noise(observations, features.parameters(), features.level_columns());
  };
  return fitted(with_noise, some, features, memory);
}

Feasibility feasibility_of(const SurrogateData& data, const Points& points, const Features& features, SurrogateMemory* memory) {
  const bool fails = std::ranges::any_of(data.works, [](const auto& entry) { return !entry.second; });
  if (!fails) return {};
  const auto n = static_cast<Eigen::Index>(data.works.size());
  Eigen::MatrixXd at(n, features.size());
  Eigen::VectorXd labels(n);
  Eigen::Index row = 0;
  for (const auto& [id, works] : data.works) {
    at.row(row) = points.at(id);
    labels[row++] = works ? 1 : -1;
  }
  const std::size_t count = std::min(data.works.size(), fitted_at(data.works.size()));
  const std::vector<Eigen::Index> chosen = representative(-labels, count, kFitted);
  const Observations some = label_observations(at(chosen, Eigen::all), labels(chosen));
  const auto plain = [&](const Observations& observations) { return fit(observations, features.parameters()); };
  return {at, labels, features.parameters(), fitted(plain, some, features, memory)};
}

}  // namespace

std::optional<Surrogate> Surrogate::of(const StudyView& study, const SurrogateData& data, SurrogateMemory* memory) {
  constexpr std::size_t kFewest = 3;
  const bool has_baseline = std::ranges::count(data.trials, kBaselineId, &SeenTrial::configuration_id) > 0;
  if (data.trials.size() < kFewest || !has_baseline) return std::nullopt;
  Surrogate surrogate(study.space);
  const Features& features = surrogate.features_;
  const Points points = points_of(study, features, data);
  Observations seen = observations_of(data, points, features.size());
  HyperParameters hyper = scheduled_fit(seen, features, memory);
  seen.values = winsorised(seen.values);
  seen.weights = noise_weights(data.trials, seen.values, hyper.noise_factors(features.basis(seen.points)));
  seen = rows(seen, representative(seen.values, static_cast<std::size_t>(seen.count()), kModelled));
  surrogate.level_ = seen.values.mean();
  surrogate.scale_ = std::max(1e-6, std::sqrt((seen.values.array() - surrogate.level_).square().mean()));
  seen.values = (seen.values.array() - surrogate.level_) / surrogate.scale_;
  surrogate.process_.emplace(std::move(seen), features.parameters(), std::move(hyper));
  surrogate.feasibility_ = feasibility_of(data, points, features, memory);
  surrogate.baseline_ = points.at(kBaselineId);
  return surrogate;
}

Eigen::VectorXd Surrogate::noise(const Eigen::MatrixXd& points) const {
  const HyperParameters& hyper = process_->hyper_parameters();
  return scale_ * std::exp(hyper.log_noise) * hyper.noise_factors(features_.basis(points)).cwiseSqrt();
}

std::pair<Eigen::VectorXd, Eigen::MatrixXd> Surrogate::versus_baseline(const Eigen::MatrixXd& points) const {
  Eigen::MatrixXd all(points.rows() + 1, points.cols());
  all << points, baseline_;
  auto [mean, covariance] = process_->joint(all);
  const Eigen::Index n = points.rows();
  const Eigen::VectorXd with_baseline = covariance.col(n).head(n);
  Eigen::MatrixXd difference = covariance.topLeftCorner(n, n);
  difference.colwise() -= with_baseline;
  difference.rowwise() -= with_baseline.transpose();
  difference.array() += covariance(n, n);
  const Eigen::VectorXd means = (mean.head(n).array() - mean[n]) * scale_;
  return {means, scale_ * scale_ * difference};
}

}  // namespace netsettle::strategies
