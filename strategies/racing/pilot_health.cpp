#include "strategies/racing/pilot_health.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "strategies/designs/blocks.hpp"
#include "strategies/racing/sentence.hpp"
#include "strategies/statistics/drift.hpp"
#include "strategies/statistics/summary.hpp"

namespace netsettle::strategies {
namespace {

constexpr double kNoisy = 0.15;
constexpr double kHalvesP = 0.01;
constexpr double kLeastCorrelation = 0.3;
constexpr double kOnePercentZ = 2.326;  // of the normal distribution

/// The measured trials of each pilot block, and all of them in the order in which they ran.
struct PilotTrials {
  std::vector<std::vector<double>> logs_of_blocks;
  std::vector<double> values, logs;
};

PilotTrials pilot_trials(const StudyView& study) {
  PilotTrials pilot;
  std::vector<const Trial*> trials;
  for (const Block& block : only(blocks_of(study), Purpose::pilot)) {
    pilot.logs_of_blocks.emplace_back();
    for (const Trial* trial : block.trials) {
      const auto value = objective_of(study.experiment, *trial);
      if (!value) continue;
      trials.push_back(trial);
      pilot.logs_of_blocks.back().push_back(std::log(*value));
    }
  }
  std::ranges::sort(trials, {}, &Trial::id);
  for (const Trial* trial : trials) {
    pilot.values.push_back(*objective_of(study.experiment, *trial));
    pilot.logs.push_back(std::log(pilot.values.back()));
  }
  return pilot;
}

/// Of independent values the correlation has about the mean -1 / n and the standard deviation 1 / √n (Bartlett 1946).
bool resembles_neighbours(double correlation, std::size_t size) {
  const auto n = static_cast<double>(size);
  return correlation > std::max(kLeastCorrelation, kOnePercentZ / std::sqrt(n) - 1 / n);
}

std::vector<PilotFinding> findings_of(const PilotHealth& health, std::size_t n) {
  std::vector<PilotFinding> findings;
  if (health.variation > kNoisy) findings.push_back(PilotFinding::noisy);
  if (health.halves && health.halves->p < kHalvesP) findings.push_back(PilotFinding::halves_differ);
  if (health.modes && health.modes->distinct) findings.push_back(PilotFinding::two_modes);
  if (health.neighbour_correlation && resembles_neighbours(*health.neighbour_correlation, n)) findings.push_back(PilotFinding::correlated);
  return findings;
}

std::string clause_of(PilotFinding finding, const PilotHealth& health) {
  switch (finding) {
    case PilotFinding::noisy:
      return fmt::format("equal trials vary by {}", percent(health.variation));
    case PilotFinding::halves_differ:
      return fmt::format("the second half differs from the first by {} (p {:.2g})", signed_percent(health.halves->effect),
                         health.halves->p);
    case PilotFinding::two_modes:
      return fmt::format("they fall into two groups {} apart", percent(std::expm1(health.modes->high - health.modes->low)));
    case PilotFinding::correlated:
      return fmt::format("neighbours in time resemble each other (correlation {:.2f})", *health.neighbour_correlation);
  }
  return "";
}

}  // namespace

std::string_view to_text(PilotFinding finding) {
  switch (finding) {
    case PilotFinding::noisy:
      return "noisy";
    case PilotFinding::halves_differ:
      return "halves-differ";
    case PilotFinding::two_modes:
      return "two-modes";
    case PilotFinding::correlated:
      return "correlated";
  }
  return "";
}

std::optional<PilotHealth> pilot_health(const StudyView& study) {
  const PilotTrials pilot = pilot_trials(study);
  const auto summary = summarise_values(pilot.values);
  if (!summary) return std::nullopt;
  const auto variation = coefficient_of_variation(*summary);
  if (!variation) return std::nullopt;
  PilotHealth health{.variation = *variation,
                     .halves = std::nullopt,
                     .neighbour_correlation = neighbour_correlation(pilot.logs),
                     .modes = two_modes(pilot.logs),
                     .findings = {}};
  if (pilot.logs_of_blocks.size() >= 2)
    health.halves = compare_unpaired_log(pilot.logs_of_blocks[0], pilot.logs_of_blocks[1], kHalvesP / 2);
  health.findings = findings_of(health, pilot.values.size());
  return health;
}

std::string warning_of(const PilotHealth& health) {
  if (health.findings.empty()) return "";
  std::vector<std::string> clauses;
  for (const PilotFinding finding : health.findings) clauses.push_back(clause_of(finding, health));
  return fmt::format(
      "The pilot was not steady: {}. Look for other programs, changing CPU frequency and stolen CPU time; the study goes on, since blocks "
      "carry what changes slowly, but it will prove large differences only.",
      fmt::join(clauses, "; "));
}

}  // namespace netsettle::strategies
