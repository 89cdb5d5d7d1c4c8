#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>

#include "runners/hosts/local_host.hpp"
#include "tests/support/network_namespace.hpp"

using namespace netsettle;
using namespace netsettle::runners;
using netsettle::tests::NetworkNamespace;
using namespace std::chrono_literals;

namespace {

std::string link_of(const std::string& path) {
  char text[256] = {};
  return ::readlink(path.c_str(), text, sizeof text - 1) > 0 ? text : "";
}

}  // namespace

TEST_CASE("a namespace host sees the namespace's devices, sysctls and counters") {
  const NetworkNamespace space("nst-host");
  space.ip({"link", "add", "nsa0", "type", "veth", "peer", "name", "nsa1"});
  const auto host = make_namespace_host(space.name()).value();
  CHECK(host->network_namespace() == space.name());
  CHECK(host->list_directory("/sys/class/net").value() == std::vector<std::string>{"lo", "nsa0", "nsa1"});
  CHECK(host->read_file("/proc/net/dev").value().find("nsa0") != std::string::npos);
  CHECK(!host->read_file("/proc/sys/net/ipv4/udp_mem"));  // of the initial namespace only

  const std::string path = "/proc/sys/net/ipv4/udp_rmem_min";
  const auto local = make_local_host();
  const std::string outside = local->read_file(path).value();
  REQUIRE(host->write_file(path, "8192"));
  CHECK(host->read_file(path).value() == "8192\n");
  CHECK(local->read_file(path).value() == outside);
}

TEST_CASE("a namespace host leaves the calling thread where it was") {
  const NetworkNamespace space("nst-host");
  const std::string network = link_of("/proc/thread-self/ns/net"), mounts = link_of("/proc/thread-self/ns/mnt");
  const auto host = make_namespace_host(space.name()).value();
  REQUIRE(host->read_file("/proc/net/dev"));
  CHECK(link_of("/proc/thread-self/ns/net") == network);
  CHECK(link_of("/proc/thread-self/ns/mnt") == mounts);
}

TEST_CASE("children of a namespace host run in the namespace") {
  const NetworkNamespace space("nst-host");
  const auto host = make_namespace_host(space.name()).value();
  struct stat status{};
  REQUIRE(::stat(("/run/netns/" + space.name()).c_str(), &status) == 0);
  CHECK(run_checked(*host, {"readlink", "/proc/self/ns/net"}).value() == fmt::format("net:[{}]\n", status.st_ino));
}

TEST_CASE("a namespace can be removed while its host object lives, and is gone after it") {
  const NetworkNamespace space("nst-host");
  const auto host = make_namespace_host(space.name()).value();
  const auto local = make_local_host();
  CHECK(run_checked(*local, {"ip", "netns", "del", space.name()}));
  CHECK(!make_namespace_host(space.name()));
}

TEST_CASE("a namespace that does not exist is not_found, a path is not a name") {
  CHECK(make_namespace_host("nst-no-such-namespace").error().code == ErrorCode::not_found);
  for (const std::string name : {"", ".", "..", "../x", "a/b"}) CHECK(make_namespace_host(name).error().code == ErrorCode::invalid_input);
}
