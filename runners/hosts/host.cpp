#include "runners/hosts/host.hpp"

#include <csignal>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace netsettle::runners {
namespace {

std::string_view first_line(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  text.remove_prefix(begin);
  return text.substr(0, text.find('\n'));
}

}  // namespace

Expected<std::string> Host::real_path(const std::string& path) {
  return fail(ErrorCode::unsupported, path, "this host does not follow links");
}

std::string to_text(const ExitStatus& status) {
  if (status.signal) return fmt::format("signal {}", *status.signal);
  return status.code ? fmt::format("exit {}", *status.code) : "no exit status";
}

Expected<Finished> run_program(Host& host, const ProcessSpec& spec, Microseconds timeout) {
  NETSETTLE_ASSIGN(const auto process, host.start(spec));
  const auto status = process->wait(timeout);
  if (!status)
    return fail(ErrorCode::timed_out, fmt::format("{}", fmt::join(spec.argv, " ")),
                fmt::format("did not end within {} ms and was killed", std::chrono::ceil<std::chrono::milliseconds>(timeout).count()));
  return Finished{*status, process->standard_output(), process->standard_error()};
}

Expected<std::string> run_checked(Host& host, const std::vector<std::string>& argv, Microseconds timeout) {
  ProcessSpec spec;
  spec.argv = argv;
  NETSETTLE_ASSIGN(Finished finished, run_program(host, spec, timeout));
  if (finished.status.ok()) return std::move(finished.standard_output);
  const auto reason = first_line(finished.standard_error);
  return fail(ErrorCode::refused, fmt::format("{}", fmt::join(argv, " ")),
              reason.empty() ? to_text(finished.status) : fmt::format("{}: {}", to_text(finished.status), reason));
}

}  // namespace netsettle::runners
