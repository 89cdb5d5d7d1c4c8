#include "runners/echo/options.hpp"

#include <catch2/catch.hpp>

namespace netsettle::runners {
namespace {

using Words = std::vector<std::string>;
using Cpus = std::vector<CpuId>;

TEST_CASE("options are read as written") {
  const auto command =
      parse_echo_options({"--address", "::1",           "--port=5301",   "--processes", "4",     "--threads", "3", "--io-model",
                          "io_uring",  "--sockets",     "reuseport-cpu", "--cpus",      "3,0-1", "--batch",   "7", "--receive-buffer",
                          "4096",      "--send-buffer", "8192",          "--busy-poll", "50"});
  REQUIRE(command);
  const auto& options = std::get<EchoOptions>(*command);
  CHECK(options.address == "::1");
  CHECK(options.port == 5301);
  CHECK(options.processes == 4);
  CHECK(options.cpus == Cpus{3, 0, 1});
  REQUIRE(options.io_model);
  CHECK(options.io_model->name == "io_uring");
  CHECK(options.threads == 3);
  CHECK(options.sharing == SocketSharing::reuseport_cpu);
  CHECK(options.batch == 7);
  CHECK(options.receive_buffer == 4096);
  CHECK(options.send_buffer == 8192);
  CHECK(options.busy_poll == std::chrono::microseconds(50));
}

TEST_CASE("without options one process answers on loopback, not pinned") {
  const auto options = std::get<EchoOptions>(parse_echo_options({}).value());
  CHECK(options.address == "127.0.0.1");
  CHECK(options.port == 5300);
  CHECK(options.processes == 1);
  CHECK(options.threads == 1);
  CHECK(options.cpus.empty());
  CHECK(options.sharing == SocketSharing::shared);
  CHECK(options.receive_buffer == 0);
  CHECK(options.send_buffer == 0);
  CHECK(options.busy_poll.count() == 0);
}

TEST_CASE("wrong options are refused by name") {
  const std::vector<std::pair<Words, std::string>> bad = {{{"--port", "0"}, "--port"},
                                                          {{"--port", "65536"}, "--port"},
                                                          {{"--processes", "0"}, "--processes"},
                                                          {{"--processes", "9999"}, "--proc"},
                                                          {{"--threads", "0"}, "--threads"},
                                                          {{"--sockets", "own"}, "--sockets"},
                                                          {{"--threads", "1025"}, "--threads"},
                                                          {{"--batch", "0"}, "--batch"},
                                                          {{"--batch", "1025"}, "--batch"},
                                                          {{"--receive-buffer", "-1"}, "--receive-buffer"},
                                                          {{"--send-buffer", "2147483648"}, "--send-buffer"},
                                                          {{"--busy-poll", "1000001"}, "--busy-poll"},
                                                          {{"--io-model", "x"}, "--io-model"},
                                                          {{"--cpus", "0,,1"}, "CPU list"},
                                                          {{"--cpus", "1-0"}, "CPU list"},
                                                          {{"--port", "many"}, "port"},
                                                          {{"--speed", "1"}, "--speed"},
                                                          {{"surplus"}, "positional"},
                                                          {{"--proc", "2"}, "--proc"}};
  for (const auto& [arguments, name] : bad) {
    INFO(arguments.front() << " " << arguments.back());
    const auto command = parse_echo_options(arguments);
    REQUIRE_FALSE(command);
    CHECK(to_text(command.error()).find(name) != std::string::npos);
  }
}

TEST_CASE("help has an example, version a number") {
  CHECK(std::get<EchoInformation>(parse_echo_options({"--help"}).value()).text.find("netsettle-echo --address") != std::string::npos);
  CHECK(std::get<EchoInformation>(parse_echo_options({"--version"}).value()).text.starts_with("netsettle-echo "));
}

TEST_CASE("a CPU order keeps the order of the text and may repeat") {
  CHECK(parse_cpu_order("5").value() == Cpus{5});
  CHECK(parse_cpu_order("2,0-1,2").value() == Cpus{2, 0, 1, 2});
  for (const char* text : {"", ",", "0,", "a"}) CHECK_FALSE(parse_cpu_order(text));
}

}  // namespace
}  // namespace netsettle::runners
