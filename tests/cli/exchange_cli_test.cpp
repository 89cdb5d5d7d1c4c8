// Out of a record and into one, replay and rerun, with the real programs.

#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>

#include "tests/cli/study_text.hpp"
#include "tests/support/workspace.hpp"

using namespace netsettle;
using namespace netsettle::tests;
using Catch::Matchers::Contains;

namespace {

const std::string kReport = NETSETTLE_SOURCE_DIR "/tests/unit/tuner/report/golden/";

runners::Finished validate(Workspace& here, const std::string& file) {
  return here.program(
      {"/usr/bin/python3", NETSETTLE_SOURCE_DIR "/tests/cli/validate_json_lines.py", kReport + "dns-metrics.schema.json", file});
}

void make_loop_study(Workspace& here) {
  here.write("queries.txt", "example.com A\n");
  here.write("loop.toml", loopback_study("loop"));
}

nlohmann::json trials_of(Workspace& here) {
  return nlohmann::json::parse(here.netsettle({"show", "trials", "--json", "--db", "loop.netsettle.db"}).standard_output).at("trials");
}

std::string old_output(int completed) {
  const std::string count = std::to_string(completed);
  return "DNS Performance Testing Tool\nVersion 2.10.0\n\nStatistics:\n\n  Queries sent:         " + count +
         "\n  Queries completed:    " + count + " (100.00%)\n  Queries lost:         0 (0.00%)\n\n  Response codes:       NOERROR " +
         count +
         " (100.00%)\n  Average packet size:  request 39, response 47\n  Run time (s):         1.000000\n  Queries per second:   " + count +
         ".000000\n\n  Average Latency (s):  0.000913 (min 0.000019, max 0.162335)\n  Latency StdDev (s):   0.009907\n\n";
}

}  // namespace

TEST_CASE(
    "a study is cut off and goes on, and its decisions come out the same, also after trials of a person's own, and its exports are whole") {
  Workspace here;
  make_loop_study(here);
  auto process = here.start({"run", "loop.toml"});
  REQUIRE(eventually([&] { return std::filesystem::exists(here.path("loop.netsettle.db")) && trials_of(here).size() > 3; },
                     std::chrono::seconds(60)));
  REQUIRE(process->signal(SIGINT));
  REQUIRE(process->wait(std::chrono::seconds(30)));

  const auto early = here.netsettle({"rerun", "--trial", "1", "--db", "loop.netsettle.db", "--json"});
  INFO(early.standard_output << early.standard_error);
  REQUIRE((early.status.code == 0 || early.status.code == 5));  // a busy machine may spoil the one trial; it is recorded all the same
  CHECK(nlohmann::json::parse(early.standard_output).at("trials").at(0).at("purpose") == "manual");
  const auto went_on = here.netsettle({"run", "loop.toml"});
  INFO(went_on.standard_output << went_on.standard_error);
  REQUIRE(went_on.status.code == 0);

  const auto replayed = here.netsettle({"replay", "--from", "loop.netsettle.db", "--json"});
  INFO(replayed.standard_output);
  CHECK(replayed.status.code == 0);
  CHECK(nlohmann::json::parse(replayed.standard_output).at("same") == true);
  CHECK(nlohmann::json::parse(replayed.standard_output).at("decisions") >= 2);

  const std::string best = here.netsettle({"show", "best", "--json", "--db", "loop.netsettle.db"}).standard_output;
  const auto before = trials_of(here).size();
  const auto again = here.netsettle({"rerun", "--configuration", "2", "--repeat", "2", "--db", "loop.netsettle.db"});
  INFO(again.standard_output << again.standard_error);
  CHECK(again.status.code == 0);
  CHECK_THAT(again.standard_output, Contains("gain now") && Contains("gree"));
  CHECK(trials_of(here).size() == before + 4);
  CHECK(here.netsettle({"show", "best", "--json", "--db", "loop.netsettle.db"}).standard_output == best);
  const auto unrecorded = here.netsettle({"rerun", "--trial", "2", "--no-record", "--db", "loop.netsettle.db"});
  CHECK(unrecorded.status.code == 0);
  CHECK(trials_of(here).size() == before + 4);
  CHECK_THAT(here.netsettle({"replay"}).standard_output, Contains("all come out the same"));
  CHECK(here.netsettle({"db", "check", "loop.netsettle.db"}).status.code == 0);
  for (const std::vector<std::string>& mistake : {std::vector<std::string>{"rerun"},
                                                  {"rerun", "--trial", "1", "--configuration", "1"},
                                                  {"rerun", "--trial", "999"},
                                                  {"rerun", "--configuration", "x"},
                                                  {"rerun", "--trial", "1", "--repeat", "0"}})
    CHECK(here.netsettle(mistake).status.code == 2);

  const auto csv = here.netsettle({"db", "export", "--db", "loop.netsettle.db", "--format", "csv"});
  CHECK_THAT(csv.standard_output, Catch::StartsWith("trial_id,block,") && Contains(",parameter.processes,") && Contains(",metric.qps,"));
  CHECK(std::ranges::count(csv.standard_output, '\n') == static_cast<std::ptrdiff_t>(before) + 5);
  const auto json = here.netsettle({"db", "export", "loop.netsettle.db", "--format", "json"});
  const auto document = nlohmann::json::parse(json.standard_output);
  CHECK(document.at("trials").size() == before + 4);
  CHECK(document.at("trials").at(0).at("series").at("qps").size() >= 1);
  CHECK(document.at("host").at("facts").contains("kernel_release"));
  const auto metrics = here.netsettle({"db", "export", "loop.netsettle.db", "--format", "dns-metrics", "-o", "loop.jsonl"});
  CHECK(metrics.status.code == 0);
  CHECK_FALSE(std::filesystem::exists(here.path("loop.jsonl.partial")));
  const auto valid = validate(here, here.path("loop.jsonl"));
  INFO(valid.standard_output << valid.standard_error);
  CHECK(valid.status.code == 0);
}

