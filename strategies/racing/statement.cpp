// The verdict sentence for each ground.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numbers>

#include "strategies/racing/pilot.hpp"
#include "strategies/racing/ruling.hpp"
#include "strategies/racing/sentence.hpp"
#include "strategies/racing/simplification.hpp"
#include "strategies/search/plan.hpp"
#include "strategies/search/standing.hpp"
#include "strategies/statistics/planning.hpp"

namespace netsettle::strategies {
namespace {

std::string changes_text(const StudyView& study, std::int64_t id) {
  const auto found = std::ranges::find(study.configurations, id, &StudyConfiguration::id);
  if (found == study.configurations.end()) return fmt::format("configuration {}", id);
  return describe_changes(found->configuration, study.space);
}

/// The most frequent reason among trials chosen by `wanted`: "window-limited"; empty where none has one.
template <typename Wanted>
std::string commonest_reason(const StudyView& study, Wanted wanted) {
  std::map<std::string, int> counts;
  for (const Trial& trial : study.trials)
    if (wanted(trial))
      for (const Reason& reason : trial.reasons) ++counts[reason.code];
  const auto most = std::ranges::max_element(counts, {}, [](const auto& entry) { return entry.second; });
  return most == counts.end() ? std::string() : most->first;
}

const Finalist* leader_in(const Ruling& ruling) { return ruling.confirmation ? ruling.confirmation->find(ruling.leader_id) : nullptr; }

int finalists_in(const Ruling& ruling) { return static_cast<int>(std::ssize(ruling.confirmation->finalists)); }

int count_in(const Ruling& ruling, FinalistState state) {
  return static_cast<int>(std::ranges::count(ruling.confirmation->finalists, state, &Finalist::state));
}

/// " Caveat: 5 of its 6 fresh trials are suspect (window-limited)."
std::string suspect_caveat(const StudyView& study, const Ruling& ruling) {
  const auto is_suspect = [&](const Trial& trial) {
    const auto block = std::ranges::find(ruling.confirmation->complete, trial.block, &Block::number);
    return block != ruling.confirmation->complete.end() && trial.purpose == Purpose::confirm &&
           trial.configuration_id == ruling.leader_id && trial.outcome == Outcome::measured && trial.suspect;
  };
  const auto n = std::ranges::count_if(study.trials, is_suspect);
  if (n == 0) return {};
  return fmt::format(" Caveat: {} of its {} fresh trials {} suspect ({}).", n, leader_in(ruling)->comparison->n, n == 1 ? "is" : "are",
                     commonest_reason(study, is_suspect));
}

std::string noise_text(const StudyView& study) {
  const auto pilot = pilot_of(study);
  if (!pilot) return {};
  return fmt::format("; the machine's noise (CV {}) hides differences below {}", percent(pilot->coefficient_of_variation),
                     percent(pilot->provable_effect));
}

/// " About 24 fresh blocks would settle a difference of this size: raise budget.trials or measure longer."
std::string remedy_text(const StudyView& study, const PairedComparison& comparison) {
  // The pilot is short: where the fresh blocks were noisier, they count.
  const double noise = std::max(pilot_noise(study).value_or(0), comparison.spread / std::numbers::sqrt2);
  const auto blocks = blocks_needed(comparison.effect, noise, comparison.alpha);
  if (!blocks || *blocks <= comparison.n) return {};
  return fmt::format(" About {} fresh blocks would settle a difference of this size: raise budget.trials or measure longer.", *blocks);
}

std::string hand_over_text(const Ruling& ruling) {
  if (handed_over(ruling) == kBaselineId) return " The settings you had are kept.";
  // No study is so long that what was not proven could be certain.
  constexpr double kMostSaid = 0.99;
  const double posterior = *ruling.posterior();
  return fmt::format(" It is handed over as probably better ({}), without a claim.",
                     posterior > kMostSaid ? "more than " + percent(kMostSaid) : percent(posterior));
}

/// Where the leader is not the only one that cannot win.
std::string nobody_text(const Ruling& ruling) {
  const int others = finalists_in(ruling) - 1;
  if (others < 1) return {};
  return fmt::format(" Nor can the {}.", others == 1 ? "other finalist" : fmt::format("other {} finalists", others));
}

/// What is handed over where no finalist could win.
std::string instead_text(const StudyView& study, const Ruling& ruling) {
  if (!ruling.instead_id) return " The settings you had are kept.";
  return fmt::format(
      " Handed over is {} (configuration {}), which the search believes to be better; it was not confirmed, and nothing is claimed.",
      changes_text(study, *ruling.instead_id), *ruling.instead_id);
}

/// " The other 3 finalists: 2 were worse than another one, 1 was unstable."; empty where there is nothing to say.
std::string others_text(const Ruling& ruling) {
  const int eliminated = count_in(ruling, FinalistState::eliminated), failing = count_in(ruling, FinalistState::failing),
            unstable = count_in(ruling, FinalistState::unstable);
  std::string text;
  const auto add = [&](int n, std::string_view what) {
    if (n > 0) text += fmt::format("{}{} {} {}", text.empty() ? "" : ", ", n, n == 1 ? "was" : "were", what);
  };
  add(eliminated, "eliminated as worse than another one");
  add(failing, "left because trials failed or a limit was violated");
  add(unstable, "unstable");
  return text.empty() ? std::string() : fmt::format(" Of the {} finalists {}.", finalists_in(ruling), text);
}

/// " It is the best of the 4 finalists within 2.1 % (error 1.25 %)."
std::string best_text(const Ruling& ruling) {
  if (!ruling.best) return {};
  const BestOfFinalists& best = *ruling.best;
  const std::string error = fmt::format("error {:.4g} %", 100 * best.alpha);
  if (!best.achieved) return fmt::format(" It is the best of the {} finalists within {} ({}).", best.compared, percent(best.delta), error);
  return fmt::format(" No other of the {} finalists is better by more than {} ({}).", best.compared, percent(best.delta), error);
}

std::string ruled_out_text(const Ruling& ruling, const std::string& leader, const PairedComparison& comparison) {
  const int finalists = finalists_in(ruling);
  const std::string measured = fmt::format("Nothing beats the settings you had: the best other configuration found ({}) measured {}",
                                           leader, measured_text(comparison, finalists));
  double high = comparison.high;
  int compared = 0;
  for (const Finalist& finalist : ruling.confirmation->finalists) {
    if (!could_win(finalist) || !finalist.comparison) continue;
    high = std::max(high, finalist.comparison->high);
    ++compared;
  }
  if (high <= 0) return measured + ", which is worse.";
  return fmt::format("{}; an improvement above {} by {} is ruled out at {}.", measured, percent(high),
                     compared > 1 ? fmt::format("any of the {} that were compared to the end", compared) : "it",
                     level(ruling.confirmation->alpha));
}

std::string too_few_text(const StudyView& study, const Confirmation& confirmation) {
  const std::string reason =
      commonest_reason(study, [](const Trial& trial) { return trial.purpose == Purpose::confirm && trial.outcome == Outcome::invalid; });
  return fmt::format("{} of {} fresh blocks complete, and at least {} are needed{}.", confirmation.complete.size(), confirmation.tried,
                     kMinimumConfirmation, reason.empty() ? "" : fmt::format(" (most trials were lost to {})", reason));
}

std::string_view reference_text(const Instability& instability) {
  if (!instability.versus_id) return "the steadiest of the search";
  return *instability.versus_id == kBaselineId ? "the settings you had" : "another finalist";
}

std::string unstable_text(const std::string& leader, const Instability& instability) {
  return fmt::format("{} is unstable and cannot win: in the fresh blocks it varied by {} (CV), {} by {}.", leader,
                     percent(instability.leader_variation), reference_text(instability), percent(instability.baseline_variation));
}

std::string no_room_text(const StudyView& study, const std::string& leader) {
  const auto trials = study.experiment.budget.trials;
  const bool used_up = trials && std::ssize(study.trials) + 2 * kMinimumConfirmation > *trials;
  const std::string cause = used_up ? fmt::format("budget.trials = {} leaves", *trials) : "the clock stopped the study and left";
  return fmt::format("Not proven: {} no room for {} fresh blocks; the search's best ({}) was not confirmed.", cause, kMinimumConfirmation,
                     leader);
}

std::string stopped_text(const Ruling& ruling, const std::string& leader) {
  if (ruling.leader_id == kBaselineId) return "Not proven: the study was ended before anything but the settings you had was measured.";
  if (!ruling.confirmation) return fmt::format("Not proven: the study was ended before the search's best ({}) was confirmed.", leader);
  const int others = finalists_in(ruling) - 1;
  return fmt::format("Not proven: the study was ended before the confirmation of {}{} was complete ({} of {} fresh blocks).", leader,
                     others > 0 ? fmt::format(" and {}", counted(others, "other finalist")) : "", ruling.confirmation->complete.size(),
                     ruling.confirmation->planned);
}

std::string no_candidate_text(const StudyView& study) {
  const auto standings = standings_of(study);
  const int tried = standings ? static_cast<int>(standings->others.size()) : 0;
  if (tried == 0) return "Nothing to confirm: no other configuration was tried; the space or the budget has no room for one.";
  const std::string& obstacle = standings->others.front().obstacle;
  return fmt::format("Nothing to confirm: none of the {} tried could win (configuration {}: {}).", counted(tried, "configuration"),
                     standings->others.front().id, obstacle);
}

std::string no_baseline_text(const StudyView& study) {
  const std::string reason =
      commonest_reason(study, [](const Trial& trial) { return trial.purpose == Purpose::pilot && trial.outcome != Outcome::measured; });
  return fmt::format("The settings you had could not be measured{}: fewer than two pilot trials were valid.",
                     reason.empty() ? "" : fmt::format(" ({})", reason));
}

/// " (latency_avg_us 20.0 % lower)" for a metric of which less is better: there an effect of +25 % is a value of 1 / 1.25.
std::string lower_text(const StudyView& study, double effect) {
  const Metric* const metric = find_metric(study.experiment.objective.maximize);
  if (metric == nullptr || metric->better != Better::lower || effect <= 0) return {};
  return fmt::format(" ({} {:.1f} % lower)", metric->name, 100 * (1 - 1 / (1 + effect)));
}

/// " A smaller change is as good within 2.1 % (error 5 %): threads=12."
std::string smallest_text(const StudyView& study, const Ruling& ruling) {
  if (!ruling.smallest_id) return {};
  return fmt::format(" A smaller change is as good within {} (error {:.4g} %): {}.", percent(indifference(study)),
                     100 * kSimplificationAlpha, changes_text(study, *ruling.smallest_id));
}

std::string proven_text(const StudyView& study, const Ruling& ruling, const std::string& leader, const PairedComparison& comparison) {
  return fmt::format("{} beats the settings you had by {} ({} {} to {}, {}){}.{}", leader, percent(comparison.effect),
                     interval_name(ruling.confirmation->alpha, finalists_in(ruling)), percent(comparison.low), percent(comparison.high),
                     counted(comparison.n, "fresh block"), lower_text(study, comparison.effect),
                     best_text(ruling) + smallest_text(study, ruling));
}

/// The verdicts that rest on the intervals of the fresh blocks.
std::string interval_text(const StudyView& study, const Ruling& ruling, const std::string& leader) {
  const PairedComparison& comparison = *leader_in(ruling)->comparison;
  const std::string measured = measured_text(comparison, finalists_in(ruling));
  const std::string caveat = others_text(ruling) + suspect_caveat(study, ruling);
  switch (ruling.ground) {
    case Ground::proven:
      return proven_text(study, ruling, leader, comparison) + caveat;
    case Ground::negligible:
      return fmt::format("Nothing worth changing: {} measured {}, below the {} that matters to you.{}", leader, measured,
                         percent(study.experiment.objective.min_effect), caveat);
    case Ground::ruled_out:
      return ruled_out_text(ruling, leader, comparison) + caveat;
    default:
      return fmt::format("Not proven: {} measured {}{}.{}{}{}", leader, measured, noise_text(study), remedy_text(study, comparison),
                         hand_over_text(ruling), caveat);
  }
}

}  // namespace

std::string statement_of(const StudyView& study, const Ruling& ruling) {
  const std::string leader = changes_text(study, ruling.leader_id);
  switch (ruling.ground) {
    case Ground::proven:
    case Ground::ruled_out:
    case Ground::negligible:
    case Ground::not_proven:
      return interval_text(study, ruling, leader);
    case Ground::too_few:
      return fmt::format("Not proven: {} has {}{}", leader, too_few_text(study, *ruling.confirmation), hand_over_text(ruling));
    case Ground::obstacle:
      return fmt::format("Not proven: {} cannot win, in the fresh blocks {}.{}", leader, leader_in(ruling)->obstacle, nobody_text(ruling)) +
             instead_text(study, ruling);
    case Ground::unstable:
      return unstable_text(leader, leader_in(ruling)->instability.value_or(Instability{})) + nobody_text(ruling) +
             instead_text(study, ruling);
    case Ground::no_room:
      return no_room_text(study, leader) + hand_over_text(ruling);
    case Ground::stopped:
      return stopped_text(ruling, leader) + hand_over_text(ruling);
    case Ground::no_candidate:
      return no_candidate_text(study);
    case Ground::no_baseline:
      return no_baseline_text(study);
  }
  return {};
}

}  // namespace netsettle::strategies
