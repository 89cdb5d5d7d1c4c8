#pragma once
// A parameter of the search: what the experiment file says about it, before the machine's facts are known.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/model/expression.hpp"
#include "datasets/model/value.hpp"

namespace netsettle {

enum class ParameterType { integer, real, bytes, duration, boolean, categorical, cpus };
enum class Scale { linear, logarithmic };

std::string_view to_text(ParameterType type);
std::string_view to_text(Scale scale);

struct Parameter {
  std::string name;
  std::vector<std::string> sets;  // "sysctl.net.core.rmem_max", "server.processes", "queues.rps.count", "client.…"
  ParameterType type = ParameterType::integer;
  std::optional<Expression> low;  // range, for integer, real, bytes, duration
  std::optional<Expression> high;
  std::optional<double> step;  // linear scale: only low, low + step, …
  Scale scale = Scale::linear;
  std::vector<Value> values;               // categorical, cpus; for numbers an explicit list of levels instead of a range
  std::vector<Value> special;              // values that deserve a try of their own
  std::optional<Expression> when;          // active only then
  std::map<std::string, Expression> with;  // setting → value, changed along with the parameter
  bool optional = false;                   // dropped with a reason where the setting does not exist
  bool keep = false;                       // kept although it cannot matter here
  std::optional<Value> default_value;      // rig "external" only
};

/// "4096", "64KiB", "500ms", "true", "epoll", "0-3" → the value; "as-found" for every type. Sizes and durations become bytes and
/// microseconds, CPU lists canonical. Failure: invalid_input. Whether a parameter's domain contains the value is SearchSpace's question.
Expected<Value> parse_value(ParameterType type, std::string_view text);

/// integer, real, bytes, duration: what may have a range.
bool is_numeric(ParameterType type);

/// True where the setting belongs to the whole machine, so that a study changes it for everybody: all of sysctl.net.core.*
/// and the sysctls that exist in the initial namespace only. Per-namespace net.ipv4 settings and server.* are not.
bool is_host_wide(std::string_view setting);

}  // namespace netsettle
