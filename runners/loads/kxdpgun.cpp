#include "runners/loads/kxdpgun.hpp"

#include <cmath>

#include "runners/loads/kxdpgun_result.hpp"
#include "runners/loads/load_options.hpp"

namespace netsettle::runners {
namespace {

constexpr std::string_view kJsonSince = "3.4";  // and statistics by period

}  // namespace

Expected<void> Kxdpgun::check(const LoadSection& load) const {
  if (!load.rate) return fail(ErrorCode::invalid_input, "load.rate", "is needed: kxdpgun sends at a fixed rate");
  if (load.instances > 1)
    return fail(ErrorCode::invalid_input, "load.instances", "kxdpgun takes all queues of the interface; one is the most");
  if (!load.tsig_key_file.empty()) return fail(ErrorCode::invalid_input, "load.tsig_key_file", "kxdpgun cannot sign queries");
  return check_load_arguments(kxdpgun_program(), load.arguments);
}

Expected<std::vector<std::string>> Kxdpgun::command_line(const LoadSection& load, const LoadTarget& target) const {
  NETSETTLE_TRY(check(load));
  NETSETTLE_TRY(check_load_arguments(kxdpgun_program(), load.arguments, target.program_version));
  std::vector<std::string> argv = {std::string(program())};
  const auto add = [&](const char* option, std::string value) { argv.insert(argv.end(), {option, std::move(value)}); };
  add("-t", std::to_string(std::max(1L, std::lround(std::ceil(target.seconds)))));
  add("-Q", std::to_string(std::llround(*load.rate)));
  add("-p", std::to_string(target.port));
  add("-i", load.queries);
  if (has_feature(target.program_version, kJsonSince)) {
    constexpr double kMillisecondsPerSecond = 1000;
    argv.emplace_back("-j");
    add("-S", std::to_string(std::max(1L, std::lround(target.interval_s * kMillisecondsPerSecond))));
  }
  argv.insert(argv.end(), load.arguments.begin(), load.arguments.end());
  argv.push_back(target.address);
  return argv;
}

LoadReport Kxdpgun::parse(std::string_view standard_output, std::string_view standard_error) const {
  return load_report(read_kxdpgun(standard_output, standard_error));
}

}  // namespace netsettle::runners
