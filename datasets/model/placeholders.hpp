#pragma once
// "{port}" in the argument vector of somebody's program.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/model/error.hpp"

namespace netsettle {

using PlaceholderValue = std::function<Expected<std::string>(std::string_view name)>;

/// Each {name} replaced; a brace that begins no lower-case word stands for itself: arguments may be JSON. Failures: those of `value_of`.
Expected<std::string> with_placeholders(std::string_view text, const PlaceholderValue& value_of);
/// The same for every argument.
Expected<std::vector<std::string>> with_placeholders(const std::vector<std::string>& arguments, const PlaceholderValue& value_of);

/// Whether an argument has the placeholder.
bool has_placeholder(const std::vector<std::string>& arguments, std::string_view name);

}  // namespace netsettle
