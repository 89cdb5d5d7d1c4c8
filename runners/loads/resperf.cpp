#include "runners/loads/resperf.hpp"

#include <chrono>

#include "runners/loads/load_options.hpp"
#include "runners/loads/resperf_output.hpp"

namespace netsettle::runners {
namespace {

constexpr std::string_view kReopenSince = "2.5";  // before, a query file that ends before the ramp does ends the run

}  // namespace

Expected<void> Resperf::check(const LoadSection& load) const {
  if (load.rate) return fail(ErrorCode::invalid_input, "load.rate", "does not go with resperf, which raises the rate by itself");
  if (load.threads > 1) return fail(ErrorCode::invalid_input, "load.threads", "resperf has one thread; use load.instances");
  return check_load_arguments(resperf_program(), load.arguments);
}

Expected<std::vector<std::string>> Resperf::command_line(const LoadSection& load, const LoadTarget& target) const {
  NETSETTLE_TRY(check(load));
  NETSETTLE_TRY(check_load_arguments(resperf_program(), load.arguments, target.program_version));
  std::vector<std::string> argv = {std::string(program())};
  const auto add = [&](const char* option, std::string value) { argv.insert(argv.end(), {option, std::move(value)}); };
  add("-s", target.address);
  add("-p", std::to_string(target.port));
  add("-d", load.queries);
  if (has_feature(target.program_version, kReopenSince)) argv.emplace_back("-R");
  add("-C", std::to_string(load.clients));
  add("-q", std::to_string(load.outstanding));
  add("-r", seconds_text(target.seconds));
  add("-t", seconds_text(std::chrono::duration<double>(load.timeout).count()));
  add("-f", load.family == AddressFamily::ipv4 ? "inet" : "inet6");
  add("-P", "/dev/null");  // its default is a file in the current folder
  if (target.first_source_port) add("-x", std::to_string(*target.first_source_port));
  if (!target.tsig_key.empty()) add("-y", target.tsig_key);
  argv.insert(argv.end(), load.arguments.begin(), load.arguments.end());
  return argv;
}

LoadReport Resperf::parse(std::string_view standard_output, std::string_view standard_error) const {
  return load_report(read_resperf(standard_output, standard_error, std::nullopt));
}

}  // namespace netsettle::runners
