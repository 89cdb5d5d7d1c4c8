#pragma once
// What the strategies concluded, with the inputs from which anyone can recompute it.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace netsettle {

// Stored values: append-only.
enum class DecisionKind {
  suggest = 1,
  promote = 2,
  eliminate = 3,
  unstable = 4,
  infeasible = 5,
  drift = 6,
  stop = 7,
  winner = 8,
  no_improvement = 9,
  cannot_tell = 10,
  pilot = 11  // the machine's noise and the difference that the budget can prove
};

std::string_view to_text(DecisionKind kind);

struct Decision {
  std::int64_t id = 0;
  std::int64_t at_us = 0;
  DecisionKind kind = DecisionKind::suggest;
  std::optional<std::int64_t> configuration_id;
  std::optional<std::int64_t> versus;
  std::string method;  // "paired-t-log", …
  std::optional<int> n;
  std::optional<double> effect, low, high;  // relative differences: 0.05 is +5 %
  std::optional<double> p, alpha;
  std::string inputs_json;  // what it was computed from
};

}  // namespace netsettle
