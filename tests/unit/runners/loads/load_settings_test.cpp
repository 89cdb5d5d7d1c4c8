#include <catch2/catch.hpp>

#include "runners/loads/load.hpp"

namespace netsettle::runners {
namespace {

TEST_CASE("load settings of a configuration are put into the section") {
  const auto load = with_settings(LoadSection{}, {{"load.clients", "16"},
                                                  {"load.outstanding", "1000"},
                                                  {"load.threads", "2"},
                                                  {"load.timeout", "250000"},
                                                  {"load.cpus", "2-3"},
                                                  {"load.rate", "50000"},
                                                  {"load.instances", "3"},
                                                  {"server.processes", "4"}});
  REQUIRE(load);
  CHECK(load->clients == 16);
  CHECK(load->outstanding == 1000);
  CHECK(load->threads == 2);
  CHECK(load->timeout == std::chrono::milliseconds(250));
  CHECK(load->cpus == "2-3");
  CHECK(load->rate == 50'000.0);
  CHECK(load->instances == 3);
}

TEST_CASE("load settings out of range or unknown are refused by name") {
  const std::vector<std::pair<std::string, std::string>> bad = {
      {"load.clients", "0"}, {"load.clients", "65537"}, {"load.threads", "2x"},   {"load.outstanding", "-1"}, {"load.timeout", "0"},
      {"load.rate", "0"},    {"load.rate", "nan"},      {"load.instances", "65"}, {"load.speed", "1"}};
  for (const auto& [setting, value] : bad) {
    INFO(setting << " = " << value);
    const auto load = with_settings(LoadSection{}, {{setting, value}});
    REQUIRE_FALSE(load);
    CHECK(load.error().code == ErrorCode::invalid_input);
    CHECK(load.error().subject == setting);
  }
}

}  // namespace
}  // namespace netsettle::runners
