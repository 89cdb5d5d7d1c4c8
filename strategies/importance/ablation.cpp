#include "strategies/importance/ablation.hpp"

#include <algorithm>

namespace netsettle::strategies {
namespace {

std::optional<Value> value_in(const Configuration& configuration, const std::string& name) {
  const auto found = configuration.values.find(name);
  return found == configuration.values.end() ? std::nullopt : std::optional(found->second);
}

/// Parameters that are active in both and differ. Those that are active in one only come and go with the parameters they depend on.
std::vector<std::string> different(const Configuration& from, const Configuration& to) {
  std::vector<std::string> names;
  for (const auto& [name, value] : from.values)
    if (const auto other = value_in(to, name); other && *other != value) names.push_back(name);
  return names;
}

/// `from` with the values of `to` for these parameters. What becomes active by it has the value of `to`, or stays as found.
std::optional<Configuration> with_values_of(const SearchSpace& space, const Configuration& from, const Configuration& to,
                                            const std::vector<std::string>& names) {
  Configuration moved;
  for (const Domain& domain : space.domains()) {
    const bool moves = std::ranges::find(names, domain.name) != names.end() || !from.values.contains(domain.name);
    const auto value = value_in(moves ? to : from, domain.name);
    moved.values.emplace(domain.name, value.value_or(Value(AsFound{})));
  }
  auto canonical = space.canonical(moved);
  if (!canonical || !space.satisfies(*canonical)) return std::nullopt;
  return *std::move(canonical);
}

/// What one step may lead to: single changes, else pairs, else everything that is left.
std::vector<Configuration> next_configurations(const SearchSpace& space, const Configuration& from, const Configuration& to) {
  const auto names = different(from, to);
  std::vector<Configuration> found;
  const auto consider = [&](const std::vector<std::string>& moved) {
    if (auto configuration = with_values_of(space, from, to, moved)) found.push_back(*std::move(configuration));
  };
  for (const std::string& name : names) consider({name});
  for (std::size_t i = 0; found.empty() && i < names.size(); ++i)
    for (std::size_t j = i + 1; j < names.size(); ++j) consider({names[i], names[j]});
  if (found.empty()) found.push_back(to);
  return found;
}

std::vector<ValueChange> changes_between(const SearchSpace& space, const Configuration& from, const Configuration& to) {
  std::vector<ValueChange> changes;
  for (const Domain& domain : space.domains()) {
    ValueChange change{.parameter = domain.name, .from = value_in(from, domain.name), .to = value_in(to, domain.name)};
    if (change.from != change.to) changes.push_back(std::move(change));
  }
  return changes;
}

}  // namespace

std::vector<AblationStep> ablation_path(const SearchSpace& space, const EffectModel& model, const Configuration& start,
                                        const Configuration& end) {
  std::vector<Configuration> way = {start};
  while (way.back() != end) {
    auto candidates = next_configurations(space, way.back(), end);
    const auto means = model.means(candidates);
    const auto best = std::ranges::max_element(means) - means.begin();
    Configuration next = std::move(candidates[static_cast<std::size_t>(best)]);
    if (different(next, end).empty()) next = end;
    way.push_back(std::move(next));
  }
  const JointBelief belief = model.joint(way);
  std::vector<AblationStep> steps;
  for (std::size_t i = 1; i < way.size(); ++i)
    steps.push_back({.changes = changes_between(space, way[i - 1], way[i]),
                     .after = way[i],
                     .gain = belief.difference(i, i - 1),
                     .so_far = belief.difference(i, 0)});
  return steps;
}

}  // namespace netsettle::strategies
