#include "runners/rigs/rig.hpp"

namespace netsettle::runners {
namespace {

class LoopbackRig final : public Rig {
 public:
  LoopbackRig(Host& host, AddressFamily family) : host_(host), address_(family == AddressFamily::ipv4 ? "127.0.0.1" : "::1") {}
  Host& server() override { return host_; }
  Host& client() override { return host_; }
  std::string server_address() const override { return address_; }
  std::string interface() const override { return "lo"; }
  std::string client_interface() const override { return "lo"; }
  bool shared_counters() const override { return true; }
  bool dedicated_namespace() const override { return false; }

 private:
  Host& host_;
  std::string address_;
};

}  // namespace

std::unique_ptr<Rig> make_loopback_rig(Host& host, AddressFamily family) { return std::make_unique<LoopbackRig>(host, family); }

}  // namespace netsettle::runners
