#include "runners/loads/dnsperf.hpp"

#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "runners/loads/dnsperf_output.hpp"
#include "runners/loads/load_options.hpp"

namespace netsettle::runners {
namespace {

constexpr std::string_view kThreadsSince = "2.1";

/// The part of load.rate of one instance; -Q takes whole numbers only.
Expected<std::string> rate_text(const LoadSection& load) {
  const double each = *load.rate / std::max(1, load.instances);
  if (each < 1)
    return fail(ErrorCode::invalid_input, "load.rate",
                fmt::format("{} a second for {} instances is less than one each", *load.rate, load.instances));
  return std::to_string(std::llround(each));
}

}  // namespace

Expected<void> Dnsperf::check(const LoadSection& load) const {
  NETSETTLE_TRY(check_load_arguments(dnsperf_program(), load.arguments));
  if (load.rate) NETSETTLE_TRY(rate_text(load));
  return {};
}

Expected<std::vector<std::string>> Dnsperf::command_line(const LoadSection& load, const LoadTarget& target) const {
  NETSETTLE_TRY(check_load_arguments(dnsperf_program(), load.arguments, target.program_version));
  std::vector<std::string> argv = {std::string(program())};
  const auto add = [&](const char* option, std::string value) { argv.insert(argv.end(), {option, std::move(value)}); };
  add("-s", target.address);
  add("-p", std::to_string(target.port));
  add("-d", load.queries);
  add("-c", std::to_string(load.clients));
  add("-q", std::to_string(load.outstanding));
  if (has_feature(target.program_version, kThreadsSince))
    add("-T", std::to_string(load.threads));
  else if (load.threads > 1)
    return fail(ErrorCode::invalid_input, "load.threads",
                fmt::format("dnsperf has threads since {}, and here is {}", kThreadsSince, target.program_version));
  add("-l", seconds_text(target.seconds));
  add("-t", seconds_text(std::chrono::duration<double>(load.timeout).count()));
  add("-S", seconds_text(target.interval_s));
  add("-f", load.family == AddressFamily::ipv4 ? "inet" : "inet6");
  if (target.first_source_port) add("-x", std::to_string(*target.first_source_port));
  if (load.rate) {
    NETSETTLE_ASSIGN(std::string rate, rate_text(load));
    add("-Q", std::move(rate));
  }
  if (!target.tsig_key.empty()) add("-y", target.tsig_key);
  argv.insert(argv.end(), load.arguments.begin(), load.arguments.end());
  return argv;
}

LoadReport Dnsperf::parse(std::string_view standard_output, std::string_view standard_error) const {
  return parse_dnsperf(standard_output, standard_error);
}

}  // namespace netsettle::runners
