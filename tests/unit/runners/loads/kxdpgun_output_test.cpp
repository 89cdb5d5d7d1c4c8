#include <catch2/catch.hpp>

#include "runners/loads/parsed_output.hpp"

namespace netsettle::runners {
namespace {

using Strings = std::vector<std::string>;

constexpr std::string_view kText33 =
    "using interface k0, XDP threads 2, IPv6/TCP mode 3, emulated mode\n"
    "thread#00: sent 600, received 590, lost 4, errors 6\nthread#01: sent 400, received 400\n"
    "total SYNs:        1000 (500 pps) (99.990000%)\ntotal established: 995 (497 pps) (99.500000%)\n"
    "total replies:     990 (495 pps) (99.000000%)\ntotal closed:      980 (490 pps) (98.000000%)\n"
    "total reset:       5 (2 pps) (0.500000%)\naverage DNS reply size: 47 B\naverage Ethernet reply rate: 1 bps (0.00 Mbps)\n"
    "responded NOERROR:   900\nresponded unknown:   50\nresponded unknown:   40\nduration: 2 s\n";

// 3.4: an array, over several lines.
constexpr std::string_view kArray =
    "[\n\t{\n\t\t\"runid\": 1,\n\t\t\"type\": \"header\",\n\t\t\"schema_version\": 20240530,\n\t\t\"generator_version\": \"3.4.10\",\n"
    "\t\t\"additional_info\": {\n\t\t\t\"interface\": \"k}0\",\n\t\t\t\"xdp_threads\": 1,\n\t\t\t\"transport_layer_proto\": "
    "\"UDP\"\n\t\t}\n\t},\n"
    "\t{\n\t\t\"type\": \"stats_periodic\",\n\t\t\"since\": 1796031410000000001,\n\t\t\"until\": 1796031410500000001,\n\t\t\"queries\": "
    "60,\n"
    "\t\t\"responses\": 50,\n\t\t\"response_rcodes\": {\n\t\t\t\"NOERROR\": 50\n\t\t}\n\t},\n"
    "\t{\n\t\t\"type\": \"thread_summary\",\n\t\t\"subid\": 0,\n\t\t\"qry_sent\": 100,\n\t\t\"ans_recv\": 90,\n\t\t\"lost\": 0,\n"
    "\t\t\"errors\": 0\n\t},\n"
    "\t{\n\t\t\"type\": \"stats_sum\",\n\t\t\"since\": 1796031410000000001,\n\t\t\"until\": 1796031411000000004,\n\t\t\"queries\": 100,\n"
    "\t\t\"responses\": 90,\n\t\t\"response_rcodes\": {\n\t\t\t\"NOERROR\": 90\n\t\t},\n\t\t\"conn_info\": {\n\t\t\t\"socket_errors\": "
    "2\n\t\t}\n"
    "\t}\n]\n";

RunFacts facts(const Strings& argv) {
  RunFacts run;
  run.argv = argv;
  return run;
}

TEST_CASE("the text of kxdpgun 3.3 has percentages, whole seconds and a mode") {
  const KxdpgunResult result = read_kxdpgun(kText33, "");
  CHECK(result.format == KxdpgunFormat::text);
  CHECK(result.header.ip_version == 6);
  CHECK(result.header.transport == "TCP");
  CHECK(result.header.mode == "emulated");
  CHECK(result.header.threads == 2);
  REQUIRE(result.threads.size() == 2);
  CHECK(result.threads[0].lost == 4);
  CHECK(result.threads[0].errors == 6);
  CHECK_FALSE(result.threads[1].lost);
  REQUIRE(result.final);
  CHECK_FALSE(result.final->queries.count);
  CHECK(result.final->syns.count == 1000);
  CHECK(result.final->reset.count == 5);
  CHECK(result.final->replies.percent == 99.0);
  CHECK(result.final->rcodes == RcodeCounts{{"NOERROR", 900}, {"unknown", 90}});
  CHECK(result.report == ReportState::complete);
  // The duration is rounded down, the printed rate is not.
  CHECK(load_report(result).qps == 495.0);
  CHECK(load_report(result).lost == 10);
}

TEST_CASE("an array of JSON is read like lines of JSON, with times above 2^53") {
  const OrderedJson json = json_of(read_kxdpgun(kArray, ""), {});
  CHECK(json.at("format") == "json-array");
  CHECK(json.at("header").at("interface") == "k}0");
  CHECK(json.at("header").at("generator_version") == "3.4.10");
  CHECK(json.at("periodic").size() == 1);
  CHECK(json.at("final").at("since_ns") == 1796031410000000001);
  CHECK(json.at("final").at("duration_ns") == 1000000003);
  CHECK(json.at("final").at("socket_errors") == 2);
  CHECK(json.at("verdict").at("reasons") == OrderedJson::array({"HIGH_LOSS"}));
}

TEST_CASE("a JSON array that was cut has what was whole, and no final report") {
  const KxdpgunResult cut = read_kxdpgun(kArray.substr(0, kArray.find("stats_sum")), "");
  CHECK(cut.format == KxdpgunFormat::json_array);
  CHECK(cut.threads.size() == 1);
  CHECK_FALSE(cut.final);
  CHECK(kxdpgun_verdict(cut, {}).reasons == Strings{"NO_STATISTICS"});
}

TEST_CASE("the periods of kxdpgun are a series from the start of the run") {
  const LoadReport report = load_report(read_kxdpgun(kArray, ""));
  CHECK(report.complete);
  CHECK(report.runtime_s.value() == Approx(1.000000003));
  CHECK(report.qps.value() == Approx(90).epsilon(1e-6));
  REQUIRE(report.intervals.size() == 1);
  CHECK(report.intervals[0].time_s == Approx(0.5));
  CHECK(report.intervals[0].qps == Approx(100));
  CHECK(report.version == "3.4.10");
}

TEST_CASE("a text that breaks off has no result") {
  const std::string_view cut = kText33.substr(0, kText33.find("duration"));
  CHECK(kxdpgun_verdict(read_kxdpgun(cut, ""), {}).reasons == Strings{"PARTIAL_STATISTICS"});
  CHECK_FALSE(load_report(read_kxdpgun(cut, "")).complete);
}

TEST_CASE("only the short duration shows that kxdpgun was interrupted") {
  const KxdpgunResult result = read_kxdpgun(kText33, "");
  const auto interrupted = [&](const Strings& argv) {
    const auto reasons = kxdpgun_verdict(result, facts(argv)).reasons;
    return std::ranges::find(reasons, "INTERRUPTED") != reasons.end();
  };
  CHECK(interrupted({"kxdpgun", "-t", "3"}));
  CHECK(interrupted({"kxdpgun", "-t20", "-Q", "500"}));
  CHECK(interrupted({"kxdpgun", "--duration=3"}));
  CHECK(interrupted({"kxdpgun"}));  // its default is 5 seconds
  CHECK_FALSE(interrupted({"kxdpgun", "-t", "2"}));
  CHECK_FALSE(interrupted({"kxdpgun", "-T9", "-t", "2"}));  // -T has its value attached
  CHECK_FALSE(interrupted({}));
}

TEST_CASE("nothing but errors has no format") {
  const KxdpgunResult result = read_kxdpgun("", "warning: odd\nerror: no such device\n");
  CHECK_FALSE(result.format);
  CHECK(result.errors == Strings{"error: no such device"});
  CHECK_FALSE(json_of(result, {}).contains("header"));
}

}  // namespace
}  // namespace netsettle::runners
