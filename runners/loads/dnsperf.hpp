#pragma once
// dnsperf as a load: its command line. What it prints is read by dnsperf_output.hpp.

#include "runners/loads/load.hpp"

namespace netsettle::runners {

class Dnsperf final : public Load {
 public:
  std::string_view program() const override { return "dnsperf"; }
  std::string_view package() const override { return "dnsperf"; }
  Expected<std::vector<std::string>> command_line(const LoadSection& load, const LoadTarget& target) const override;
  LoadReport parse(std::string_view standard_output, std::string_view standard_error) const override;
};

/// Refuses what netsettle sets itself, what only prints help, and what dnsperf would refuse; options may be written apart ("-b", "64"),
/// attached ("-b64") or grouped ("-eD"). invalid_input names the argument.
Expected<void> check_dnsperf_arguments(const std::vector<std::string>& arguments);

}  // namespace netsettle::runners
