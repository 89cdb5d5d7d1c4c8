#pragma once
// The sockets that the workers read from, bound by the parent before the first fork.

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "datasets/model/cpu_set.hpp"
#include "runners/hosts/descriptor.hpp"

namespace netsettle::runners {

enum class SocketSharing {
  shared,         // one for all workers
  reuseport,      // one for each, the kernel chooses by a hash of the addresses
  reuseport_cpu,  // one for each, the kernel chooses a worker of the CPU on which it handles the packet
};

struct SocketRequest {
  std::string address;  // numeric; IPv6 with zone: "fe80::1%eth0"
  int port = 0;
  SocketSharing sharing = SocketSharing::shared;
  std::size_t workers = 1;
  std::vector<CpuId> cpus;          // worker i is pinned to the (i mod n)-th
  std::int64_t receive_buffer = 0;  // bytes for SO_RCVBUF; 0: the kernel's default
  std::int64_t send_buffer = 0;
  std::chrono::microseconds busy_poll{0};
};

/// What the kernel granted (SO_RCVBUF, SO_SNDBUF): bytes with its bookkeeping, twice what a program asks for.
struct GrantedBuffers {
  std::int64_t receive = 0, send = 0;
};

class EchoSockets {
 public:
  /// Refuses a port on which anybody else listens already, also with SO_REUSEPORT. invalid_input; errno_error where the kernel refuses.
  static Expected<EchoSockets> bind(const SocketRequest& request);

  std::size_t size() const { return sockets_.size(); }
  std::size_t index_of_worker(std::size_t worker) const { return worker % sockets_.size(); }
  int descriptor(std::size_t index) const { return sockets_[index].get(); }
  GrantedBuffers buffers(std::size_t index) const;

 private:
  explicit EchoSockets(std::vector<Descriptor> sockets) : sockets_(std::move(sockets)) {}

  std::vector<Descriptor> sockets_;  // with SO_REUSEPORT: in the order of the workers, which is the kernel's order too
};

}  // namespace netsettle::runners
