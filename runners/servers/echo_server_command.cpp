#include "runners/servers/echo_server_command.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "runners/echo/io_model.hpp"
#include "runners/echo/options.hpp"

namespace netsettle::runners {
namespace {

using Json = nlohmann::json;

/// False where the object has no such whole, non-negative number.
bool read_count(const Json& object, const char* key, std::int64_t& count) {
  const auto value = object.find(key);
  if (value == object.end() || !value->is_number_unsigned()) return false;
  count = value->get<std::int64_t>();
  return count >= 0;  // more than an int64 holds is nonsense
}

std::optional<WorkerCounts> worker_counts(const Json& worker) {
  WorkerCounts counts;
  std::int64_t process = 0, thread = 0;
  const auto cpus = worker.find("cpus");
  if (cpus == worker.end() || !cpus->is_string()) return std::nullopt;
  const bool whole = read_count(worker, "process", process) && read_count(worker, "thread", thread) &&
                     read_count(worker, "received", counts.received) && read_count(worker, "answered", counts.answered) &&
                     read_count(worker, "malformed", counts.malformed) && read_count(worker, "errors", counts.errors);
  if (!whole) return std::nullopt;
  counts.process = static_cast<int>(process);
  counts.thread = static_cast<int>(thread);
  counts.cpus = cpus->get<std::string>();
  return counts;
}

std::optional<ServerReport> parse_report(std::string_view line) {
  const Json json = Json::parse(line, nullptr, false);  // no exceptions: another program's line, or one that was cut, is discarded
  ServerReport report;
  const auto cpu_seconds = json.find("cpu_seconds");
  const auto workers = json.find("workers");
  if (cpu_seconds == json.end() || !cpu_seconds->is_number() || workers == json.end() || !workers->is_array()) return std::nullopt;
  if (!read_count(json, "receive_buffer", report.receive_buffer)) return std::nullopt;
  (void)read_count(json, "unpinned", report.unpinned);  // older servers did not say
  report.cpu_seconds = cpu_seconds->get<double>();
  for (const Json& worker : *workers) {
    auto counts = worker_counts(worker);
    if (!counts) return std::nullopt;
    report.workers.push_back(std::move(*counts));
  }
  return report;
}

}  // namespace

Expected<std::vector<std::string>> EchoServerCommand::command_line(const ServerSection& server, const ServerTarget& target) const {
  if (!find_socket_sharing(server.sockets))
    return fail(ErrorCode::unsupported, "server.sockets", server.sockets + " is not among: shared, reuseport, reuseport-cpu");
  if (!find_io_model(server.io_model))
    return fail(ErrorCode::unsupported, "server.io_model", fmt::format("{} is not among: {}", server.io_model, io_model_names()));
  NETSETTLE_ASSIGN(const std::vector<CpuId> cpus, usable_cpus(server.cores, target.cpus));
  if (cpus.empty() && server.sockets == "reuseport-cpu")
    return fail(ErrorCode::invalid_input, "server.sockets", "reuseport-cpu needs CPUs that the workers are pinned to");
  std::vector<std::string> argv = {target.echo_program};
  const auto add = [&](const char* option, std::string value) { argv.insert(argv.end(), {option, std::move(value)}); };
  add("--address", target.address);
  add("--port", std::to_string(server.port));
  add("--processes", std::to_string(server.processes));
  add("--threads", std::to_string(server.threads));
  add("--io-model", server.io_model);
  add("--sockets", server.sockets);
  add("--batch", std::to_string(server.batch));
  add("--receive-buffer", std::to_string(server.receive_buffer));
  add("--send-buffer", std::to_string(server.send_buffer));
  add("--busy-poll", std::to_string(server.busy_poll.count()));
  if (!cpus.empty()) add("--cpus", fmt::format("{}", fmt::join(cpus, ",")));
  return argv;
}

std::optional<ServerReport> EchoServerCommand::parse(std::string_view standard_output) const {
  while (!standard_output.empty()) {
    if (standard_output.ends_with('\n')) standard_output.remove_suffix(1);
    const std::size_t begin = standard_output.rfind('\n') + 1;  // npos + 1 is 0
    if (auto report = parse_report(standard_output.substr(begin))) return report;
    standard_output = standard_output.substr(0, begin);
  }
  return std::nullopt;
}

}  // namespace netsettle::runners
