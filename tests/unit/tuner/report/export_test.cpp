// The exports of a fixed record against files that people can read.

#include <catch2/catch.hpp>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "tests/unit/tuner/report/small_record.hpp"
#include "tuner/report/dns_metrics.hpp"
#include "tuner/report/export_csv.hpp"
#include "tuner/report/export_json.hpp"

using namespace netsettle;
using namespace netsettle::tuner;
using Json = nlohmann::ordered_json;

namespace {

const std::string kGolden = NETSETTLE_SOURCE_DIR "/tests/unit/tuner/report/golden/";

TextSink into(std::string& text) {
  return [&text](std::string_view piece) -> Expected<void> {
    text += piece;
    return {};
  };
}

void check_golden(const std::string& name, const std::string& found) {
  if (std::getenv("NETSETTLE_WRITE_GOLDEN") != nullptr) std::ofstream(kGolden + name, std::ios::binary) << found;
  std::ifstream file(kGolden + name, std::ios::binary);
  std::ostringstream expected;
  expected << file.rdbuf();
  CHECK(found == expected.str());
}

struct Fixture {
  tests::TemporaryFolder folder;
  SmallRecord small = small_record(folder.path() / "small.netsettle.db");
};

std::vector<Json> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<Json> objects;
  for (std::string line; std::getline(stream, line);) objects.push_back(Json::parse(line));
  return objects;
}

}  // namespace

TEST_CASE_METHOD(Fixture, "the export as CSV is what it was") {
  std::string text;
  REQUIRE(write_csv(small.view, into(text)));
  check_golden("small.csv", text);
}

TEST_CASE_METHOD(Fixture, "the export as JSON is what it was, and is one document") {
  std::string text;
  REQUIRE(write_record_json(small.store, small.record, small.view, into(text)));
  check_golden("small.json", text);
  const Json document = Json::parse(text);
  CHECK(document.at("trials").size() == 5);
  CHECK(document.at("trials").at(0).at("settings").at(0).at("effective") == "4194304");
  CHECK(document.at("trials").at(0).at("series").at("qps").size() == 2);
  CHECK(document.at("verdict").at("kind") == "no-improvement");
}

TEST_CASE_METHOD(Fixture, "the export as dns-metrics is what it was, and says how many trials have no report") {
  std::string text;
  const auto counts = write_dns_metrics(small.store, small.record, small.view, into(text));
  REQUIRE(counts);
  CHECK(counts->trials == 3);
  CHECK(counts->without_report == 2);
  check_golden("small.dns-metrics.jsonl", text);
}

TEST_CASE_METHOD(Fixture, "the metrics of a trial are those of its output, in nanoseconds") {
  std::string text;
  REQUIRE(write_dns_metrics(small.store, small.record, small.view, into(text)));
  const auto objects = lines_of(text);
  const auto& header = objects.at(0);
  CHECK(header.at("generator") == "dnsperf");
  CHECK(header.at("generator_version") == "2.10.0");
  CHECK(header.at("stats_interval") == 0.5);
  const auto& first = objects.at(1);
  CHECK(first.at("type") == "stats_periodic");
  CHECK(first.at("until").get<std::int64_t>() - first.at("since").get<std::int64_t>() == 500'000'000);
  CHECK(first.at("responses") == 20000);
  CHECK(objects.at(2).at("timeouts") == 1);
  const auto& sum = objects.at(3);
  CHECK(sum.at("until").get<std::int64_t>() - sum.at("since").get<std::int64_t>() == 1'000'250'000);
  CHECK(sum.at("response_rcodes").at("NXDOMAIN") == 1000);
  CHECK(sum.at("response_latency").at("min") == 19000);
}

TEST_CASE("several load processes of a trial are told apart by subid") {
  tests::TemporaryFolder folder;
  SmallRecord small = small_record(folder.path() / "two.netsettle.db");
  TrialEvidence evidence = small::evidence(kSmallDnsperf);
  evidence.artifacts.push_back({"load.2.stdout", std::string(kSmallDnsperf)});
  small::record(small.store, {.configuration_id = 1, .block = 4}, small::result({}, {}, evidence));
  small.view.trials = small.store.trials().value();
  small.view.trials.erase(small.view.trials.begin(), small.view.trials.end() - 1);
  std::string text;
  REQUIRE(write_dns_metrics(small.store, small.record, small.view, into(text)));
  const auto objects = lines_of(text);
  CHECK(objects.front().at("subid") == "1");
  CHECK(objects.back().at("subid") == "2");
  CHECK(objects.front().at("runid") == objects.back().at("runid"));
}

TEST_CASE_METHOD(Fixture, "an export ends where it cannot be written") {
  const TextSink full = [](std::string_view) -> Expected<void> { return fail(ErrorCode::disk_full, "out.csv", "no space"); };
  CHECK(write_csv(small.view, full).error().code == ErrorCode::disk_full);
  CHECK(write_record_json(small.store, small.record, small.view, full).error().code == ErrorCode::disk_full);
  CHECK(write_dns_metrics(small.store, small.record, small.view, full).error().code == ErrorCode::disk_full);
}
