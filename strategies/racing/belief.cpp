#include "strategies/racing/belief.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numbers>

#include "strategies/designs/blocks.hpp"
#include "strategies/statistics/summary.hpp"

namespace netsettle::strategies {
namespace {

constexpr double kLeastNoise = 1e-6;

/// Sum of squares with its degrees of freedom.
struct Squares {
  double sum = 0;
  int freedom = 0;
};

Squares pilot_squares(const StudyView& study) {
  Squares squares;
  for (const Block& block : only(blocks_of(study), Purpose::pilot)) {
    std::vector<double> logs;
    for (const Trial* trial : block.trials)
      if (const auto value = objective_of(study.experiment, *trial)) logs.push_back(std::log(*value));
    const auto summary = summarise_values(logs);
    if (!summary || !summary->standard_deviation) continue;
    squares.sum += (summary->n - 1) * std::pow(*summary->standard_deviation, 2);
    squares.freedom += summary->n - 1;
  }
  return squares;
}

/// Of the baseline and those that took part to the end: a table without gaps, blocks × configurations.
Squares confirmation_squares(const StudyView& study, const Confirmation& confirmation) {
  std::vector<std::int64_t> ids{kBaselineId};
  for (const Finalist& finalist : confirmation.finalists)
    if (finalist.state == FinalistState::open) ids.push_back(finalist.id);
  std::vector<std::vector<double>> rows;
  for (const Block& block : confirmation.complete) {
    std::vector<double> row;
    for (const std::int64_t id : ids)
      if (const auto value = objective_in(study.experiment, block, id)) row.push_back(std::log(*value));
    if (row.size() == ids.size()) rows.push_back(std::move(row));
  }
  if (rows.size() < 2 || ids.size() < 2) return {};
  for (std::vector<double>& row : rows) {
    const double mean = summarise_values(row)->mean;
    for (double& value : row) value -= mean;
  }
  Squares squares{.sum = 0, .freedom = static_cast<int>((rows.size() - 1) * (ids.size() - 1))};
  for (std::size_t column = 0; column < ids.size(); ++column) {
    std::vector<double> values;
    for (const std::vector<double>& row : rows) values.push_back(row[column]);
    const Summary summary = *summarise_values(values);
    squares.sum += (summary.n - 1) * std::pow(*summary.standard_deviation, 2);
  }
  return squares;
}

/// What the fresh blocks add.
NormalBelief with_fresh_blocks(const NormalBelief& prior, const StudyView& study, const Confirmation& confirmation, std::int64_t id,
                               double noise) {
  const auto differences = summarise_values(log_differences(study.experiment, confirmation.complete, id));
  if (!differences) return prior;
  const double spread = std::max(differences->standard_deviation.value_or(0), std::numbers::sqrt2 * noise);
  return updated(prior, differences->mean, spread / std::sqrt(differences->n));
}

}  // namespace

std::optional<PooledNoise> pooled_noise(const StudyView& study, const Confirmation* confirmation) {
  Squares all = pilot_squares(study);
  if (confirmation != nullptr) {
    const Squares fresh = confirmation_squares(study, *confirmation);
    all.sum += fresh.sum;
    all.freedom += fresh.freedom;
  }
  if (all.freedom < 1) return std::nullopt;
  return PooledNoise{.standard_deviation = std::max(kLeastNoise, std::sqrt(all.sum / all.freedom)), .freedom = all.freedom};
}

double probability_better(const FinalBelief& belief) {
  const boost::math::students_t distribution(belief.freedom);
  return boost::math::cdf(distribution, belief.mean / belief.standard_deviation);
}

std::optional<FinalBelief> final_belief(const StudyView& study, const Standings& standings, std::int64_t id,
                                        const Confirmation* confirmation) {
  const auto standing = std::ranges::find(standings.others, id, &Standing::id);
  if (standing == standings.others.end()) return std::nullopt;
  const PooledNoise noise = pooled_noise(study, confirmation).value_or(PooledNoise{.standard_deviation = standings.noise, .freedom = 1});
  NormalBelief belief = standing->belief;
  belief.standard_deviation *= std::max(1.0, noise.standard_deviation / standings.noise);
  if (confirmation != nullptr) belief = with_fresh_blocks(belief, study, *confirmation, id, noise.standard_deviation);
  return FinalBelief{.mean = belief.mean, .standard_deviation = belief.standard_deviation, .freedom = static_cast<double>(noise.freedom)};
}

}  // namespace netsettle::strategies
