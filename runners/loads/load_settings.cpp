// load.* settings of a configuration: allowed on loopback only, for learning (they change the instrument).

#include <charconv>

#include <fmt/format.h>

#include "runners/loads/load.hpp"

namespace netsettle::runners {
namespace {

constexpr std::int64_t kMost = 65536;

Expected<std::int64_t> positive(const std::string& setting, const std::string& value, std::int64_t most) {
  std::int64_t number = 0;
  const auto [end, status] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (status != std::errc() || end != value.data() + value.size() || number < 1 || number > most)
    return fail(ErrorCode::invalid_input, setting, fmt::format("{} is not a number from 1 to {}", value, most));
  return number;
}

}  // namespace

Expected<LoadSection> with_settings(LoadSection load, const std::map<std::string, std::string>& settings) {
  for (const auto& [setting, value] : settings) {
    if (!setting.starts_with("load.")) continue;
    if (setting == "load.cpus") {
      load.cpus = value;
    } else if (setting == "load.timeout") {
      NETSETTLE_ASSIGN(const std::int64_t timeout_us, positive(setting, value, 3'600'000'000));
      load.timeout = Microseconds(timeout_us);
    } else if (setting == "load.clients" || setting == "load.outstanding" || setting == "load.threads") {
      NETSETTLE_ASSIGN(const std::int64_t number, positive(setting, value, kMost));
      (setting == "load.clients" ? load.clients : setting == "load.outstanding" ? load.outstanding : load.threads) = static_cast<int>(number);
    } else {
      return fail(ErrorCode::invalid_input, setting, "is no setting of the load");
    }
  }
  return load;
}

}  // namespace netsettle::runners
