// Every captured counter file against the values that a correct reader must find.

#include <catch2/catch.hpp>

#include "runners/probes/counters.hpp"
#include "tests/support/captures.hpp"

namespace netsettle::runners {
namespace {

using tests::captured_bytes;
using tests::Json;

constexpr const char* kOnline = "sys/devices/system/cpu/online";
constexpr const char* kSoftnet = "proc/net/softnet_stat";
constexpr const char* kSnmp = "proc/net/snmp";
constexpr const char* kSnmp6 = "proc/net/snmp6";
constexpr const char* kStat = "proc/stat";

/// A file of a capture, "" in front for a capture of one reading, else "before/" or "after/".
std::optional<std::string> file_of(const Json& capture, const std::string& reading, const std::string& path) {
  const auto file = capture.at("files").find(reading + path);
  return file == capture.at("files").end() ? std::nullopt : std::optional(captured_bytes(*file));
}

CpuSet online_of(const Json& capture, const std::string& reading) {
  return parse_cpu_list(file_of(capture, reading, kOnline).value()).value();
}

std::vector<Json> captures_with(const std::string& prefix) {
  std::vector<Json> found;
  for (Json& capture : tests::load_captures("counters"))
    if (capture.at("id").get<std::string>().starts_with(prefix)) found.push_back(std::move(capture));
  REQUIRE_FALSE(found.empty());
  return found;
}

bool is_malformed(const Json& capture) { return capture.at("expected").value("malformed", false); }

template <typename T>
std::optional<T> expected_value(const Json& value) {
  return value.is_null() ? std::nullopt : std::optional<T>(value.get<T>());
}

void check_softnet_rows(const std::vector<SoftnetRow>& rows, const Json& expected) {
  REQUIRE(rows.size() == expected.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    CHECK(rows[i].cpu == expected[i].at("cpu").get<int>());
    CHECK(rows[i].processed == expected[i].at("processed").get<std::uint32_t>());
    CHECK(rows[i].dropped == expected[i].at("dropped").get<std::uint32_t>());
    CHECK(rows[i].time_squeeze == expected[i].at("time_squeeze").get<std::uint32_t>());
    CHECK(rows[i].received_rps == expected_value<std::uint32_t>(expected[i].at("received_rps")));
    CHECK(rows[i].flow_limit == expected_value<std::uint32_t>(expected[i].at("flow_limit")));
    CHECK(rows[i].backlog_length == expected_value<std::uint32_t>(expected[i].at("backlog_len")));
  }
}

Snapshot snapshot_of(const Json& capture, const std::string& reading) {
  Snapshot snapshot;
  const std::vector<std::pair<const char*, const char*>> kinds = {
      {"softnet", kSoftnet}, {"snmp.server", kSnmp}, {"snmp6.server", kSnmp6}, {"snmp.client", kSnmp}, {"stat", kStat}};
  for (const auto& [kind, path] : kinds)
    if (auto text = file_of(capture, reading, path)) snapshot.texts[kind] = std::move(*text);
  return snapshot;
}

CounterDeltas difference_of(const Json& capture, AddressFamily family = AddressFamily::ipv4, const CpuSet& online = {}) {
  return difference(snapshot_of(capture, "before/"), snapshot_of(capture, "after/"), family, online);
}

TEST_CASE("every captured softnet_stat is read, whatever its width") {
  for (const Json& capture : captures_with("softnet-")) {
    INFO(capture.at("id"));
    if (is_malformed(capture)) continue;
    for (const std::string reading : {"before", "after"}) {
      const auto text = file_of(capture, reading + "/", kSoftnet);
      const auto rows = parse_softnet(text.value(), online_of(capture, reading + "/"));
      REQUIRE(rows);
      check_softnet_rows(*rows, capture.at("expected").at(reading));
    }
  }
}

TEST_CASE("a captured softnet_stat that is malformed is refused with the line") {
  int refused = 0;
  for (const Json& capture : captures_with("softnet-")) {
    if (!is_malformed(capture)) continue;
    INFO(capture.at("id"));
    const auto rows = parse_softnet(file_of(capture, "", kSoftnet).value(), online_of(capture, ""));
    REQUIRE_FALSE(rows);
    const int line = capture.at("expected").at("good_lines").get<int>() + 1;
    CHECK(rows.error().text.starts_with("line " + std::to_string(line) + ":"));
    ++refused;
  }
  CHECK(refused == 3);
}

TEST_CASE("differences of captured softnet_stat files wrap at 32 bits and leave out CPUs that came or went") {
  for (const Json& capture : captures_with("softnet-")) {
    if (is_malformed(capture) || capture.at("id") == "softnet-reset") continue;
    INFO(capture.at("id"));
    const CounterDeltas deltas = difference_of(capture, AddressFamily::ipv4, online_of(capture, "before/"));
    const Json& expected = capture.at("expected");
    CHECK(deltas.backlog_drops == expected.at("delta_total").at("dropped").get<std::int64_t>());
    CHECK(deltas.time_squeeze == expected.at("delta_total").at("time_squeeze").get<std::int64_t>());
    std::map<int, std::int64_t> processed;
    for (const Json& row : expected.at("delta"))
      if (!row.at("processed").is_null()) processed[row.at("cpu")] = row.at("processed");
    CHECK(deltas.processed_by_cpu == processed);
  }
}

TEST_CASE("a restart between two captured readings leaves no softnet difference at all") {
  const CounterDeltas deltas = difference_of(captures_with("softnet-reset").front(), AddressFamily::ipv4, {0, 1});
  CHECK_FALSE(deltas.backlog_drops);
  CHECK_FALSE(deltas.time_squeeze);
  CHECK(deltas.processed_by_cpu.empty());
}

/// JSON null stands for a counter that the kernel does not have. A newer kernel may have more than those expected.
void check_counters(const std::map<std::string, std::uint64_t>& counters, const Json& expected) {
  for (const auto& [name, value] : expected.items()) {
    INFO(name);
    REQUIRE(counters.contains(name) == !value.is_null());
    if (!value.is_null()) CHECK(counters.at(name) == value.get<std::uint64_t>());
  }
}

TEST_CASE("every captured snmp is read by name") {
  for (const Json& capture : captures_with("snmp-")) {
    INFO(capture.at("id"));
    if (is_malformed(capture)) {
      CHECK_FALSE(parse_snmp_udp(file_of(capture, "", kSnmp).value()));
      continue;
    }
    for (const std::string reading : {"before", "after"}) {
      const auto counters = parse_snmp_udp(file_of(capture, reading + "/", kSnmp).value());
      REQUIRE(counters);
      check_counters(*counters, capture.at("expected").at(reading));
    }
  }
}

void check_udp(const CounterDeltas& deltas, const Json& expected) {
  CHECK(deltas.server.in == expected_value<std::int64_t>(expected.at("InDatagrams")));
  CHECK(deltas.server.out == expected_value<std::int64_t>(expected.at("OutDatagrams")));
  CHECK(deltas.server.rcvbuf_errors == expected_value<std::int64_t>(expected.at("RcvbufErrors")));
  CHECK(deltas.server.mem_errors == expected_value<std::int64_t>(expected.at("MemErrors")));
  CHECK(deltas.server.no_ports == expected_value<std::int64_t>(expected.at("NoPorts")));
  CHECK(deltas.server.csum_errors == expected_value<std::int64_t>(expected.at("InCsumErrors")));
  CHECK(deltas.server.in_errors == expected_value<std::int64_t>(expected.at("InErrors")));
  CHECK(deltas.server.sndbuf_errors == expected_value<std::int64_t>(expected.at("SndbufErrors")));
}

TEST_CASE("differences of captured snmp files are those expected, absent where the kernel has no such counter") {
  for (const Json& capture : captures_with("snmp-")) {
    if (is_malformed(capture)) continue;
    INFO(capture.at("id"));
    Json expected = capture.at("expected").at("delta");
    if (capture.at("expected").contains("delta_modular")) expected.update(capture.at("expected").at("delta_modular"));
    const CounterDeltas deltas = difference_of(capture);
    check_udp(deltas, expected);
    CHECK(deltas.client.in == deltas.server.in);
    CHECK(deltas.client.rcvbuf_errors == deltas.server.rcvbuf_errors);
  }
}

TEST_CASE("a captured overflow of a real socket is seen in both families") {
  const Json capture = captures_with("real-udp-overflow").front();
  const Json& expected = capture.at("expected");
  check_udp(difference_of(capture, AddressFamily::ipv4, {0, 1}), expected.at("udp").at("delta"));
  check_udp(difference_of(capture, AddressFamily::ipv6, {0, 1}), expected.at("udp6").at("delta"));
  const auto udp6 = parse_snmp6_udp(file_of(capture, "after/", kSnmp6).value());
  REQUIRE(udp6);
  check_counters(*udp6, expected.at("udp6").at("after"));
}

std::uint64_t expected_ticks(const Json& cpu, const char* name) { return cpu.at(name).get<std::uint64_t>(); }

TEST_CASE("captured CPU times are read, with and without steal") {
  for (const Json& capture : captures_with("stat-")) {
    INFO(capture.at("id"));
    const auto before = parse_stat(file_of(capture, "before/", kStat).value()),
               after = parse_stat(file_of(capture, "after/", kStat).value());
    REQUIRE(before);
    REQUIRE(after);
    const Json& expected = capture.at("expected").at("delta");
    CHECK(before->size() == expected.size() + 1);
    for (const auto& [name, cpu] : expected.items()) {
      const CpuTimes& first = before->at(std::stoi(name));
      const CpuTimes& second = after->at(std::stoi(name));
      CHECK(second.user - first.user == expected_ticks(cpu, "user"));
      CHECK(second.system - first.system == expected_ticks(cpu, "system"));
      CHECK(second.idle - first.idle == expected_ticks(cpu, "idle"));
      CHECK(second.softirq - first.softirq == expected_ticks(cpu, "softirq"));
      CHECK(second.steal.has_value() == cpu.contains("steal"));
      if (second.steal) CHECK(*second.steal - *first.steal == expected_ticks(cpu, "steal"));
    }
  }
}

TEST_CASE("shares of the CPU time leave out guest time, and steal where the kernel does not count it") {
  const CounterDeltas with_steal = difference_of(captures_with("stat-10").front());
  // 111 user, 81 system, 890 idle, 1 iowait, 258 softirq, 100 steal
  CHECK(with_steal.steal_percent.value() == Approx(100.0 * 100 / 1441));
  CHECK(with_steal.softirq_percent.value() == Approx(100.0 * 258 / 1441));
  CHECK(with_steal.idle_percent.value() == Approx(100.0 * 891 / 1441));
  const CounterDeltas without = difference_of(captures_with("stat-7").front());
  CHECK_FALSE(without.steal_percent);
  CHECK(without.idle_percent.value() == Approx(100.0 * 150 / 192));
}

}  // namespace
}  // namespace netsettle::runners
