#pragma once
// dnsperf as a load: its command line. What it prints is read by dnsperf_output.hpp.

#include "runners/loads/load.hpp"

namespace netsettle::runners {

class Dnsperf final : public Load {
 public:
  std::string_view program() const override { return "dnsperf"; }
  std::string_view package() const override { return "dnsperf"; }
  std::string_view version_argument() const override { return "-h"; }
  Expected<void> check(const LoadSection& load) const override;
  Expected<std::vector<std::string>> command_line(const LoadSection& load, const LoadTarget& target) const override;
  LoadReport parse(std::string_view standard_output, std::string_view standard_error) const override;
};

}  // namespace netsettle::runners
