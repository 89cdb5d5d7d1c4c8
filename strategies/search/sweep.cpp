#include "strategies/search/sweep.hpp"

#include <algorithm>

#include "strategies/search/choice.hpp"
#include "strategies/search/repeats.hpp"

namespace netsettle::strategies {
namespace {

std::vector<Configuration> others(const StudyView& study) {
  auto all = study.space.enumerate(kMostSwept).value_or(std::vector<Configuration>{});
  const Configuration baseline = study.space.baseline();
  std::erase(all, baseline);
  return all;
}

}  // namespace

int Sweep::block_size(const StudyView& study) const { return static_cast<int>(others(study).size()); }

std::vector<Proposal> Sweep::ask(const StudyView& study, int /*block*/, int count) const {
  return repeats_of(study, others(study), "sweep", count);
}

}  // namespace netsettle::strategies
