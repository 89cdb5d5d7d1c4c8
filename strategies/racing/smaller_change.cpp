#include "strategies/racing/smaller_change.hpp"

#include <algorithm>
#include <cmath>

#include "strategies/search/standing.hpp"
#include "strategies/surrogate/surrogate.hpp"

namespace netsettle::strategies {
namespace {

/// What the model expects to be lost by dropping `dropped`; nullopt where that is no other configuration.
class LossModel {
 public:
  LossModel(const StudyView& study, const Surrogate& surrogate, const Configuration& winner)
      : study_(study), surrogate_(surrogate), winner_(winner), level_(effect(winner)) {}

  std::optional<double> loss(const std::vector<std::string>& dropped) const {
    const auto simpler = without(study_.space, winner_, dropped);
    if (!simpler || *simpler == winner_) return std::nullopt;
    return level_ - effect(*simpler);
  }

 private:
  double effect(const Configuration& configuration) const {
    return surrogate_.versus_baseline(surrogate_.features().point(configuration)).first[0];
  }

  const StudyView& study_;
  const Surrogate& surrogate_;
  const Configuration& winner_;
  double level_;
};

std::vector<std::string> with(std::vector<std::string> names, const std::string& one) {
  names.push_back(one);
  return names;
}

/// The one that costs least in addition to `held`.
std::optional<SmallerChange> cheapest(const LossModel& model, const std::vector<std::string>& names, const std::vector<std::string>& held) {
  std::optional<SmallerChange> best;
  for (const std::string& name : names) {
    if (std::ranges::find(held, name) != held.end()) continue;
    const auto dropped = with(held, name);
    const auto loss = model.loss(dropped);
    if (loss && (!best || *loss < best->predicted_loss)) best = {.dropped = dropped, .predicted_loss = *loss};
  }
  return best;
}

}  // namespace

std::optional<Configuration> without(const SearchSpace& space, const Configuration& configuration,
                                     const std::vector<std::string>& dropped) {
  Configuration whole = configuration;
  for (const Domain& domain : space.domains()) whole.values.try_emplace(domain.name, AsFound{});
  for (const std::string& name : dropped) whole.values[name] = AsFound{};
  const auto canonical = space.canonical(whole);
  if (!canonical || !space.satisfies(*canonical) || *canonical == space.baseline()) return std::nullopt;
  return *canonical;
}

std::vector<std::string> changed_parameters(const SearchSpace& space, const Configuration& configuration) {
  std::vector<std::string> names;
  for (const Domain& domain : space.domains()) {
    const auto found = configuration.values.find(domain.name);
    if (found != configuration.values.end() && !std::holds_alternative<AsFound>(found->second)) names.push_back(domain.name);
  }
  return names;
}

std::optional<SmallerChange> smaller_change(const StudyView& study, const Configuration& winner, const std::vector<std::string>& held,
                                            double delta, SurrogateMemory* memory) {
  const std::vector<std::string> names = changed_parameters(study.space, winner);
  if (names.size() < 2 || !(delta > 0) || delta >= 1) return std::nullopt;
  const auto surrogate = Surrogate::of(study, search_data(study), memory);
  if (!surrogate) return std::nullopt;
  const LossModel model(study, *surrogate, winner);
  const double most = -std::log1p(-delta);
  if (!held.empty()) {
    auto next = cheapest(model, names, held);
    return next && next->predicted_loss < most ? next : std::nullopt;
  }
  std::optional<SmallerChange> joint;
  for (auto next = cheapest(model, names, {}); next && next->predicted_loss < most / 2; next = cheapest(model, names, joint->dropped))
    joint = next;
  return joint;
}

}  // namespace netsettle::strategies
