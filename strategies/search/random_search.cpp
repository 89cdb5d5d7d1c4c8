#include "strategies/search/random_search.hpp"

#include <algorithm>

#include "strategies/designs/sample.hpp"
#include "strategies/search/leaders.hpp"
#include "strategies/search/starts.hpp"

namespace netsettle::strategies {
namespace {

constexpr int kBlockSize = 3;
constexpr int kDrawsPerProposal = 50;
constexpr double kNewShare = 0.6;                            // of the search trials
constexpr std::uint64_t kProposalSeed = 0x70726f706f73616c;  // "proposal"

std::vector<Proposal> new_ones(const StudyView& study, int block, std::size_t count) {
  std::vector<Proposal> proposals;
  std::set<std::string> known = tried_texts(study);
  add_starts(study, count, known, proposals);
  Random random(derive_seed(derive_seed(study.experiment.study.seed, static_cast<std::uint64_t>(block)), kProposalSeed));
  for (std::size_t draw = 0; draw < kDrawsPerProposal * count && proposals.size() < count; ++draw) {
    const auto drawn = draw_configuration(study.space, random);
    if (!drawn) break;
    if (known.insert(canonical_text(*drawn)).second) proposals.push_back({*drawn, "random"});
  }
  return proposals;
}

}  // namespace

int RandomSearch::block_size(const StudyView& /*study*/) const { return kBlockSize; }

std::vector<Proposal> RandomSearch::ask(const StudyView& study, int block, int count) const {
  const auto room = static_cast<std::size_t>(std::max(0, count));
  if (is_leaders_turn(study, kNewShare))
    if (auto proposals = leaders(study, room); !proposals.empty()) return proposals;
  std::vector<Proposal> proposals = new_ones(study, block, room);
  for (Proposal& leader : leaders(study, room - proposals.size())) proposals.push_back(std::move(leader));
  return proposals;
}

}  // namespace netsettle::strategies
