#include "runners/servers/server.hpp"

#include <catch2/catch.hpp>

namespace netsettle::runners {
namespace {

using Words = std::vector<std::string>;

ServerTarget example_target() { return {.address = "198.18.0.1", .cpus = {4, 0, 2}, .echo_program = "/bin/netsettle-echo"}; }

TEST_CASE("the echo server's command line keeps the order of the CPUs") {
  ServerSection server;
  server.processes = 3;
  const auto argv = make_server(ServerKind::echo)->command_line(server, example_target());
  REQUIRE(argv);
  CHECK(*argv == Words{"/bin/netsettle-echo",
                       "--address",
                       "198.18.0.1",
                       "--port",
                       "5300",
                       "--processes",
                       "3",
                       "--threads",
                       "1",
                       "--io-model",
                       "blocking",
                       "--sockets",
                       "shared",
                       "--batch",
                       "32",
                       "--receive-buffer",
                       "0",
                       "--send-buffer",
                       "0",
                       "--busy-poll",
                       "0",
                       "--cpus",
                       "4,0,2"});
}

TEST_CASE("every field of the echo server has its option") {
  ServerSection server;
  server.port = 53;
  server.processes = 2;
  server.threads = 3;
  server.io_model = "io_uring";
  server.sockets = "reuseport-cpu";
  server.batch = 64;
  server.receive_buffer = 4194304;
  server.send_buffer = 1048576;
  server.busy_poll = Microseconds(50);
  CHECK(make_server(ServerKind::echo)->command_line(server, example_target()).value() == Words{"/bin/netsettle-echo",
                                                                                               "--address",
                                                                                               "198.18.0.1",
                                                                                               "--port",
                                                                                               "53",
                                                                                               "--processes",
                                                                                               "2",
                                                                                               "--threads",
                                                                                               "3",
                                                                                               "--io-model",
                                                                                               "io_uring",
                                                                                               "--sockets",
                                                                                               "reuseport-cpu",
                                                                                               "--batch",
                                                                                               "64",
                                                                                               "--receive-buffer",
                                                                                               "4194304",
                                                                                               "--send-buffer",
                                                                                               "1048576",
                                                                                               "--busy-poll",
                                                                                               "50",
                                                                                               "--cpus",
                                                                                               "4,0,2"});
}

TEST_CASE("server.cores takes the first of the CPUs") {
  ServerSection server;
  server.cores = "2";
  CHECK(make_server(ServerKind::echo)->command_line(server, example_target()).value().back() == "4,0");
}

TEST_CASE("without CPUs the echo server is not pinned") {
  ServerTarget target = example_target();
  target.cpus.clear();
  const Words argv = make_server(ServerKind::echo)->command_line({}, target).value();
  CHECK(std::ranges::find(argv, "--cpus") == argv.end());
  ServerSection steered;
  steered.sockets = "reuseport-cpu";
  const auto refused = make_server(ServerKind::echo)->command_line(steered, target);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().subject == "server.sockets");
}

TEST_CASE("a server section that the echo server cannot serve is refused") {
  const auto refused = [](auto change) {
    ServerSection server;
    change(server);
    const auto argv = make_server(ServerKind::echo)->command_line(server, example_target());
    REQUIRE_FALSE(argv);
    return argv.error().subject;
  };
  CHECK(refused([](ServerSection& server) { server.sockets = "private"; }) == "server.sockets");
  CHECK(refused([](ServerSection& server) { server.io_model = "kqueue"; }) == "server.io_model");
  CHECK(refused([](ServerSection& server) { server.cores = "4"; }) == "server.cores");
  CHECK(refused([](ServerSection& server) { server.cores = "some"; }) == "server.cores");
}

TEST_CASE("a server of one's own gets its arguments filled in, and says which it does not know") {
  ServerSection server;
  server.kind = ServerKind::command;
  server.port = 53;
  server.cores = "2";
  server.threads = 3;
  server.argv = {"named",      "-g",        "-n",        "{cores}", "-p", "{port}", "-c", "{dir}/named.conf",
                 "{\"a\": 1}", "{address}", "{threads}", "{cpus}"};
  const auto made = make_server(ServerKind::command);
  CHECK_FALSE(made->parse("{}"));
  const ServerTarget target{.address = "198.18.0.1", .cpus = {4, 2, 0}, .echo_program = "", .folder = "/lab"};
  const auto argv = made->command_line(server, target);
  REQUIRE(argv);
  CHECK(*argv ==
        std::vector<std::string>{"named", "-g", "-n", "2", "-p", "53", "-c", "/lab/named.conf", "{\"a\": 1}", "198.18.0.1", "3", "4,2"});
  server.argv = {"named", "{prot}"};
  const auto misspelt = made->command_line(server, target);
  REQUIRE_FALSE(misspelt);
  CHECK_THAT(to_text(misspelt.error()), Catch::Contains("there is no {prot}"));
  server.argv = {"named"};
  server.cores = "4";
  CHECK_FALSE(made->command_line(server, target));
}

constexpr std::string_view kReport =
    R"({"workers":[{"process":0,"thread":0,"pid":7,"cpus":"1","received":10,"answered":8,"malformed":1,"not_queries":1,"errors":0},)"
    R"({"process":1,"thread":0,"pid":8,"cpus":"0","received":5000000000,"answered":5000000000,"malformed":0,"not_queries":0,"errors":3}],)"
    R"("cpu_seconds":1.5,"receive_buffer":212992,"send_buffer":212992,"unpinned":0})";

TEST_CASE("the echo server's report is read") {
  const auto report = make_server(ServerKind::echo)->parse(std::string(kReport) + "\n");
  REQUIRE(report);
  CHECK(report->cpu_seconds == 1.5);
  CHECK(report->receive_buffer == 212992);
  REQUIRE(report->workers.size() == 2);
  CHECK(report->workers[0].answered == 8);
  CHECK(report->workers[0].malformed == 1);
  CHECK(report->workers[1].process == 1);
  CHECK(report->workers[1].cpus == "0");
  CHECK(report->workers[1].received == 5'000'000'000);
  CHECK(report->workers[1].errors == 3);
}

TEST_CASE("of several reports the last whole one counts") {
  const std::string last = R"({"workers":[],"cpu_seconds":2,"receive_buffer":1})";
  const auto server = make_server(ServerKind::echo);
  CHECK(server->parse(std::string(kReport) + "\n" + last + "\n").value().cpu_seconds == 2);
  CHECK(server->parse(std::string(kReport) + "\n" + last.substr(0, 30)).value().cpu_seconds == 1.5);
  CHECK(server->parse(std::string(kReport) + "\n\nsomething else\n").value().cpu_seconds == 1.5);
}

TEST_CASE("a report that is missing, cut or wrong is absent") {
  const auto server = make_server(ServerKind::echo);
  for (const std::string_view text :
       {std::string_view(""), std::string_view("\n\n"), std::string_view("null"), std::string_view("[1]"),
        kReport.substr(0, kReport.size() - 1), std::string_view(R"({"workers":[{}],"cpu_seconds":1,"receive_buffer":1})"),
        std::string_view(R"({"workers":[],"cpu_seconds":"1","receive_buffer":1})"),
        std::string_view(R"({"workers":[],"cpu_seconds":1,"receive_buffer":-1})")})
    CHECK_FALSE(server->parse(text));
}

TEST_CASE("server settings of a configuration are put into the section") {
  const auto server = with_settings({}, {{"server.processes", "4"},
                                         {"server.threads", "2"},
                                         {"server.cores", "3"},
                                         {"server.io_model", "epoll"},
                                         {"server.sockets", "reuseport"},
                                         {"server.batch", "16"},
                                         {"server.receive_buffer", "2147483647"},
                                         {"server.send_buffer", "65536"},
                                         {"server.busy_poll", "100"},
                                         {"server.placement", "0,2"},
                                         {"sysctl.net.core.rmem_max", "1"},
                                         {"load.clients", "2"}});
  REQUIRE(server);
  CHECK(server->processes == 4);
  CHECK(server->threads == 2);
  CHECK(server->cores == "3");
  CHECK(server->placement == "0,2");
  CHECK(server->io_model == "epoll");
  CHECK(server->sockets == "reuseport");
  CHECK(server->batch == 16);
  CHECK(server->receive_buffer == 2147483647);
  CHECK(server->send_buffer == 65536);
  CHECK(server->busy_poll == Microseconds(100));
}

TEST_CASE("each I/O model and each kind of sockets is a value of its setting") {
  for (const char* model : {"blocking", "nonblocking", "poll", "select", "epoll", "libevent", "recvmmsg", "io_uring"})
    CHECK(with_settings({}, {{"server.io_model", model}}).value().io_model == model);
  for (const char* sockets : {"shared", "reuseport", "reuseport-cpu"})
    CHECK(with_settings({}, {{"server.sockets", sockets}}).value().sockets == sockets);
}

TEST_CASE("server settings out of range, misspelt or unknown are refused by name") {
  const std::vector<std::pair<std::string, std::string>> bad = {
      {"server.processes", "0"},       {"server.processes", "1025"},  {"server.processes", "2.5"},     {"server.processes", ""},
      {"server.threads", "-1"},        {"server.cores", "0"},         {"server.cores", "ALL"},         {"server.io_model", "Blocking"},
      {"server.sockets", "private"},   {"server.placement", "close"}, {"server.placement", ""},        {"server.speed", "1"},
      {"server.batch", "0"},           {"server.batch", "1025"},      {"server.receive_buffer", "-1"}, {"server.send_buffer", "2147483648"},
      {"server.busy_poll", "1000001"}, {"server.busy_poll", "50us"}};
  for (const auto& [setting, value] : bad) {
    INFO(setting << " = " << value);
    const auto server = with_settings({}, {{setting, value}});
    REQUIRE_FALSE(server);
    CHECK(server.error().code == ErrorCode::invalid_input);
    CHECK(server.error().subject == setting);
  }
}

TEST_CASE("the values of the file are the values found") {
  ServerSection server;
  LoadSection load;
  CHECK(values_of(server, load).at("server.cores") == Value("all"));
  server.cores = "2";
  server.processes = 3;
  load.outstanding = 100;
  const AsFoundValues values = values_of(server, load);
  CHECK(values.at("server.cores") == Value(std::int64_t{2}));
  CHECK(values.at("server.processes") == Value(std::int64_t{3}));
  CHECK(values.at("server.io_model") == Value("blocking"));
  CHECK(values.at("server.sockets") == Value("shared"));
  CHECK(values.at("server.batch") == Value(std::int64_t{32}));
  CHECK(values.at("server.receive_buffer") == Value(std::int64_t{0}));
  CHECK(values.at("server.send_buffer") == Value(std::int64_t{0}));
  CHECK(values.at("server.busy_poll") == Value(std::int64_t{0}));
  CHECK(values.at("load.outstanding") == Value(std::int64_t{100}));
  CHECK(values.at("load.timeout") == Value(std::int64_t{1'000'000}));
}

}  // namespace
}  // namespace netsettle::runners
