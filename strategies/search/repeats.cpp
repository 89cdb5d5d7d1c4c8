#include "strategies/search/repeats.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "strategies/designs/blocks.hpp"

namespace netsettle::strategies {
namespace {

/// Search trials of each configuration by canonical text, and which failed.
struct Visits {
  std::map<std::string, int> trials;
  std::set<std::string> failed;
};

Visits visits_of(const StudyView& study) {
  std::map<std::int64_t, std::string> texts;
  for (const StudyConfiguration& known : study.configurations) texts[known.id] = canonical_text(known.configuration);
  Visits visits;
  for (const Block& block : only(blocks_of(study), Purpose::search))
    for (const Trial* trial : block.trials) {
      if (trial->imported_from) continue;  // a sweep wants its own
      const std::string& text = texts[trial->configuration_id];
      ++visits.trials[text];
      if (trial->outcome == Outcome::failed) visits.failed.insert(text);
    }
  return visits;
}

}  // namespace

std::vector<Proposal> repeats_of(const StudyView& study, std::vector<Configuration> list, const std::string& origin, int count) {
  Visits visits = visits_of(study);
  std::vector<Proposal> wanted, never_tried;
  for (Configuration& configuration : list) {
    const std::string text = canonical_text(configuration);
    if (visits.failed.contains(text) || visits.trials[text] >= study.experiment.search.repeats) continue;
    if (visits.trials[text] == 0) never_tried.push_back({configuration, origin});
    wanted.push_back({std::move(configuration), origin});
  }
  const auto room = static_cast<std::size_t>(std::max(0, count));
  if (wanted.size() <= room) return wanted;
  never_tried.resize(std::min(never_tried.size(), room));
  return never_tried;
}

}  // namespace netsettle::strategies
