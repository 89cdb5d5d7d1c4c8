#pragma once
// resperf as a load: it raises the rate until the server, or it itself, cannot follow. The rate of its report is the maximum throughput;
// there is no series, and the trial's warm-up does not apply.

#include "runners/loads/load.hpp"

namespace netsettle::runners {

class Resperf final : public Load {
 public:
  std::string_view program() const override { return "resperf"; }
  std::string_view package() const override { return "resperf"; }
  std::string_view version_argument() const override { return "-h"; }
  Expected<void> check(const LoadSection& load) const override;
  Expected<std::vector<std::string>> command_line(const LoadSection& load, const LoadTarget& target) const override;
  LoadReport parse(std::string_view standard_output, std::string_view standard_error) const override;
};

}  // namespace netsettle::runners
