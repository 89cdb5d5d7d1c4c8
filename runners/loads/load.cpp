#include "runners/loads/load.hpp"

#include "runners/loads/command_load.hpp"
#include "runners/loads/dnsperf.hpp"
#include "runners/loads/kxdpgun.hpp"
#include "runners/loads/resperf.hpp"

namespace netsettle::runners {

Expected<std::unique_ptr<Load>> make_load(const LoadSection& load) {
  if (load.kind == "dnsperf") return std::make_unique<Dnsperf>();
  if (load.kind == "resperf") return std::make_unique<Resperf>();
  if (load.kind == "kxdpgun") return std::make_unique<Kxdpgun>();
  if (load.kind == "command") return std::make_unique<CommandLoad>(load);
  return fail(ErrorCode::not_found, "load.kind",
              load.kind + " is no load generator that netsettle can drive; there are: dnsperf, resperf, kxdpgun, command");
}

Expected<std::unique_ptr<Load>> make_load(std::string_view kind) {
  LoadSection load;
  load.kind = kind;
  return make_load(load);
}

}  // namespace netsettle::runners
