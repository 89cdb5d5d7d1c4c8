#include "runners/loads/output_messages.hpp"

#include <algorithm>
#include <array>

namespace netsettle::runners {
namespace {

constexpr std::size_t kMostErrors = 100;

struct WarningKind {
  std::string_view prefix, kind;
};
constexpr std::array kWarningKinds = {
    WarningKind{"invalid query input format", "input_line"},
    WarningKind{"invalid domain name", "input_line"},
    WarningKind{"invalid qtype", "input_line"},
    WarningKind{"invalid query type", "input_line"},
    WarningKind{"failed to send packet", "send_failed"},
    WarningKind{"network congested", "congested"},
    WarningKind{"received short response", "short_response"},
    WarningKind{"received a response with an unexpected", "unexpected_id"},
    WarningKind{"requested ", "adjusted"},
};

}  // namespace

void OutputMessages::add(const OutputMessages& other) {
  for (const auto& [kind, count] : other.warnings) warnings[kind] += count;
  for (const auto& error : other.errors)
    if (errors.size() < kMostErrors)
      errors.push_back(error);
    else
      ++more_errors;
  more_errors += other.more_errors;
  usage_printed = usage_printed || other.usage_printed;
  if (!usage_error) usage_error = other.usage_error;
}

bool MessageReader::line(std::string_view text) {
  constexpr std::string_view kWarning = "Warning: ", kError = "Error: ", kLowerError = "error: ";
  if (text.starts_with(kWarning)) {
    warning(text.substr(kWarning.size()));
  } else if (text.starts_with(kError) || text.starts_with(kLowerError)) {
    if (messages.errors.size() < kMostErrors)
      messages.errors.emplace_back(text.substr(kError.size()));
    else
      ++messages.more_errors;
  } else if (text.starts_with("Usage: ")) {
    messages.usage_printed = true;
    if (!previous_.empty() && !messages.usage_error) messages.usage_error = previous_;
  } else {
    previous_ = text;
    return false;
  }
  previous_.clear();
  return true;
}

void MessageReader::warning(std::string_view text) {
  const auto kind = std::ranges::find_if(kWarningKinds, [&](const WarningKind& known) { return text.starts_with(known.prefix); });
  ++messages.warnings[std::string(kind == kWarningKinds.end() ? "other" : kind->kind)];
}

}  // namespace netsettle::runners
