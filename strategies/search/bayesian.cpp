#include "strategies/search/bayesian.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <set>

#include "strategies/designs/blocks.hpp"
#include "strategies/designs/sample.hpp"
#include "strategies/search/acquisition.hpp"
#include "strategies/search/plan.hpp"
#include "strategies/search/standing.hpp"
#include "strategies/search/starts.hpp"

namespace netsettle::strategies {
namespace {

constexpr std::uint64_t kProposalSeed = 0x70726f706f73616c;  // "proposal"
constexpr int kControlEvery = 20;
constexpr double kRepeated = 0.06;
constexpr int kLastAtBestMean = 3;
constexpr std::uint64_t kPotentialSeed = 0x706f74656e7469;  // "potenti"
constexpr int kLeastBeforeStop = 60, kTrialsPerParameter = 10, kLookEvery = 20;
constexpr double kSure = 0.95, kNegligible = 0.15;  // of objective.min_effect
constexpr std::size_t kLeaders = 15;

std::optional<Proposal> new_random(const StudyView& study, const std::set<std::string>& taken, Random& random) {
  constexpr int kDraws = 50;
  for (int draw = 0; draw < kDraws; ++draw) {
    const auto drawn = draw_configuration(study.space, random, {.as_found = 0.02});
    if (drawn && !taken.contains(canonical_text(*drawn))) return Proposal{*drawn, "design"};
  }
  return std::nullopt;
}

/// One of two leaders by draws from their joint posterior: the best of one draw or the best of another that is not the same (Russo 2016).
Configuration leader_to_repeat(const Surrogate& surrogate, const std::vector<Configuration>& measured, Random& random) {
  const std::size_t n = std::min(kLeaders, measured.size());
  const std::vector<Configuration> leaders(measured.begin(), measured.begin() + static_cast<std::ptrdiff_t>(n));
  const auto [mean, covariance] = surrogate.process().joint(surrogate.features().points(leaders));
  // Semidefinite is enough here: leaders may be all but the same.
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(covariance);
  const Eigen::MatrixXd root = solver.eigenvectors() * solver.eigenvalues().cwiseMax(0).cwiseSqrt().asDiagonal();
  const auto draw = [&, &means = mean] {
    Eigen::VectorXd z(means.size());
    for (double& value : z) value = random.normal();
    const Eigen::VectorXd values = means + root * z;
    Eigen::Index best = 0;
    values.maxCoeff(&best);
    return static_cast<std::size_t>(best);
  };
  const std::size_t first = draw();
  if (random.uniform() < 0.5) return leaders[first];
  for (int attempt = 0; attempt < 50; ++attempt)
    if (const std::size_t other = draw(); other != first) return leaders[other];
  return leaders[first];
}

}  // namespace

std::vector<Proposal> Bayesian::ask(const StudyView& study, int block, int count) const {
  if (count < 1) return {};
  const int done = search_trials_so_far(study), planned = plan_budget(study, std::nullopt).search;
  const Proposal control{study.space.baseline(), "control"};
  if (done % kControlEvery == kControlEvery - 1) return {control};
  std::set<std::string> taken = tried_texts(study);
  std::vector<Proposal> starts;
  add_starts(study, 1, taken, starts);
  if (!starts.empty()) return starts;
  Random random(derive_seed(derive_seed(study.experiment.study.seed, static_cast<std::uint64_t>(block)), kProposalSeed));
  const int dimensions = static_cast<int>(study.space.domains().size());
  if (done < std::clamp(dimensions, 5, std::max(5, planned / 5)))
    if (auto drawn = new_random(study, taken, random)) return {std::move(*drawn)};
  const SurrogateData data = search_data(study);
  const auto surrogate = Surrogate::of(study, data, memory_);
  if (!surrogate) return {control};
  const std::vector<Configuration> measured = measured_by_mean(study, *surrogate, data);
  const bool last = planned - done <= kLastAtBestMean;
  if (!last && random.uniform() < kRepeated) return {{leader_to_repeat(*surrogate, measured, random), "again"}};
  const Rule rule = last ? Rule::best_mean : Rule::thompson;
  if (last) taken.clear();
  if (const auto proposed = propose(study.space, *surrogate, measured, rule, taken, random))
    return {{*proposed, std::string(to_text(rule))}};
  // All that it can think of is known: what leads is measured again.
  return {{leader_to_repeat(*surrogate, measured, random), "again"}};
}

std::optional<Exhaustion> Bayesian::exhausted(const StudyView& study) const {
  const int done = search_trials_so_far(study);
  const int least = std::max(kLeastBeforeStop, kTrialsPerParameter * static_cast<int>(study.space.domains().size()));
  if (done < least || done % kLookEvery != 0) return std::nullopt;
  const SurrogateData data = search_data(study);
  const auto surrogate = Surrogate::of(study, data, memory_);
  if (!surrogate) return std::nullopt;
  Random random(derive_seed(derive_seed(study.experiment.study.seed, static_cast<std::uint64_t>(done)), kPotentialSeed));
  const Potential left = potential(study.space, *surrogate, measured_by_mean(study, *surrogate, data), random);
  const double matters = study.experiment.objective.min_effect;
  if (left.gain > kNegligible * matters || left.within(matters) < kSure) return std::nullopt;
  return Exhaustion{
      .remaining_potential = left.gain,
      .reason = fmt::format("by the model the best of the space is {:.2f} % better than the best that was measured, and less than {:.1f} % "
                            "better with probability {:.0f} %",
                            100 * left.gain, 100 * matters, 100 * left.within(matters))};
}

}  // namespace netsettle::strategies
