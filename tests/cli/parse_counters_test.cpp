// Every captured counter file through `netsettle parse`'s function, against the whole result that a correct reader gives.

#include "tuner/cli/parse_counters.hpp"

#include <fstream>

#include <catch2/catch.hpp>

#include "tests/support/captures.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/workspace.hpp"

namespace netsettle::tuner {
namespace {

using tests::captured_bytes;
using tests::TemporaryFolder;
using Json = nlohmann::json;

void write_file(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

/// The files of a capture, as a tree or as the two trees before/ and after/.
struct CapturedTree {
  TemporaryFolder folder;
  std::optional<std::string> before;
  std::string after;

  explicit CapturedTree(const Json& capture) {
    for (const auto& [path, text] : capture.at("files").items()) write_file(folder.path() / path, captured_bytes(text));
    const bool is_pair = std::filesystem::exists(folder.path() / "after");
    if (is_pair) before = folder.file("before");
    after = is_pair ? folder.file("after") : folder.path().string();
  }
};

Json parsed(std::string_view kind, const CapturedTree& tree) {
  const auto result = parsed_counters(kind, tree.before, tree.after);
  INFO((result ? std::string() : to_text(result.error())));
  REQUIRE(result);
  return Json::parse(result->dump());
}

/// Takes away what a tree cannot tell, and the sentences, which are for people.
Json comparable(Json fields) {
  for (const char* name : {"id", "origin", "description", "elapsed_s", "actions"}) fields.erase(name);
  for (const char* name : {"why", "reason"})
    if (fields.contains(name)) {
      CHECK_FALSE(fields.at(name).get<std::string>().empty());
      fields[name] = "a sentence";
    }
  return fields;
}

std::string kind_of(const std::string& id) { return id.substr(0, id.find('-')); }

Json capture_named(const std::string& id) {
  for (Json& capture : tests::load_captures("counters"))
    if (capture.at("id") == id) return std::move(capture);
  FAIL("no capture " << id);
  return {};
}

/// A tree with one file, read alone.
Json parsed_text(std::string_view kind, const std::string& path, const std::string& text) {
  const TemporaryFolder folder;
  write_file(folder.path() / path, text);
  const auto result = parsed_counters(kind, std::nullopt, folder.path());
  REQUIRE(result);
  return Json::parse(result->dump());
}

Json parsed_texts(std::string_view kind, const std::string& path, const std::string& before, const std::string& after) {
  const TemporaryFolder folder;
  write_file(folder.path() / "before" / path, before);
  write_file(folder.path() / "after" / path, after);
  const auto result = parsed_counters(kind, folder.file("before"), folder.file("after"));
  REQUIRE(result);
  return Json::parse(result->dump());
}

TEST_CASE("every captured counter file gives its whole expected result") {
  int cases = 0;
  for (const Json& capture : tests::load_captures("counters")) {
    const std::string kind = kind_of(capture.at("id"));
    if (!is_counter_kind(kind)) continue;
    INFO(capture.at("id"));
    const CapturedTree tree(capture);
    CHECK(comparable(parsed(kind, tree)) == comparable(capture.at("expected")));
    ++cases;
  }
  CHECK(cases == 28);
}

TEST_CASE("a captured overflow of a real socket is seen by each kind that counts it") {
  const Json capture = capture_named("real-udp-overflow");
  const Json& expected = capture.at("expected");
  const CapturedTree tree(capture);
  const Json snmp = parsed("snmp", tree);
  for (const char* part : {"before", "after", "delta"}) CHECK(snmp.at(part) == expected.at("udp").at(part));
  CHECK(snmp.at("udp6") == expected.at("udp6"));

  const Json udp = parsed("udp", tree);
  const Json& socket = expected.at("socket");
  CHECK(udp.at("drops_delta").at(std::to_string(socket.at("inode").get<int>())) == socket.at("drops_delta"));
  CHECK(udp.at("after").at(0).at("local") == socket.at("local"));
  CHECK(udp.at("after").at(0).at("rx_queue") == socket.at("rx_queue_after"));

  const Json softnet = parsed("softnet", tree);
  CHECK(softnet.at("columns") == expected.at("softnet").at("columns"));
  for (const char* part : {"before", "after", "delta"})
    for (std::size_t row = 0; row < 2; ++row)
      for (const auto& [name, value] : expected.at("softnet").at(part).at(row).items()) CHECK(softnet.at(part).at(row).at(name) == value);
}

TEST_CASE("one reading gives the values alone") {
  const Json stat = parsed_text("stat", "proc/stat", "cpu  1 2 3 4 5 6 7 8\ncpu0 1 2 3 4 5 6 7 8\n");
  CHECK(stat.at("columns") == 8);
  CHECK(stat.at("cpus").at("0").at("steal") == 8);
  CHECK(stat.at("cpus").at("0").at("total") == 36);
  CHECK_FALSE(stat.at("cpus").at("0").contains("guest"));
  const Json snmp = parsed_text("snmp", "proc/net/snmp", "Udp: NoPorts\nUdp: 3\n");
  CHECK(snmp.at("udp").at("NoPorts") == 3);
  CHECK(snmp.at("udp").at("InDatagrams").is_null());
  const Json softnet = parsed_text("softnet", "proc/net/softnet_stat", []() {
    std::string line = "0000000a";
    for (int column = 1; column < 13; ++column) line += column == 12 ? " 00000003" : " 00000000";
    return line + "\n";
  }());
  CHECK(softnet.at("cpus").at(0).at("cpu") == 3);
  CHECK(softnet.at("cpus").at(0).at("processed") == 10);
  CHECK(softnet.at("online").is_null());
  for (const char* name : {"id", "origin", "description", "elapsed_s"}) CHECK(softnet.at(name).is_null());
}

TEST_CASE("addresses of IPv6 sockets are read, and a table of one family is enough") {
  const Json udp =
      parsed_text("udp", "proc/net/udp6",
                  "  sl  local_address remote_address st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops\n"
                  "  10: 00000000000000000000000001000000:0035 00000000000000000000000000000000:0000 07 00000000:00000300 00:00000000 "
                  "00000000  0 0 77 2 "
                  "0000000000000000 4\n");
  CHECK(udp.at("sockets").at(0).at("local") == "[::1]:53");
  CHECK(udp.at("sockets").at(0).at("remote") == "[::]:0");
  CHECK(udp.at("sockets").at(0).at("rx_queue") == 768);
}

TEST_CASE("a counter that began anew is suspected, one that wrapped is not") {
  const auto snmp = [](const char* before, const char* after) {
    return parsed_texts("snmp", "proc/net/snmp", std::string("Udp: InDatagrams\nUdp: ") + before,
                        std::string("Udp: InDatagrams\nUdp: ") + after);
  };
  CHECK(snmp("4294967295", "4").at("delta_modular").at("InDatagrams") == 5);
  CHECK(snmp("8589934592", "4").at("reset_suspected") == true);
  CHECK(snmp("900", "4").at("reset_suspected") == true);
  CHECK(snmp("900", "4").at("delta").at("InDatagrams") == -896);
  CHECK_FALSE(snmp("4", "900").contains("reset_suspected"));
  CHECK(parsed_texts("stat", "proc/stat", "cpu  9 0 0 0 0 0 0\ncpu0 9 0 0 0 0 0 0\n", "cpu  1 0 0 0 0 0 0\ncpu0 1 0 0 0 0 0 0\n")
            .at("reset_suspected") == true);
}

TEST_CASE("interrupts of CPUs that came or went have no difference") {
  const Json delta = parsed_texts("interrupts", "proc/interrupts", "  CPU0 CPU1 CPU3\n 7:  1 2 3  PCI-MSI 7-edge      eth0-TxRx-0\n",
                                  "  CPU0 CPU2 CPU3\n 7:  5 9 3  PCI-MSI 7-edge      eth0-TxRx-0\n");
  CHECK(delta.at("header_cpus") == Json({0, 1, 2, 3}));
  CHECK(delta.at("delta").at("7") == Json({4, nullptr, nullptr, 0}));
  CHECK(delta.at("imbalance") == 2);
}

TEST_CASE("a malformed text says why, and how many lines before it are good") {
  const Json interrupts = parsed_text("interrupts", "proc/interrupts", "  CPU0 CPU1\n 7:  1 2  PCI-MSI 7-edge      eth0\n 8:  1\n");
  CHECK(interrupts.at("malformed") == true);
  CHECK(interrupts.at("good_lines") == 1);
  const Json stat = parsed_text("stat", "proc/stat", "cpu  1 2 3 4 5 6 7\ncpu0 1 2 x 4 5 6 7\n");
  CHECK(stat.at("malformed") == true);
  CHECK(stat.at("good_lines") == 1);
  const Json udp = parsed_text("udp", "proc/net/udp", "  sl  local_address rem_address\n 1: 0100007F:14B4\n");
  CHECK(udp.at("good_lines") == 0);
  const Json pair = parsed_texts("snmp", "proc/net/snmp", "Udp: A\nUdp: 1\n", "Udp: A\nUdp: \xff\n");
  CHECK(pair.at("malformed") == true);
}

TEST_CASE("a tree without the file is an error that names it") {
  const TemporaryFolder folder;
  for (const char* kind : {"softnet", "snmp", "interrupts", "stat", "udp"}) {
    const auto result = parsed_counters(kind, std::nullopt, folder.path());
    REQUIRE_FALSE(result);
    CHECK(result.error().code == ErrorCode::not_found);
    CHECK(result.error().subject.find("proc/") != std::string::npos);
  }
  CHECK(parsed_counters("dnsperf", std::nullopt, folder.path()).error().code == ErrorCode::invalid_input);
}

TEST_CASE("lines of softnet_stat without CPU numbers need the list of CPUs on line") {
  const TemporaryFolder folder;
  std::string line = "00000001";
  for (int column = 1; column < 11; ++column) line += " 00000000";
  write_file(folder.path() / "proc/net/softnet_stat", line + "\n");
  CHECK(parsed_counters("softnet", std::nullopt, folder.path()).error().subject == "sys/devices/system/cpu/online");
  write_file(folder.path() / "sys/devices/system/cpu/online", "5\n");
  CHECK(parsed_counters("softnet", std::nullopt, folder.path()).value().at("cpus").at(0).at("cpu") == 5);
}

TEST_CASE("netsettle parse prints what the function finds, and refuses a malformed text with exit 2") {
  tests::Workspace here;
  const CapturedTree pair(capture_named("softnet-wrap")), cut(capture_named("softnet-cut"));
  const auto printed = here.netsettle({"parse", "softnet", "--before", pair.before.value(), pair.after, "--json"});
  INFO(printed.standard_error);
  CHECK(printed.status.code == 0);
  CHECK(Json::parse(printed.standard_output) == parsed("softnet", pair));
  const auto refused = here.netsettle({"parse", "softnet", cut.after, "--json"});
  CHECK(refused.status.code == 2);
  CHECK(Json::parse(refused.standard_output).at("malformed") == true);
}

}  // namespace
}  // namespace netsettle::tuner
