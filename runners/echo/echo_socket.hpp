#pragma once
// The socket that all workers share.

#include <cstdint>
#include <string>
#include <utility>

#include "datasets/model/error.hpp"
#include "runners/hosts/descriptor.hpp"

namespace netsettle::runners {

class EchoSocket {
 public:
  /// Bound to a numeric address (IPv6 with zone: "fe80::1%eth0"). invalid_input; errno_error where it cannot be bound.
  static Expected<EchoSocket> bind(const std::string& address, int port);

  int descriptor() const { return descriptor_.get(); }
  /// What the kernel granted (SO_RCVBUF, SO_SNDBUF): bytes with its bookkeeping, twice what a program asks for.
  std::int64_t receive_buffer() const;
  std::int64_t send_buffer() const;

 private:
  explicit EchoSocket(Descriptor descriptor) : descriptor_(std::move(descriptor)) {}

  Descriptor descriptor_;
};

}  // namespace netsettle::runners
