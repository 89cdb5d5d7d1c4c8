#include "tests/support/network_namespace.hpp"

#include <unistd.h>

#include <stdexcept>

#include <fmt/format.h>

#include "runners/hosts/local_host.hpp"

namespace netsettle::tests {
namespace {

void must_run(const std::vector<std::string>& argv) {
  const auto host = runners::make_local_host();
  if (const auto done = runners::run_checked(*host, argv); !done) throw std::runtime_error(to_text(done.error()));
}

std::string unique_name(std::string_view prefix) {
  static int count = 0;
  return fmt::format("{}-{}-{}", prefix, ::getpid(), ++count);
}

}  // namespace

NetworkNamespace::NetworkNamespace(std::string_view prefix) : name_(unique_name(prefix)) {
  must_run({"ip", "netns", "add", name_});
  ip({"link", "set", "lo", "up"});
}

NetworkNamespace::~NetworkNamespace() {
  const auto host = runners::make_local_host();
  // A test may have had it removed by what it tests.
  static_cast<void>(runners::run_checked(*host, {"ip", "netns", "del", name_}));
}

void NetworkNamespace::ip(const std::vector<std::string>& words) const {
  std::vector<std::string> argv = {"ip", "-n", name_};
  argv.insert(argv.end(), words.begin(), words.end());
  must_run(argv);
}

}  // namespace netsettle::tests
