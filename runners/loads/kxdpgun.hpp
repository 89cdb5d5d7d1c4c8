#pragma once
// kxdpgun as a load: queries at a fixed rate (load.rate) that bypass the kernel's stack on the sending side. It opens its own ports and has
// neither clients nor a window; what is not answered by its end is lost.

#include "runners/loads/load.hpp"

namespace netsettle::runners {

class Kxdpgun final : public Load {
 public:
  std::string_view program() const override { return "kxdpgun"; }
  std::string_view package() const override { return "knot-dnsutils"; }
  std::string_view version_argument() const override { return "-V"; }
  bool pins_itself() const override { return true; }
  Expected<void> check(const LoadSection& load) const override;
  Expected<std::vector<std::string>> command_line(const LoadSection& load, const LoadTarget& target) const override;
  LoadReport parse(std::string_view standard_output, std::string_view standard_error) const override;
};

}  // namespace netsettle::runners
