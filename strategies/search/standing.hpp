#pragma once
// How the configurations stand after the search: what is believed of each, luck taken off. Makes no claims; it only says where to look.
//
// Where the search interleaves the baseline: ln y = level + block + configuration + noise. The noise is the pilot's; block and
// configuration effects are normal with spreads worked out from the record, so that a configuration measured once is drawn towards the
// others and the luckiest trial does not lead (best linear unbiased prediction; Robinson 1991). Where it does not (bayesian): the surrogate
// that led the search.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "datasets/model/study_view.hpp"
#include "strategies/statistics/posterior.hpp"
#include "strategies/surrogate/surrogate.hpp"

namespace netsettle::strategies {

struct Standing {
  std::int64_t id = 0;
  int n = 0;                     // measured search trials
  NormalBelief belief;           // of ln(configuration / baseline)
  std::optional<double> spread;  // of ln(objective) of one trial, as its settings let expect; absent without a model of them
  double unrest = 0;             // how much the spread is above what can be borne (Standings::steady)
  std::string obstacle;          // why it cannot lead ("failed in 1 trial", "lost_percent <= 0.1 does not hold"); empty: it can
};

struct Standings {
  double level = 0;              // ln of the objective of the baseline
  double noise = 0;              // standard deviation of ln(objective) of the baseline's trials
  std::optional<double> steady;  // that of one trial of the steadiest tenth of those tried; absent without a model of it
  std::vector<Standing> others;  // every configuration but the baseline that was tried in the search, by id
};

/// nullopt while no baseline trial was measured. Confirmation trials are never used.
std::optional<Standings> standings_of(const StudyView& study, SurrogateMemory* memory = nullptr);

/// The measured trials of pilot and search, and which configurations of the search can lead: what a surrogate is made of.
SurrogateData search_data(const StudyView& study);

/// By what the order of those that can lead goes: the mean, less the unrest (what spreads like that will hardly pass as stable).
inline double promise(const Standing& standing) { return standing.belief.mean - standing.unrest; }

/// The most promising of those that can lead; the smaller id where two are equal. nullptr where there is none.
const Standing* leader_of(const Standings& standings);

/// The pilot's spread of ln(objective) within its blocks; absent below two measured trials in one block.
std::optional<double> pilot_noise(const StudyView& study);

/// Trials of a configuration in one phase that the configuration itself made fail.
int failures_of(const StudyView& study, std::int64_t configuration_id, Purpose phase);

/// Why a configuration cannot win by the trials of one phase: it failed in some, or the means of its measurements violate `subject_to`
/// (a value that was never measured violates it too: what cannot be shown does not hold). Empty: nothing stands in its way, or nothing of
/// it was measured.
std::string obstacle_of(const StudyView& study, std::int64_t configuration_id, Purpose phase);

}  // namespace netsettle::strategies
