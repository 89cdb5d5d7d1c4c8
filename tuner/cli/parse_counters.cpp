#include "tuner/cli/parse_counters.hpp"

#include <algorithm>
#include <array>

#include "tuner/cli/counter_json.hpp"
#include "tuner/cli/counter_tree.hpp"

namespace netsettle::tuner {
namespace {

using Reader = Expected<Json> (*)(const CounterTree& tree);
using Differ = Expected<Json> (*)(const CounterTree& before, const CounterTree& after);

struct Kind {
  std::string_view name;
  Reader one;
  Differ two;
};

constexpr std::array kKinds = {Kind{"softnet", softnet_reading, softnet_difference}, Kind{"snmp", snmp_reading, snmp_difference},
                               Kind{"interrupts", interrupts_reading, interrupts_difference}, Kind{"stat", stat_reading, stat_difference},
                               Kind{"udp", udp_reading, udp_difference}};

/// What a tree cannot tell: the fields of somebody's description of it.
Json identity() { return {{"id", nullptr}, {"origin", nullptr}, {"description", nullptr}, {"elapsed_s", nullptr}}; }

Json with_identity(Json fields) {
  Json whole = identity();
  whole.update(fields);
  return whole;
}

}  // namespace

bool is_counter_kind(std::string_view kind) { return std::ranges::find(kKinds, kind, &Kind::name) != kKinds.end(); }

Expected<nlohmann::ordered_json> parsed_counters(std::string_view kind, const std::optional<std::string>& before_tree,
                                                 const std::string& tree) {
  const auto found = std::ranges::find(kKinds, kind, &Kind::name);
  if (found == kKinds.end()) return fail(ErrorCode::invalid_input, std::string(kind), "is no kind of counters");
  const CounterTree after(tree);
  auto fields = before_tree ? found->two(CounterTree(*before_tree), after) : found->one(after);
  if (!fields) return std::unexpected(std::move(fields).error());
  return with_identity(std::move(*fields));
}

}  // namespace netsettle::tuner
