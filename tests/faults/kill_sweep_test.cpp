// kill -9 at every operation on the machine, on real sysctls of a network namespace and real channels and queues of a veth pair in it.
// Afterwards the guard, or a restore from the journal where the guard was killed too (or never ran), leaves byte-identical values.

#include "tests/faults/kill_sweep.hpp"

#include "runners/settings/carrier.hpp"
#include "tests/support/network_namespace.hpp"

using namespace netsettle;
using namespace netsettle::runners;
using netsettle::tests::NetworkNamespace;

namespace {

class Laboratory {
 public:
  Laboratory() : space_("nst-kill") {
    space_.ip({"link", "add", "nsk0", "numrxqueues", "2", "numtxqueues", "2", "type", "veth", "peer", "name", "nsk1"});
    host_ = make_namespace_host(space_.name()).value();
    // As an administrator has it: a queue that goes and comes again would have none of it.
    for (const auto& [file, text] : {std::pair("rx-1/rps_cpus", "2"), std::pair("rx-1/rps_flow_cnt", "128"),
                                     std::pair("tx-1/xps_cpus", "2"), std::pair("tx-1/xps_rxqs", "1")})
      host_->write_file(std::string("/sys/class/net/nsk0/queues/") + file, text).value();
  }

  std::map<std::string, std::string> contents() const {
    std::map<std::string, std::string> contents;
    for (const char* path :
         {"/proc/sys/net/ipv4/udp_rmem_min", "/proc/sys/net/ipv4/ip_local_port_range", "/proc/sys/net/ipv4/udp_early_demux",
          "/sys/class/net/nsk0/queues/rx-0/rps_cpus", "/sys/class/net/nsk0/queues/rx-1/rps_cpus",
          "/sys/class/net/nsk0/queues/tx-0/xps_cpus", "/sys/class/net/nsk0/queues/tx-1/xps_cpus",
          "/sys/class/net/nsk0/queues/rx-1/rps_flow_cnt", "/sys/class/net/nsk0/queues/tx-1/xps_rxqs",
          "/sys/class/net/nsk0/napi_defer_hard_irqs", "/sys/class/net/nsk0/gro_flush_timeout"})
      contents[path] = host_->read_file(path).value_or("is not there");
    for (const char* carrier : {"ethtool -l nsk0 rx", "ethtool -l nsk0 tx", "ethtool -k nsk0 gro"})
      contents[carrier] = read_carrier(*host_, carrier).value();
    return contents;
  }

  Finished run_victim(std::size_t n, tests::Death death) const { return scene_.run_victim(space_.name(), "nsk0", n, death); }
  GuardPaths paths() const { return scene_.paths(); }

 private:
  tests::Scene scene_;
  NetworkNamespace space_;
  std::unique_ptr<Host> host_;
};

}  // namespace

TEST_CASE("a netsettle killed at any operation leaves the machine as it found it") {
  Laboratory laboratory;
  CHECK(tests::sweep("kill sweep", laboratory, 5) > 50);
}
