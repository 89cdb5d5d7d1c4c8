#include "runners/loads/load.hpp"

#include "runners/loads/dnsperf.hpp"

namespace netsettle::runners {

Expected<std::unique_ptr<Load>> make_load(std::string_view kind) {
  if (kind == "dnsperf") return std::make_unique<Dnsperf>();
  return fail(ErrorCode::not_found, "load.kind", std::string(kind) + " is no load generator that netsettle can drive; there is: dnsperf");
}

}  // namespace netsettle::runners