TEST_CASE("the golden file of dns-metrics is valid by the schema, and a wrong object is not") {
  Workspace here;
  const auto valid = validate(here, kReport + "small.dns-metrics.jsonl");
  INFO(valid.standard_output << valid.standard_error);
  CHECK(valid.status.code == 0);
  CHECK_THAT(valid.standard_output, Contains(" 0 faults"));
  here.write("wrong.jsonl", R"({"runid":"1","type":"stats_sum","since":1.5,"until":2})"
                            "\n");
  CHECK(validate(here, here.path("wrong.jsonl")).status.code == 1);
}

TEST_CASE("a folder of old outputs becomes a record that can be shown, reported and exported") {
  Workspace here;
  std::filesystem::create_directories(here.path("results"));
  here.write("results/threads=1.1.txt", old_output(1000));
  here.write("results/threads=2.1.txt", old_output(2000));
  here.write("results/notes.md", "of Monday\n");
  const auto imported = here.netsettle({"db", "import", "results", "-o", "old.netsettle.db", "--baseline", "threads=1"});
  INFO(imported.standard_output << imported.standard_error);
  REQUIRE(imported.status.code == 0);
  CHECK_THAT(imported.standard_output, Contains("2 trials of 2 configurations") && Contains("threads=2"));
  CHECK_THAT(imported.standard_error, Contains("left out: notes.md"));
  CHECK_THAT(here.netsettle({"show", "best"}).standard_output, Contains("There is no verdict") && Contains("threads=2"));
  CHECK_THAT(here.netsettle({"report"}).standard_output, Contains("Made of files") && Contains("| 2 | threads=2 | 1 | 2,000 |"));
  CHECK_THAT(here.netsettle({"db", "export", "--format", "csv"}).standard_output, Contains("threads=2.1.txt"));
  CHECK(here.netsettle({"db", "export", "--format", "dns-metrics", "-o", "old.jsonl"}).status.code == 0);
  CHECK(validate(here, here.path("old.jsonl")).status.code == 0);
  CHECK_THAT(here.netsettle({"replay"}).standard_output, Contains("nothing to replay"));
  const auto rerun = here.netsettle({"rerun", "--trial", "1"});
  CHECK(rerun.status.code == 3);
  CHECK_THAT(rerun.standard_error, Contains("imported"));
  const auto json = here.netsettle({"db", "import", "results", "-o", "more.netsettle.db", "--json"});
  CHECK(nlohmann::json::parse(json.standard_output).at("left_out").at(0).at("file") == "notes.md");
}

TEST_CASE("the mistakes of export, import, replay and rerun are usage errors that say what to do") {
  Workspace here;
  here.write("threads=1.txt", old_output(1000));
  const auto check = [&](const std::vector<std::string>& arguments, int code, const std::string& text) {
    const auto run = here.netsettle(arguments);
    INFO(run.standard_output << run.standard_error);
    CHECK(run.status.code == code);
    CHECK_THAT(run.standard_error, Contains(text));
  };
  check({"db", "import", "threads=1.txt"}, 2, "-o NEW.netsettle.db");
  check({"db", "import", "-o", "x.db"}, 2, "files or folders");
  check({"db", "import", "nothing", "-o", "x.db"}, 3, "does not exist");
  check({"db", "import", "threads=1.txt", "-o", "x.db", "--label", "{a"}, 2, "a '{' has no '}'");
  check({"db", "import", "threads=1.txt", "-o", "x.db", "--kind", "flame"}, 2, "not dnsperf, resperf or kxdpgun");
  check({"db", "import", "threads=1.txt", "-o", "x.db", "--kind", "resperf"}, 2, "no output of");
  REQUIRE(here.netsettle({"db", "import", "threads=1.txt", "-o", "x.netsettle.db"}).status.code == 0);
  check({"db", "import", "threads=1.txt", "-o", "x.netsettle.db"}, 3, "exists already");
  check({"db", "export", "x.netsettle.db"}, 2, "csv, json or dns-metrics");
  check({"db", "export", "x.netsettle.db", "--format", "xml"}, 2, "'xml'");
  check({"db", "export", "x.netsettle.db", "--db", "x.netsettle.db", "--format", "csv"}, 2, "twice");
  check({"db", "export", "no.netsettle.db", "--format", "csv"}, 3, "no.netsettle.db");
  check({"db", "export", "x.netsettle.db", "--format", "csv", "-o", "no/such/folder.csv"}, 3, "cannot be written");
  check({"replay", "--from", "no.netsettle.db"}, 3, "no.netsettle.db");
  check({"rerun", "--db", "x.netsettle.db"}, 3, "netsettle cannot run them");
}
