#include "datasets/model/parameter.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "datasets/model/metric.hpp"

using namespace netsettle;

TEST_CASE("A value is read by the type of its parameter") {
  struct Row {
    ParameterType type;
    std::string text;
    Value value;
  };
  const std::vector<Row> rows = {
      {ParameterType::integer, "4096", std::int64_t{4096}},
      {ParameterType::integer, "-3", std::int64_t{-3}},
      {ParameterType::real, "0.25", 0.25},
      {ParameterType::bytes, "64KiB", std::int64_t{65536}},
      {ParameterType::duration, "2ms", std::int64_t{2000}},
      {ParameterType::boolean, "false", false},
      {ParameterType::categorical, "spread", std::string("spread")},
      {ParameterType::cpus, "3,0-1", std::string("0-1,3")},
  };
  for (const auto& row : rows) {
    INFO(row.text);
    CHECK(parse_value(row.type, row.text).value() == row.value);
    CHECK(parse_value(row.type, "as-found").value() == Value(AsFound{}));
    CHECK_FALSE(parse_value(row.type, ""));
  }
}

TEST_CASE("A text that is not of the type is refused") {
  CHECK_FALSE(parse_value(ParameterType::integer, "4.5"));
  CHECK_FALSE(parse_value(ParameterType::integer, "99999999999999999999"));
  CHECK_FALSE(parse_value(ParameterType::integer, " 4"));
  CHECK_FALSE(parse_value(ParameterType::real, "nan"));
  CHECK_FALSE(parse_value(ParameterType::bytes, "64KB"));
  CHECK_FALSE(parse_value(ParameterType::duration, "2000"));
  CHECK_FALSE(parse_value(ParameterType::boolean, "yes"));
  CHECK_FALSE(parse_value(ParameterType::cpus, "3-1"));
}

TEST_CASE("Settings of the whole machine are told from those of a namespace or a process") {
  for (const std::string setting : {"sysctl.net.core.rmem_max", "sysctl.net.core.netdev_max_backlog", "sysctl.net.ipv4.udp_mem",
                                    "sysctl.vm.swappiness", "interrupts.count", "cpu.governor", "sched.nr_migrate", "queues.rfs.entries"})
    CHECK(is_host_wide(setting));
  for (const std::string setting :
       {"sysctl.net.ipv4.udp_rmem_min", "sysctl.net.ipv4.ip_local_port_range", "server.processes", "queues.rps.count"})
    CHECK_FALSE(is_host_wide(setting));
}

TEST_CASE("Every metric has a name of its own, a unit and a meaning") {
  std::set<std::string_view> names;
  for (const Metric& metric : metrics()) {
    CHECK(names.insert(metric.name).second);
    CHECK_FALSE(metric.unit.empty());
    CHECK_FALSE(metric.meaning.empty());
    CHECK(find_metric(metric.name) == &metric);
  }
  CHECK(names.size() == 21);
  CHECK(find_metric("qps")->better == Better::higher);
  CHECK(find_metric("lost_percent")->better == Better::lower);
  CHECK(find_metric("speed") == nullptr);
}
