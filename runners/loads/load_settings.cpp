// load.* settings of a configuration: allowed on loopback only, for learning (they change the instrument).

#include <charconv>

#include <fmt/format.h>

#include "runners/loads/load.hpp"

namespace netsettle::runners {
namespace {

constexpr std::int64_t kMostClients = 65536, kMostInstances = 64;
constexpr std::int64_t kLongestTimeout_us = 3'600'000'000;
constexpr double kHighestRate = 1e9;

Expected<std::int64_t> number_up_to(std::int64_t most, const std::string& setting, const std::string& value) {
  std::int64_t number = 0;
  const auto [end, status] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (status != std::errc() || end != value.data() + value.size() || number < 1 || number > most)
    return fail(ErrorCode::invalid_input, setting, fmt::format("{} is not a number from 1 to {}", value, most));
  return number;
}

Expected<double> rate_of(const std::string& setting, const std::string& value) {
  double rate = 0;
  const auto [end, status] = std::from_chars(value.data(), value.data() + value.size(), rate);
  if (status != std::errc() || end != value.data() + value.size() || !(rate >= 1 && rate <= kHighestRate))
    return fail(ErrorCode::invalid_input, setting, fmt::format("{} is not a rate from 1 to {:.0f} queries a second", value, kHighestRate));
  return rate;
}

/// The count in the section that a setting names; nullptr for a setting that is no count.
int* count_named(LoadSection& load, std::string_view setting) {
  if (setting == "load.clients") return &load.clients;
  if (setting == "load.outstanding") return &load.outstanding;
  if (setting == "load.threads") return &load.threads;
  return nullptr;
}

Expected<void> set(LoadSection& load, const std::string& setting, const std::string& value) {
  if (int* const count = count_named(load, setting)) {
    NETSETTLE_ASSIGN(const std::int64_t number, number_up_to(kMostClients, setting, value));
    *count = static_cast<int>(number);
  } else if (setting == "load.timeout") {
    NETSETTLE_ASSIGN(const std::int64_t timeout_us, number_up_to(kLongestTimeout_us, setting, value));
    load.timeout = Microseconds(timeout_us);
  } else if (setting == "load.instances") {
    NETSETTLE_ASSIGN(const std::int64_t number, number_up_to(kMostInstances, setting, value));
    load.instances = static_cast<int>(number);
  } else if (setting == "load.rate") {
    NETSETTLE_ASSIGN(load.rate, rate_of(setting, value));
  } else if (setting == "load.cpus") {
    load.cpus = value;
  } else {
    return fail(ErrorCode::invalid_input, setting, "is no setting of the load");
  }
  return {};
}

}  // namespace

Expected<LoadSection> with_settings(LoadSection load, const std::map<std::string, std::string>& settings) {
  for (const auto& [setting, value] : settings)
    if (setting.starts_with("load.")) NETSETTLE_TRY(set(load, setting, value));
  return load;
}

}  // namespace netsettle::runners
