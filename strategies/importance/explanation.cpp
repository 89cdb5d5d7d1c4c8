#include "strategies/importance/explanation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "strategies/designs/blocks.hpp"
#include "strategies/designs/random.hpp"
#include "strategies/importance/sobol_indices.hpp"
#include "strategies/importance/surrogate_model.hpp"
#include "strategies/racing/next_step.hpp"
#include "strategies/search/standing.hpp"

namespace netsettle::strategies {
namespace {

constexpr std::size_t kRows = 512, kDrawRows = 128;
constexpr int kDraws = 40;
constexpr double kTail = 0.05;       // of the draws, on either side
constexpr double kGoodShare = 0.25;  // of the space
constexpr double kAlpha = 0.025;
constexpr std::uint64_t kRowsSeed = 1, kDrawRowsSeed = 2, kDrawsSeed = 3;

double quantile(std::vector<double> values, double share) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::ranges::nth_element(values, at);
  return *at;
}

/// A design over the space: its points as configurations, those that the constraints forbid left out.
class SpaceDesign {
 public:
  SpaceDesign(const SearchSpace& space, std::size_t rows, std::uint64_t seed) : design_(space.domains().size(), rows, seed), rows_(rows) {
    const UnitCube cube(space);
    for (const CubePoint& point : design_.points()) {
      auto configuration = cube.at(point);
      is_defined_.push_back(configuration.has_value());
      if (configuration) configurations_.push_back(*std::move(configuration));
    }
  }

  const std::vector<Configuration>& configurations() const { return configurations_; }

  /// `values`: one a configuration.
  std::optional<SobolIndices> indices(const std::vector<double>& values) const { return design_.indices(spread(values)); }

  /// The same of the function cut off below the best quarter of the space.
  std::optional<SobolIndices> indices_among_good(const std::vector<double>& values) const {
    auto all = spread(values);
    std::vector<double> sample;
    std::ranges::copy_if(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(2 * rows_), std::back_inserter(sample),
                         [](double value) { return std::isfinite(value); });
    if (sample.empty()) return std::nullopt;
    const double cut = quantile(std::move(sample), 1 - kGoodShare);
    for (double& value : all) value = std::isfinite(value) ? std::max(value, cut) : value;
    return design_.indices(all);
  }

 private:
  /// Back to one a point, NaN where there is no configuration.
  std::vector<double> spread(const std::vector<double>& values) const {
    std::vector<double> all;
    std::size_t next = 0;
    for (const bool defined : is_defined_) all.push_back(defined ? values[next++] : std::numeric_limits<double>::quiet_NaN());
    return all;
  }

