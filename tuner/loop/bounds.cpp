#include "tuner/loop/bounds.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace netsettle::tuner {
namespace {

using runners::ResolvedSetting;

enum class End { low, high };

class Fitter {
 public:
  Fitter(const Parameter& parameter, const Facts& facts, const runners::SettingContext& context)
      : facts_(facts), context_(context), fit_{parameter, {}} {}

  std::expected<Fit, Errors> run(const std::vector<ResolvedSetting>& settings) && {
    for (const ResolvedSetting& setting : settings) {
      if (std::ranges::find(fit_.parameter.sets, setting.name) == fit_.parameter.sets.end()) continue;
      check_levels(setting);
      fit_end(setting, End::low);
      fit_end(setting, End::high);
    }
    if (!problems_.empty()) return std::unexpected(std::move(problems_));
    return std::move(fit_);
  }

 private:
  void add_problem(Error problem, std::string_view where) {
    problem.text += fmt::format(" ({} of the parameter {})", where, fit_.parameter.name);
    problems_.push_back(std::move(problem));
  }

  void check_levels(const ResolvedSetting& setting) {
    for (const auto* levels : {&fit_.parameter.values, &fit_.parameter.special})
      for (const Value& level : *levels) {
        if (std::holds_alternative<AsFound>(level)) continue;
        if (const auto texts = texts_for(context_, setting, to_text(level)); !texts)
          add_problem(texts.error(), fmt::format("the value {}", to_text(level)));
      }
  }

  std::optional<double> number_of(const Expression& expression) const {
    const auto number = expression.evaluate_number([this](std::string_view name) -> std::optional<ExpressionValue> {
      const auto fact = facts_.find(std::string(name));
      return fact == facts_.end() ? std::nullopt : std::optional<ExpressionValue>(fact->second);
    });
    return number ? std::optional(*number) : std::nullopt;  // what is wrong with it, the search space says
  }

  static std::string bound_text(const ResolvedSetting& setting, End end, std::int64_t bound) {
    return fmt::format("takes at {} {} here{}", end == End::low ? "least" : "most", bound,
                       setting.bound_by.empty() ? "" : fmt::format(" ({})", setting.bound_by));
  }

  void fit_end(const ResolvedSetting& setting, End end) {
    std::optional<Expression>& expression = end == End::low ? fit_.parameter.low : fit_.parameter.high;
    const std::optional<std::int64_t>& bound = end == End::low ? setting.smallest : setting.largest;
    const auto number = expression ? number_of(*expression) : std::nullopt;
    if (!number || !bound) return;
    const auto limit = static_cast<double>(*bound);
    if (end == End::low ? *number >= limit : *number <= limit) return;
    const std::string reason = bound_text(setting, end, *bound);
    if (expression->names().empty() || nothing_is_left(setting))
      return add_problem({ErrorCode::invalid_input, setting.name, fmt::format("{}, not {}", reason, expression->text()), 0}, "the range");
    expression = Expression::number(limit);
    fit_.narrowed.push_back(fmt::format("the range {} at {}: {} {}", end == End::low ? "begins" : "ends", *bound, setting.name, reason));
  }

  bool nothing_is_left(const ResolvedSetting& setting) const {
    const auto low = fit_.parameter.low ? number_of(*fit_.parameter.low) : std::nullopt;
    const auto high = fit_.parameter.high ? number_of(*fit_.parameter.high) : std::nullopt;
    const bool above = low && setting.largest && *low > static_cast<double>(*setting.largest);
    const bool below = high && setting.smallest && *high < static_cast<double>(*setting.smallest);
    return above || below;
  }

  const Facts& facts_;
  const runners::SettingContext& context_;
  Fit fit_;
  Errors problems_;
};

}  // namespace

std::expected<Fit, Errors> fit_to_machine(const Parameter& parameter, const std::vector<ResolvedSetting>& settings, const Facts& facts,
                                          const runners::SettingContext& context) {
  return Fitter(parameter, facts, context).run(settings);
}

}  // namespace netsettle::tuner
