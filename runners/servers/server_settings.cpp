// Between server.* and load.* settings of a configuration and the sections of the experiment file.

#include <algorithm>
#include <charconv>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "datasets/model/cpu_place.hpp"
#include "datasets/model/setting_form.hpp"
#include "runners/echo/io_model.hpp"
#include "runners/echo/options.hpp"
#include "runners/servers/server.hpp"

namespace netsettle::runners {
namespace {

constexpr int kMaxProcesses = 1024;
constexpr int kMaxThreads = 1024;
constexpr int kMaxCpus = 65536;
constexpr int kMaxBatch = 1024;
constexpr int kMaxBuffer = std::numeric_limits<int>::max();
constexpr int kMaxBusyPollUs = 1'000'000;
constexpr std::string_view kRoom = "server.";
constexpr const char* kMemorySetting = "memory.policy";

Expected<int> number_between(const std::string& setting, const std::string& value, int low, int high) {
  int number = 0;
  const auto [end, status] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (status != std::errc() || end != value.data() + value.size() || number < low || number > high)
    return fail(ErrorCode::invalid_input, setting, fmt::format("{} is not a number from {} to {}", value, low, high));
  return number;
}

Expected<void> check_placement(const std::string& setting, const std::string& value) {
  if (std::ranges::find(placement_words(), value) != placement_words().end()) return {};
  const auto cpus = parse_cpu_list(value);
  if (!cpus || cpus->empty())
    return fail(ErrorCode::invalid_input, setting,
                fmt::format("{} is neither a CPU list nor one of {}", value, fmt::join(placement_words(), ", ")));
  return {};
}

Expected<void> check_memory(const std::string& value) {
  if (std::ranges::find(memory_words(), value) != memory_words().end() || node_in_word(value)) return {};
  return fail(ErrorCode::invalid_input, kMemorySetting,
              fmt::format("{} is neither node:N nor one of {}", value, fmt::join(memory_words(), ", ")));
}

Expected<void> set(ServerSection& server, const std::string& setting, const std::string& value) {
  const std::string_view key = std::string_view(setting).substr(kRoom.size());
  if (key == "processes") {
    NETSETTLE_ASSIGN(server.processes, number_between(setting, value, 1, kMaxProcesses));
  } else if (key == "threads") {
    NETSETTLE_ASSIGN(server.threads, number_between(setting, value, 1, kMaxThreads));
  } else if (key == "cores") {
    if (value != "all") NETSETTLE_TRY(number_between(setting, value, 1, kMaxCpus));
    server.cores = value;
  } else if (key == "io_model") {
    if (!find_io_model(value)) return fail(ErrorCode::invalid_input, setting, value + " is not among: " + io_model_names());
    server.io_model = value;
  } else if (key == "sockets") {
    if (!find_socket_sharing(value))
      return fail(ErrorCode::invalid_input, setting, value + " is not among: shared, reuseport, reuseport-cpu");
    server.sockets = value;
  } else if (key == "batch") {
    NETSETTLE_ASSIGN(server.batch, number_between(setting, value, 1, kMaxBatch));
  } else if (key == "receive_buffer") {
    NETSETTLE_ASSIGN(server.receive_buffer, number_between(setting, value, 0, kMaxBuffer));
  } else if (key == "send_buffer") {
    NETSETTLE_ASSIGN(server.send_buffer, number_between(setting, value, 0, kMaxBuffer));
  } else if (key == "busy_poll") {
    NETSETTLE_ASSIGN(const int microseconds, number_between(setting, value, 0, kMaxBusyPollUs));
    server.busy_poll = Microseconds(microseconds);
  } else if (key == "placement") {
    NETSETTLE_TRY(check_placement(setting, value));
    server.placement = value;
  } else {
    return fail(ErrorCode::invalid_input, setting, "is no setting of the server");
  }
  return {};
}

Value number_or_text(const std::string& text) {
  std::int64_t number = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (status == std::errc() && end == text.data() + text.size()) return number;
  return text;
}

}  // namespace

Expected<ServerSection> with_settings(ServerSection server, const std::map<std::string, std::string>& settings) {
  for (const auto& [setting, value] : settings) {
    if (setting.starts_with(kRoom)) NETSETTLE_TRY(set(server, setting, value));
    if (setting != kMemorySetting) continue;
    NETSETTLE_TRY(check_memory(value));
    server.memory = value;
  }
  return server;
}

AsFoundValues values_of(const ServerSection& server, const LoadSection& load) {
  return {{"server.processes", std::int64_t{server.processes}},
          {"server.threads", std::int64_t{server.threads}},
          {"server.cores", number_or_text(server.cores)},
          {"server.io_model", server.io_model},
          {"server.sockets", server.sockets},
          {"server.placement", server.placement},
          {"server.batch", std::int64_t{server.batch}},
          {"server.receive_buffer", server.receive_buffer},
          {"server.send_buffer", server.send_buffer},
          {"server.busy_poll", std::int64_t{server.busy_poll.count()}},
          {kMemorySetting, server.memory},
          {"load.clients", std::int64_t{load.clients}},
          {"load.outstanding", std::int64_t{load.outstanding}},
          {"load.threads", std::int64_t{load.threads}},
          {"load.instances", std::int64_t{load.instances}},
          {"load.cpus", load.cpus},
          {"load.timeout", std::int64_t{load.timeout.count()}}};
}

}  // namespace netsettle::runners