  SaltelliDesign design_;
  std::size_t rows_;
  std::vector<bool> is_defined_;
  std::vector<Configuration> configurations_;
};

IndexRange range_of(double value, std::vector<double> drawn) {
  IndexRange range{.value = value, .low = value, .high = value};
  if (drawn.empty()) return range;
  range.low = std::min(value, quantile(drawn, kTail));
  range.high = std::max(value, quantile(std::move(drawn), 1 - kTail));
  return range;
}

/// One parameter's index in each of the draws that have any.
std::vector<double> of_draws(const std::vector<std::optional<SobolIndices>>& draws, std::vector<double> SobolIndices::* kind,
                             std::size_t parameter) {
  std::vector<double> values;
  for (const auto& draw : draws)
    if (draw) values.push_back(((*draw).*kind)[parameter]);
  return values;
}

std::vector<ParameterShare> shares_of(const SearchSpace& space, const EffectModel& model) {
  const std::size_t parameters = space.domains().size();
  if (parameters == 0) return {};
  const SpaceDesign design(space, kRows, kRowsSeed), draw_design(space, kDrawRows, kDrawRowsSeed);
  const auto means = model.means(design.configurations());
  const auto all = design.indices(means);
  if (!all) return {};
  const auto good = design.indices_among_good(means);
  std::vector<std::optional<SobolIndices>> draws, good_draws;
  for (const auto& values : model.draws(draw_design.configurations(), kDraws, kDrawsSeed)) {
    draws.push_back(draw_design.indices(values));
    good_draws.push_back(draw_design.indices_among_good(values));
  }
  std::vector<ParameterShare> shares;
  for (std::size_t i = 0; i < parameters; ++i) {
    ParameterShare share{.parameter = space.domains()[i].name, .first = {}, .total = {}};
    share.first = range_of(all->first[i], of_draws(draws, &SobolIndices::first, i));
    share.total = range_of(all->total[i], of_draws(draws, &SobolIndices::total, i));
    if (good) {
      share.first_among_good = range_of(good->first[i], of_draws(good_draws, &SobolIndices::first, i));
      share.total_among_good = range_of(good->total[i], of_draws(good_draws, &SobolIndices::total, i));
    }
    shares.push_back(std::move(share));
  }
  std::ranges::stable_sort(shares, std::ranges::greater(), [](const ParameterShare& share) { return share.total.value; });
  return shares;
}

std::optional<std::int64_t> id_of(const StudyView& study, const Configuration& configuration) {
  const auto found = std::ranges::find(study.configurations, configuration, &StudyConfiguration::configuration);
  return found == study.configurations.end() ? std::nullopt : std::optional(found->id);
}

std::vector<ExplainedStep> measured_path(const StudyView& study, const std::vector<AblationStep>& path, const Configuration& start) {
  auto blocks = blocks_of(study);
  std::erase_if(blocks, [](const Block& block) { return block.trials.front()->imported_from.has_value(); });
  std::vector<ExplainedStep> steps;
  const Configuration* before = &start;
  for (const AblationStep& step : path) {
    ExplainedStep explained{.step = step, .before_id = id_of(study, *before), .after_id = id_of(study, step.after), .measured = {}};
    if (explained.before_id && explained.after_id) {
      const auto differences = log_differences(study.experiment, blocks, *explained.after_id, *explained.before_id);
      explained.blocks = static_cast<int>(differences.size());
      explained.measured = compare_paired_log(differences, kAlpha);
    }
    steps.push_back(std::move(explained));
    before = &step.after;
  }
  return steps;
}

}  // namespace

std::optional<std::pair<Explained, std::int64_t>> explained_configuration(const StudyView& study) {
  if (const auto verdict = verdict_of(study); verdict && verdict->configuration_id != kBaselineId)
    return std::pair(verdict->kind == VerdictKind::winner ? Explained::winner : Explained::handed_over, verdict->configuration_id);
  const auto standings = standings_of(study);
  const Standing* const leader = standings ? leader_of(*standings) : nullptr;
  if (leader == nullptr) return std::nullopt;
  return std::pair(Explained::leader, leader->id);
}

Explanation explain(const StudyView& study, const EffectModel& model, Explained explained, std::int64_t configuration_id) {
  const auto found = std::ranges::find(study.configurations, configuration_id, &StudyConfiguration::id);
  const Configuration& configuration = found->configuration;
  Explanation explanation{.explained = explained, .configuration_id = configuration_id, .gain = model.joint({configuration}).of(0)};
  const Configuration& baseline = study.space.baseline();
  explanation.path = measured_path(study, ablation_path(study.space, model, baseline, configuration), baseline);
  explanation.shares = shares_of(study.space, model);
  explanation.curves = curves_through(study.space, model, configuration);
  for (const Domain& domain : study.space.domains())
    if (!configuration.values.contains(domain.name)) explanation.inactive.push_back(domain.name);
  return explanation;
}

std::optional<Explanation> explain(const StudyView& study) {
  const auto about = explained_configuration(study);
  if (!about) return std::nullopt;
  const SurrogateData data = search_data(study);
  auto surrogate = Surrogate::of(study, data);
  if (!surrogate) return std::nullopt;
  Explanation explanation = explain(study, SurrogateModel(*std::move(surrogate), study.space.baseline()), about->first, about->second);
  explanation.trials = static_cast<int>(data.trials.size());
  return explanation;
}

}  // namespace netsettle::strategies
