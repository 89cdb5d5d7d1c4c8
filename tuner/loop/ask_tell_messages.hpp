#pragma once
// The words of ask and tell (docs/ask-tell.md): one JSON object a line, in both directions. Nothing is decided here.

#include <expected>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>

#include "datasets/model/metric.hpp"
#include "strategies/racing/next_step.hpp"

namespace netsettle::tuner {

struct Ask {};
struct Finish {};
/// Exactly one of value, failed and invalid is there.
struct Tell {
  std::int64_t trial = 0;
  std::optional<double> value;  // above 0
  std::optional<std::string> failed, invalid;
  Measurements metrics;
};
using Message = std::variant<Ask, Tell, Finish>;

/// Failure: a sentence for the other side.
std::expected<Message, std::string> parse_message(std::string_view line);

/// "client-limited" → a reason with this code; any other text becomes the detail of a reason "told".
Reason reason_of(const std::string& told);

// Answers, without newline.
std::string trial_answer(const StudyView& study, const Trial& trial);
std::string done_answer(const StudyView& study, const strategies::StudyVerdict& verdict);
std::string ok_answer();
std::string error_answer(const std::string& text);
/// An ask that must wait for the trials that are out.
std::string waiting_answer(const std::set<std::int64_t>& out);

}  // namespace netsettle::tuner
