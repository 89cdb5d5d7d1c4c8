#include "strategies/search/manual.hpp"

#include "strategies/search/repeats.hpp"
#include "strategies/search/starts.hpp"

namespace netsettle::strategies {

std::vector<Configuration> manual_list(const StudyView& study) {
  std::vector<Configuration> list;
  std::set<std::string> seen{canonical_text(study.space.baseline())};
  for (const Configuration& start : study.experiment.search.start)
    if (auto whole = completed(study.space, start); whole && seen.insert(canonical_text(*whole)).second) list.push_back(*std::move(whole));
  return list;
}

int Manual::block_size(const StudyView& study) const { return static_cast<int>(manual_list(study).size()); }

std::vector<Proposal> Manual::ask(const StudyView& study, int /*block*/, int count) const {
  return repeats_of(study, manual_list(study), "start", count);
}

}  // namespace netsettle::strategies
