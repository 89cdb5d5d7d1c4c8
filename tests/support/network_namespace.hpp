#pragma once
// A network namespace of a test: made by `ip netns add` with a unique name, removed at the end.

#include <string>
#include <string_view>
#include <vector>

namespace netsettle::tests {

class NetworkNamespace {
 public:
  /// Fails the test program (exception) where it cannot be made: these tests need root.
  explicit NetworkNamespace(std::string_view prefix);
  ~NetworkNamespace();
  NetworkNamespace(const NetworkNamespace&) = delete;
  NetworkNamespace& operator=(const NetworkNamespace&) = delete;

  const std::string& name() const { return name_; }
  /// Runs `ip -n NAME words…`; throws where it fails.
  void ip(const std::vector<std::string>& words) const;

 private:
  std::string name_;
};

}  // namespace netsettle::tests
