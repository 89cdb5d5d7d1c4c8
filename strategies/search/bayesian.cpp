#include "strategies/search/bayesian.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <set>

#include "strategies/designs/blocks.hpp"
#include "strategies/designs/sample.hpp"
#include "strategies/search/acquisition.hpp"
#include "strategies/search/plan.hpp"
#include "strategies/search/standing.hpp"

namespace netsettle::strategies {
namespace {

constexpr std::uint64_t kProposalSeed = 0x70726f706f73616c;  // "proposal"
constexpr int kControlEvery = 12;
constexpr double kRepeated = 0.1;
constexpr int kLastAtBestMean = 3;
constexpr std::size_t kLeaders = 15;

/// What was proposed in the search, whether it has ended or not.
std::set<std::int64_t> tried(const StudyView& study) {
  std::set<std::int64_t> ids{kBaselineId};
  for (const Trial& trial : study.trials)
    if (trial.purpose == Purpose::search && trial.state != TrialState::interrupted) ids.insert(trial.configuration_id);
  return ids;
}

std::set<std::string> texts_of(const StudyView& study, const std::set<std::int64_t>& ids) {
  std::set<std::string> texts{canonical_text(study.space.baseline())};
  for (const StudyConfiguration& known : study.configurations)
    if (ids.contains(known.id)) texts.insert(canonical_text(known.configuration));
  return texts;
}

std::optional<Proposal> next_start(const StudyView& study, const std::set<std::string>& taken) {
  for (const Configuration& start : study.experiment.search.start) {
    Configuration whole = study.space.baseline();
    for (const Domain& domain : study.space.domains()) whole.values.try_emplace(domain.name, AsFound{});
    for (const auto& [name, value] : start.values) whole.values[name] = value;
    const auto canonical = study.space.canonical(whole);
    if (canonical && study.space.satisfies(*canonical) && !taken.contains(canonical_text(*canonical))) return Proposal{*canonical, "start"};
  }
  return std::nullopt;
}

std::optional<Proposal> new_random(const StudyView& study, const std::set<std::string>& taken, Random& random) {
  constexpr int kDraws = 50;
  for (int draw = 0; draw < kDraws; ++draw) {
    const auto drawn = draw_configuration(study.space, random, {.as_found = 0.02});
    if (drawn && !taken.contains(canonical_text(*drawn))) return Proposal{*drawn, "design"};
  }
  return std::nullopt;
}

/// One of two leaders by draws from their joint posterior: the best of one draw or the best of another that is not the same (Russo 2016).
Configuration leader_to_repeat(const Surrogate& surrogate, const Measured& measured, Random& random) {
  const std::size_t n = std::min(kLeaders, measured.configurations.size());
  const std::vector<Configuration> leaders(measured.configurations.begin(),
                                           measured.configurations.begin() + static_cast<std::ptrdiff_t>(n));
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

Rule drawn_rule(Random& random) {
  const double u = random.uniform();
  return u < 0.25 ? Rule::expected_improvement : u < 0.75 ? Rule::joint_thompson : Rule::marginal_thompson;
}

}  // namespace

std::vector<Proposal> Bayesian::ask(const StudyView& study, int block, int count) const {
  if (count < 1) return {};
  const int done = search_trials_so_far(study), planned = plan_budget(study, std::nullopt).search;
  const Proposal control{study.space.baseline(), "control"};
  if (done % kControlEvery == kControlEvery - 1) return {control};
  const std::set<std::int64_t> ids = tried(study);
  std::set<std::string> taken = texts_of(study, ids);
  if (auto start = next_start(study, taken)) return {std::move(*start)};
  Random random(derive_seed(derive_seed(study.experiment.study.seed, static_cast<std::uint64_t>(block)), kProposalSeed));
  const int dimensions = static_cast<int>(study.space.domains().size());
  const int first = std::clamp(dimensions, 5, std::max(5, planned / 5));
  const SurrogateData data = search_data(study);
  const auto surrogate = done < first ? std::nullopt : Surrogate::of(study, data, memory_);
  if (!surrogate) {
    auto drawn = new_random(study, taken, random);
    return drawn ? std::vector{std::move(*drawn)} : std::vector<Proposal>{};
  }
  const Measured measured = measured_by_mean(study, *surrogate, data);
  if (measured.configurations.empty()) return {control};
  const bool last = planned - done <= kLastAtBestMean;
  if (!last && random.uniform() < kRepeated) return {{leader_to_repeat(*surrogate, measured, random), "again"}};
  const Rule rule = last ? Rule::best_mean : drawn_rule(random);
  if (last) taken.clear();
  if (const auto proposed = propose(study.space, *surrogate, measured, rule, taken, random))
    return {{*proposed, std::string(to_text(rule))}};
  // The whole neighbourhood is known: what leads is measured again.
  return {{leader_to_repeat(*surrogate, measured, random), "again"}};
}

}  // namespace netsettle::strategies
