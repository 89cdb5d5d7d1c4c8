#include "strategies/racing/sentence.hpp"

#include <fmt/format.h>

#include <cmath>

namespace netsettle::strategies {
namespace {

std::string unsigned_percent(double fraction) {
  const double value = std::abs(fraction) * 100;
  return value < 9.95 ? fmt::format("{:.1f} %", value) : fmt::format("{:.0f} %", value);
}

std::string value_text(const Value& value, ParameterType type) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) {
    if (type == ParameterType::bytes) return format_bytes(*number);
    if (type == ParameterType::duration) return format_duration_us(*number);
  }
  return to_text(value);
}

}  // namespace

std::string percent(double fraction) { return (fraction < 0 ? "−" : "") + unsigned_percent(fraction); }

std::string signed_percent(double fraction) { return (fraction < 0 ? "−" : "+") + unsigned_percent(fraction); }

std::string describe_changes(const Configuration& configuration, const SearchSpace& space) {
  std::string text;
  for (const Domain& domain : space.domains()) {
    const auto found = configuration.values.find(domain.name);
    if (found == configuration.values.end() || std::holds_alternative<AsFound>(found->second)) continue;
    text += (text.empty() ? "" : ", ") + domain.name + "=" + value_text(found->second, domain.type);
  }
  return text.empty() ? "the settings you had" : text;
}

std::string level(double alpha) { return fmt::format("{:.4g} %", 100 * (1 - 2 * alpha)); }

std::string counted(int n, std::string_view singular) { return fmt::format("{} {}{}", n, singular, n == 1 ? "" : "s"); }

std::string interval_name(double alpha, int finalists) {
  if (finalists <= 1) return level(alpha) + " interval";
  return fmt::format("simultaneous {} interval over the {} finalists", level(alpha), finalists);
}

std::string measured_text(const PairedComparison& comparison, int finalists) {
  return fmt::format("{} ({} {} to {}) in {}", signed_percent(comparison.effect), interval_name(comparison.alpha * finalists, finalists),
                     signed_percent(comparison.low), signed_percent(comparison.high), counted(comparison.n, "fresh block"));
}

}  // namespace netsettle::strategies
