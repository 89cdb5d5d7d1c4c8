#include "tuner/report/side_by_side_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tuner/report/json_parts.hpp"
#include "tuner/report/report_data.hpp"
#include "tuner/report/table.hpp"
#include "tuner/report/text.hpp"

namespace netsettle::tuner {
namespace {

using Json = nlohmann::ordered_json;

std::string capital(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

std::string settings_text(const StudyView& study, std::int64_t id) {
  const StudyConfiguration* const configuration = find_configuration(study, id);
  return configuration == nullptr ? "" : changes(study, configuration->configuration);
}

std::string count_or_blank(int count) { return count == 0 ? "" : fmt::format("{}", count); }

std::string steadiness_table(const StudyView& study, const SideBySide& compared, std::size_t width) {
  const auto any = [&](int Steadiness::* count) {
    return std::ranges::any_of(compared.configurations, [count](const Steadiness& row) { return row.*count > 0; });
  };
  std::vector<Column> columns{{"id"}, {"n"}, {"mean"}, {"min", Align::right, 2}, {"max", Align::right, 2}, {"CV"}, {"worst/mean"}};
  const std::vector<std::pair<const char*, int Steadiness::*>> counts = {
      {"failed", &Steadiness::failed}, {"invalid", &Steadiness::invalid}, {"suspect", &Steadiness::suspect}};
  for (const auto& [title, count] : counts)
    if (any(count)) columns.push_back({title, Align::right, 1});
  std::vector<std::vector<std::string>> rows;
  for (const Steadiness& row : compared.configurations) {
    const auto value = [&](double number) { return row.n == 0 ? std::string("-") : quantity(number); };
    std::vector<std::string> cells{fmt::format("{}", row.id),
                                   fmt::format("{}", row.n),
                                   value(row.mean),
                                   value(row.minimum),
                                   value(row.maximum),
                                   row.coefficient_of_variation ? fmt::format("{:.1f} %", 100 * *row.coefficient_of_variation) : "-",
                                   row.worst_share ? fmt::format("{:.3f}", *row.worst_share) : "-"};
    for (const auto& [title, count] : counts)
      if (any(count)) cells.push_back(count_or_blank(row.*count));
    cells.push_back(settings_text(study, row.id));
    rows.push_back(std::move(cells));
  }
  return render_table(columns, "settings", rows, width);
}

std::string interval_text(const PairDifference& pair) {
  if (!pair.comparison) return "too few blocks";
  return interval({pair.comparison->effect, pair.comparison->low, pair.comparison->high});
}

std::string differences_table(const SideBySide& compared, std::size_t width) {
  const std::vector<Column> columns{{"difference", Align::left}, {"blocks"}};
  std::vector<std::vector<std::string>> rows;
  for (const PairDifference& pair : compared.pairs)
    rows.push_back({fmt::format("{} against {}", configuration_name(pair.id), configuration_name(pair.versus)),
                    fmt::format("{}", pair.blocks), interval_text(pair)});
  // 97.5 and 98.33 keep what they need.
  return render_table(columns, fmt::format("{:.4g} % interval, more is better", 100 * (1 - 2 * compared.alpha)), rows, width);
}

bool has_failed(const SideBySide& compared, std::int64_t id) {
  const auto row = std::ranges::find(compared.configurations, id, &Steadiness::id);
  return row != compared.configurations.end() && row->failed > 0;
}

/// " Configuration 7 failed in 2 trials and is not called better."
std::string failures_text(const SideBySide& compared) {
  std::string text;
  for (const Steadiness& row : compared.configurations)
    if (row.failed > 0)
      text += fmt::format(" {} failed in {} trial{} and is not called better than another.", capital(configuration_name(row.id)),
                          row.failed, row.failed == 1 ? "" : "s");
  return text;
}

/// "configuration 5 is better than the baseline (by at least 1.2 %)"; empty where the pair's interval at `alpha` holds 0.
std::string better_text(const SideBySide& compared, const PairDifference& pair, double alpha) {
  if (!pair.comparison) return "";
  const auto& [id, versus] = std::pair(pair.id, pair.versus);
  const double p = pair.comparison->p_greater;
  if (p <= alpha && !has_failed(compared, id))
    return fmt::format("{} is better than {}", configuration_name(id), configuration_name(versus));
  if (1 - p <= alpha && !has_failed(compared, versus))
    return fmt::format("{} is better than {}", configuration_name(versus), configuration_name(id));
  return "";
}

/// "May be the best: configuration 2, configuration 5 (95 % together, Hsu)."; what failed is not named.
std::string best_text(const SideBySide& compared) {
  if (!compared.may_be_best) return "";
  std::string names;
  for (const std::int64_t id : *compared.may_be_best)
    if (!has_failed(compared, id)) names += (names.empty() ? "" : ", ") + configuration_name(id);
  return names.empty() ? "" : fmt::format("\nMay be the best of them: {} (95 % together, Hsu; equal noise taken for granted).\n", names);
}

std::string joined(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += (all.empty() ? "" : "; ") + text;
  return all;
}

int fewest_blocks(const SideBySide& compared) {
  int fewest = compared.pairs.empty() ? 0 : compared.pairs.front().blocks;
  for (const PairDifference& pair : compared.pairs) fewest = std::min(fewest, pair.blocks);
  return fewest;
}

const char* source_name(BlockSource source) {
  switch (source) {
    case BlockSource::fresh:
      return "fresh";
    case BlockSource::settled:
      return "settled";
    case BlockSource::searched:
      break;
  }
  return "searched";
}

Json or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json steadiness_json(const StudyView& study, const Steadiness& row) {
  const StudyConfiguration* const configuration = find_configuration(study, row.id);
  const auto value = [&](double number) { return row.n == 0 ? Json(nullptr) : Json(number); };
  return {{"id", row.id},
          {"values", configuration == nullptr ? Json(nullptr) : values_json(configuration->configuration)},
          {"n", row.n},
          {"failed", row.failed},
          {"invalid", row.invalid},
          {"suspect", row.suspect},
          {"mean", value(row.mean)},
          {"minimum", value(row.minimum)},
          {"maximum", value(row.maximum)},
          {"coefficient_of_variation", or_null(row.coefficient_of_variation)},
          {"worst_share", or_null(row.worst_share)}};
}

Json pair_json(const PairDifference& pair) {
  Json json{{"id", pair.id}, {"versus", pair.versus}, {"blocks", pair.blocks}};
  for (const char* const key : {"effect", "low", "high", "p_greater"}) json[key] = nullptr;
  if (!pair.comparison) return json;
  json["effect"] = pair.comparison->effect;
  json["low"] = pair.comparison->low;
  json["high"] = pair.comparison->high;
  json["p_greater"] = pair.comparison->p_greater;
  return json;
}

}  // namespace

std::string configuration_name(std::int64_t id) { return id == kBaselineId ? "the baseline" : fmt::format("configuration {}", id); }

std::string side_by_side_text(const StudyView& study, const SideBySide& compared, std::size_t width) {
  return fmt::format("By {}:\n", study.experiment.objective.maximize) + steadiness_table(study, compared, width) + "\n" +
         differences_table(compared, width) + best_text(compared);
}

std::string pairs_conclusion(const SideBySide& compared) {
  const auto tests = static_cast<double>(compared.pairs.size());
  std::vector<std::string> better;
  for (const PairDifference& pair : compared.pairs)
    if (std::string text = better_text(compared, pair, 0.025 / tests); !text.empty()) better.push_back(std::move(text));
  const std::string level =
      compared.pairs.size() == 1 ? "at 5 %" : fmt::format("at 5 % over all {} pairs together (Bonferroni)", compared.pairs.size());
  if (!better.empty()) return capital(joined(better)) + ", " + level + "." + failures_text(compared);
  return fmt::format("No difference is shown {} by {} complete blocks; more blocks make the intervals narrower.{}", level,
                     fewest_blocks(compared), failures_text(compared));
}

std::string baseline_conclusion(const SideBySide& compared) {
  std::vector<std::string> better;
  for (const PairDifference& pair : compared.pairs)
    if (pair.comparison && pair.comparison->p_greater <= compared.alpha && !has_failed(compared, pair.id))
      better.push_back(
          fmt::format("{} is better than the baseline (at least {})", configuration_name(pair.id), percent(pair.comparison->low)));
  const std::string level = fmt::format("each tested at 2.5 % / {} one-sided (Bonferroni)", compared.pairs.size());
  if (!better.empty()) return capital(joined(better)) + "; " + level + "." + failures_text(compared);
  return fmt::format("None is shown to be better than the baseline by {} complete blocks, {}.{}", fewest_blocks(compared), level,
                     failures_text(compared));
}

std::string record_conclusion(const SideBySide& compared) {
  const std::string blocks = compared.source == BlockSource::settled
                                 ? "confirmation blocks and blocks of your own, whose number was not fixed for this comparison"
                                 : "all blocks that hold both, the search's too: whoever was ahead there looks better than it is";
  return "From what the record holds, for exploring: " + blocks + ".";
}

Json side_by_side_json(const StudyView& study, const SideBySide& compared) {
  Json json{{"objective", study.experiment.objective.maximize},
            {"source", source_name(compared.source)},
            {"level", 1 - 2 * compared.alpha},
            {"configurations", Json::array()},
            {"pairs", Json::array()},
            {"may_be_best", compared.may_be_best ? Json(*compared.may_be_best) : Json(nullptr)}};
  for (const Steadiness& row : compared.configurations) json["configurations"].push_back(steadiness_json(study, row));
  for (const PairDifference& pair : compared.pairs) json["pairs"].push_back(pair_json(pair));
  return json;
}

}  // namespace netsettle::tuner
