#include "strategies/search/acquisition.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "strategies/designs/sample.hpp"
#include "strategies/search/candidates.hpp"
#include "strategies/surrogate/path.hpp"

namespace netsettle::strategies {
namespace {

constexpr int kCandidates = 400, kRounds = 4, kParents = 4, kChildren = 15;
constexpr double kRandomShare = 0.35, kCrossedShare = 0.2, kTopShare = 0.7;
constexpr std::size_t kTop = 6, kVeryTop = 3;
constexpr double kForbidden = 1e3;  // more than any value of a standardised process

/// A score for each candidate, larger is better.
class Score {
 public:
  Score(const Surrogate& surrogate, Rule rule, Random& random) : surrogate_(surrogate) {
    // Optima lie at the border of what works.
    threshold_ = rule == Rule::best_mean ? 0.6 : 0.2 + 0.6 * random.uniform();
    if (rule == Rule::thompson) path_.emplace(surrogate.process(), random);
  }

  Eigen::VectorXd operator()(const std::vector<Configuration>& candidates) const {
    const Eigen::MatrixXd points = surrogate_.features().points(candidates);
    const Eigen::VectorXd feasible = surrogate_.feasibility().probability(points);
    Eigen::VectorXd values = path_ ? path_->at(points) : surrogate_.process().mean(points);
    for (Eigen::Index i = 0; i < values.size(); ++i)
      if (feasible[i] < threshold_) values[i] -= kForbidden * (1 + threshold_ - feasible[i]);
    return values;
  }

 private:
  const Surrogate& surrogate_;
  double threshold_ = 0;
  std::optional<Path> path_;
};

std::vector<std::size_t> by_score(const Eigen::VectorXd& scores) {
  std::vector<std::size_t> order(static_cast<std::size_t>(scores.size()));
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t i) { return scores[static_cast<Eigen::Index>(i)]; });
  return order;
}

std::vector<Configuration> first_candidates(const SearchSpace& space, const std::vector<Configuration>& measured, int count,
                                            Random& random) {
  const std::size_t top = std::min(kTop, measured.size()), very_top = std::min(kVeryTop, top);
  const auto parent = [&]() -> const Configuration& { return measured[random.index(random.uniform() < kTopShare ? very_top : top)]; };
  std::vector<Configuration> candidates;
  for (int i = 0; i < count; ++i) {
    std::optional<Configuration> made;
    if (random.uniform() < kRandomShare)
      made = draw_configuration(space, random);
    else if (random.uniform() < kCrossedShare)
      made = crossed(space, parent(), parent(), random);
    else
      made = mutated(space, parent(), random);
    if (made) candidates.push_back(std::move(*made));
  }
  return candidates;
}

}  // namespace

std::string_view to_text(Rule rule) { return rule == Rule::thompson ? "thompson" : "best-mean"; }

std::vector<Configuration> measured_by_mean(const StudyView& study, const Surrogate& surrogate, const SurrogateData& data) {
  std::set<std::int64_t> ids;
  for (const SeenTrial& trial : data.trials) ids.insert(trial.configuration_id);
  std::vector<Configuration> working;
  for (const StudyConfiguration& known : study.configurations) {
    const auto works = data.works.find(known.id);
    if (ids.contains(known.id) && (works == data.works.end() || works->second)) working.push_back(known.configuration);
  }
  const Eigen::VectorXd means = surrogate.process().mean(surrogate.features().points(working));
  std::vector<Configuration> measured;
  for (const std::size_t i : by_score(means)) measured.push_back(std::move(working[i]));
  return measured;
}

std::optional<Configuration> propose(const SearchSpace& space, const Surrogate& surrogate, const std::vector<Configuration>& measured,
                                     Rule rule, const std::set<std::string>& taken, Random& random) {
  const Score score(surrogate, rule, random);
  std::vector<Configuration> candidates = first_candidates(space, measured, kCandidates, random);
  if (candidates.empty()) return std::nullopt;
  Eigen::VectorXd scores = score(candidates);
  for (int round = 0; round < kRounds; ++round) {
    const std::vector<std::size_t> order = by_score(scores);
    std::vector<Configuration> children;
    for (std::size_t i = 0; i < std::min<std::size_t>(kParents, order.size()); ++i)
      for (int child = 0; child < kChildren; ++child)
        if (auto made = mutated(space, candidates[order[i]], random)) children.push_back(std::move(*made));
    if (children.empty()) break;
    const Eigen::VectorXd more = score(children);
    Eigen::VectorXd all(scores.size() + more.size());
    all << scores, more;
    scores = std::move(all);
    candidates.insert(candidates.end(), std::make_move_iterator(children.begin()), std::make_move_iterator(children.end()));
  }
  for (const std::size_t i : by_score(scores))
    if (!taken.contains(canonical_text(candidates[i]))) return candidates[i];
  return std::nullopt;
}

double Potential::within(double difference) const {
  if (draws.empty()) return 0;
  const auto below = std::ranges::count_if(draws, [difference](double draw) { return draw < difference; });
  return static_cast<double>(below) / static_cast<double>(draws.size());
}

Potential potential(const SearchSpace& space, const Surrogate& surrogate, const std::vector<Configuration>& measured, Random& random) {
  constexpr int kDraws = 250, kLooked = 600;
  constexpr std::size_t kHopeful = 250;  // candidates that are drawn jointly: by mean and two standard deviations
  constexpr double kPlausible = 0.2;     // P(feasible)
  const std::vector<Configuration> candidates = first_candidates(space, measured, kLooked, random);
  const Eigen::MatrixXd points = surrogate.features().points(candidates);
  const Prediction prediction = surrogate.process().predict(points);
  Eigen::VectorXd hope = prediction.mean + 2 * prediction.standard_deviation;
  hope -= kForbidden * (surrogate.feasibility().probability(points).array() < kPlausible).cast<double>().matrix();
  std::vector<Configuration> drawn{measured.front()};
  for (const std::size_t i : by_score(hope))
    if (drawn.size() <= kHopeful && hope[static_cast<Eigen::Index>(i)] > -kForbidden / 2) drawn.push_back(candidates[i]);
  auto [mean, covariance] = surrogate.process().joint(surrogate.features().points(drawn));
  // Candidates may be all but the same: a little independent noise keeps the factor real, and moves no draw that matters.
  covariance.diagonal().array() += 1e-6 * std::max(covariance.diagonal().maxCoeff(), 1e-12);
  const Eigen::MatrixXd factor = Eigen::LLT<Eigen::MatrixXd>(covariance).matrixL();
  Potential found;
  for (int draw = 0; draw < kDraws; ++draw) {
    Eigen::VectorXd z(mean.size());
    for (double& value : z) value = random.normal();
    const Eigen::VectorXd values = mean + factor * z;
    found.draws.push_back(std::expm1(surrogate.scale() * (values.maxCoeff() - values[0])));
    found.gain += found.draws.back() / kDraws;
  }
  return found;
}

}  // namespace netsettle::strategies
