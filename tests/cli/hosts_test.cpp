// A laboratory of two machines with the real program: the load in another network namespace behind a real sshd.

#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>
#include <set>

#include "tests/support/ssh_server.hpp"
#include "tests/support/workspace.hpp"

using namespace netsettle;
using namespace netsettle::tests;

namespace {

std::string two_machines(const SshServer& other, const std::string& host) {
  const auto destination = other.destination();
  return R"(schema = 1
[study]
name = "two"
[rig]
kind = "hosts"
[rig.server]
interface = ")" +
         other.own_interface() + R"("
test_address = ")" +
         other.own_address() +
         R"("
[[rig.client]]
host = "ssh:)" +
         host + R"("
ssh_config = ")" +
         destination.arguments.at(1) + R"("
[server]
port = 15400
[load]
queries = "queries.txt"
clients = 4
outstanding = 50
[trial]
warmup = "200ms"
measure = "600ms"
settle = "20ms"
[parameters.model]
sets = "server.io_model"
type = "categorical"
values = ["epoll"]
[search]
strategy = "sweep"
repeats = 2
)";
}

/// Query files that were brought there; this machine and its client share their folders.
std::set<std::string> files_of_the_client() {
  std::set<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator("/tmp"))
    if (entry.is_regular_file() && entry.path().filename().string().starts_with("netsettle-")) files.insert(entry.path());
  return files;
}

}  // namespace

TEST_CASE("a study with the load on another machine runs to its verdict, and leaves nothing there") {
  const SshServer other;
  Workspace here;
  here.write("queries.txt", "example.com A\nexample.org AAAA\n");
  here.write("two.toml", two_machines(other, other.destination().name));
  const auto before = network_state();
  const auto files = files_of_the_client();

  const auto trial = here.netsettle({"trial", "two.toml", "--json"});
  INFO(trial.standard_output << trial.standard_error);
  REQUIRE(trial.status.code == 0);
  const auto measured = nlohmann::json::parse(trial.standard_output).at("trials").at(0);
  CHECK(measured.at("outcome") == "measured");
  CHECK(measured.at("measurements").at("qps") > 100);
  CHECK(measured.at("account").at("counters").at("client_udp").at("OutDatagrams") > 100);

  const auto run = here.netsettle({"run", "two.toml"});
  INFO(run.standard_output << run.standard_error);
  CHECK(run.status.code == 0);
  const auto again = here.netsettle({"run", "two.toml"});
  CHECK_THAT(again.standard_output, Catch::Contains("finished"));
  CHECK(network_state() == before);
  CHECK(files_of_the_client() == files);
}

TEST_CASE("a client that cannot be reached is told before anything is touched") {
  const SshServer other;
  Workspace here;
  here.write("queries.txt", "example.com A\n");
  here.write("two.toml", two_machines(other, "nobody@" + other.address()));
  const auto run = here.netsettle({"run", "two.toml"});
  INFO(run.standard_error);
  CHECK(run.status.code == 3);
  CHECK_THAT(run.standard_error, Catch::Contains("nobody@" + other.address()));
  CHECK_FALSE(std::filesystem::exists(here.path("two.netsettle.db")));
}
