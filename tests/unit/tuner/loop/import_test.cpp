#include "tuner/loop/import.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <fmt/format.h>
#include <catch2/catch.hpp>
#include <fstream>

#include "strategies/racing/next_step.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tuner/loop/study.hpp"

using namespace netsettle;
using namespace netsettle::tuner;

namespace {

std::string dnsperf_output(int completed, int lost = 0) {
  return fmt::format(
      "DNS Performance Testing Tool\nVersion 2.10.0\n\n"
      "[Status] Command line: dnsperf -s 127.0.0.1 -p 5300 -d queries.txt -l 1 -q 100 -t 1\n\nStatistics:\n\n"
      "  Queries sent:         {}\n  Queries completed:    {} (99.00%)\n  Queries lost:         {} (0.00%)\n\n"
      "  Response codes:       NOERROR {} (100.00%)\n  Average packet size:  request 39, response 47\n"
      "  Run time (s):         1.000000\n  Queries per second:   {}.000000\n\n"
      "  Average Latency (s):  0.000913 (min 0.000019, max 0.162335)\n  Latency StdDev (s):   0.009907\n\n",
      completed + lost, completed, lost, completed, completed);
}

const std::string kResperfOutput =
    "DNS Resolution Performance Testing Tool\nVersion 2.10.0\n\nStatistics:\n\n  Queries sent:         1999\n  Queries completed:    1999\n"
    "  Queries lost:         0\n  Response codes:       NOERROR 1999 (100.00%)\n  Run time (s):         2.007451\n"
    "  Maximum throughput:   1248.000000 qps\n  Lost at that point:   0.00%\n\n";

struct Results {
  tests::TemporaryFolder folder;

  /// `time_s`: when it was last written, in seconds since 2026.
  void write(const std::string& name, const std::string& text, int time_s = 0) {
    const auto path = folder.path() / "results" / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
    const timespec written{.tv_sec = 1'767'225'600 + time_s, .tv_nsec = 0};
    const timespec times[] = {written, written};
    REQUIRE(::utimensat(AT_FDCWD, path.c_str(), times, 0) == 0);
  }

  FoundRuns found(const FileOptions& options = {}) const {
    const auto files = find_files({folder.path() / "results"});
    REQUIRE(files);
    return read_runs(*files, options);
  }

  std::filesystem::path record() const { return folder.path() / "new.netsettle.db"; }
};

ImportRequest request_of(FoundRuns found) {
  return {.name = "old",
          .origin = "/srv/results",
          .runs = std::move(found.runs),
          .baseline = std::nullopt,
          .session = {.boot_id = "boot", .pid = 1, .pid_start = 1, .tool_version = "0", .argv = {"netsettle"}},
          .now_us = 1};
}

StudyView view_of(const std::filesystem::path& record) { return load_view(datasets::Store::open_reader(record).value()).value(); }

}  // namespace

TEST_CASE_METHOD(Results, "a folder of old outputs becomes a study: configurations by the names, blocks by time") {
  write("threads=1/run-1.txt", dnsperf_output(1000), 10);
  write("threads=2/run-1.txt", dnsperf_output(2000), 20);
  write("threads=2/run-2.txt", dnsperf_output(2020), 30);
  write("threads=1/run-2.txt", dnsperf_output(1010), 40);
  const auto imported = import_study(record(), request_of(found()));
  if (!imported) FAIL(to_text(imported.error()));
  const StudyView study = view_of(record());
  REQUIRE(study.configurations.size() == 2);
  CHECK(study.space.find("threads")->as_found == Value(std::int64_t{1}));
  CHECK(study.configurations[1].configuration.values.at("threads") == Value(std::int64_t{2}));
  REQUIRE(study.trials.size() == 4);
  CHECK(study.trials[0].configuration_id == kBaselineId);
  CHECK(study.trials[0].measurements.at("value") == 1000);
  CHECK(study.trials[0].measurements.at("qps") == 1000);
  CHECK(study.trials[0].measurements.at("latency_avg_us") == Approx(913));
  CHECK(study.trials[0].ended_us - study.trials[0].started_us == 1'000'000);
  CHECK(study.trials[0].ended_us == 1'767'225'610'000'000);
  CHECK(study.trials[0].imported_from == (folder.path() / "results/threads=1/run-1.txt").string());
  std::vector<int> blocks;
  for (const Trial& trial : study.trials) blocks.push_back(trial.block);
  CHECK(blocks == std::vector<int>{1, 1, 2, 2});
  const auto summaries = strategies::summarise(study);
  CHECK(summaries[1].n == 2);
  CHECK(summaries[1].versus_baseline->estimate == Approx(1).epsilon(0.01));
}

TEST_CASE_METHOD(Results, "runs that were made one after the other are not compared as if they had been interleaved") {
  for (int i = 1; i <= 3; ++i) {
    write(fmt::format("threads=1/run-{}.txt", i), dnsperf_output(1000 + i), i);
    write(fmt::format("threads=2/run-{}.txt", i), dnsperf_output(2000 + i), 10 + i);
  }
  REQUIRE(import_study(record(), request_of(found())));
  CHECK_FALSE(strategies::summarise(view_of(record()))[1].versus_baseline);
}

TEST_CASE_METHOD(Results, "every file that gives no run is named with the reason") {
  write("threads=1.1.txt", dnsperf_output(1000));
  write("notes.md", "about the runs\n");
  write("empty.txt", "");
  write("threads=2.1.txt.gz", "\x1f\x8b more");
  write("lonely.err", "a warning\n");
  const FoundRuns all = found();
  CHECK(all.runs.size() == 1);
  REQUIRE(all.left_out.size() == 4);
  const auto reason = [&](const std::string& name) {
    const auto file = std::ranges::find(all.left_out, name, &LeftOut::name);
    return file == all.left_out.end() ? "" : file->reason;
  };
  CHECK_THAT(reason("notes.md"), Catch::Contains("no output of dnsperf"));
  CHECK_THAT(reason("empty.txt"), Catch::Contains("empty"));
  CHECK_THAT(reason("threads=2.1.txt.gz"), Catch::Contains("unpack it first"));
  CHECK_THAT(reason("lonely.err"), Catch::Contains("standard error of no file"));
  CHECK(find_files({folder.path() / "nothing"}).error().code == ErrorCode::not_found);
}

TEST_CASE_METHOD(Results, "each run is judged as far as its output shows") {
  write("a=1/good.txt", dnsperf_output(1000), 1);
  write("a=1/broken.txt", dnsperf_output(1000).substr(0, 150), 2);
  write("a=1/dead.txt", dnsperf_output(0, 100), 3);
  write("a=1/window.txt", dnsperf_output(1000, 80), 4);
  const auto runs = found().runs;
  REQUIRE(runs.size() == 4);
  CHECK(runs[0].judgement.verdict.outcome == Outcome::measured);
  CHECK(runs[0].judgement.verdict.reasons.empty());
  CHECK(runs[1].judgement.verdict.outcome == Outcome::invalid);
  CHECK(runs[1].judgement.verdict.reasons.at(0).code == "load-failed");
  CHECK(runs[2].judgement.verdict.outcome == Outcome::failed);
  CHECK(runs[3].judgement.verdict.suspect);
  CHECK(runs[3].judgement.verdict.reasons.at(0).code == "window-limited");
}

TEST_CASE_METHOD(Results, "outputs that were appended to one file are a run each, before each other") {
  write("threads=1.txt", dnsperf_output(1000) + dnsperf_output(1001), 100);
  const auto runs = found().runs;
  REQUIRE(runs.size() == 2);
  CHECK(runs[0].name == "threads=1.txt");
  CHECK(runs[1].name == "threads=1.txt#2");
  CHECK(runs[0].ended_us == runs[1].started_us);
  CHECK(runs[1].judgement.measurements.at("qps") == 1001);
}

TEST_CASE_METHOD(Results, "a file of standard error belongs to the output beside it") {
  write("threads=1.txt", dnsperf_output(1000));
  write("threads=1.err", "Warning: something\n");
  const FoundRuns all = found();
  REQUIRE(all.runs.size() == 1);
  CHECK(all.left_out.empty());
  CHECK(std::ranges::find(all.runs[0].evidence.artifacts, "load.stderr", &Artifact::kind) != all.runs[0].evidence.artifacts.end());
}

TEST_CASE_METHOD(Results, "the rates of different load generators are not put into one study") {
  write("threads=1.txt", dnsperf_output(1000));
  write("threads=2.txt", kResperfOutput);
  const auto plan = plan_import(request_of(found()));
  REQUIRE_FALSE(plan);
  CHECK_THAT(plan.error().text, Catch::Contains("1 of dnsperf, 1 of resperf") && Catch::Contains("--kind"));
}

TEST_CASE_METHOD(Results, "a label that a file lacks is unset, and folders without an equals sign are a label too") {
  write("plain/1.txt", dnsperf_output(1000), 1);
  write("tuned/rmem=8M.1.txt", dnsperf_output(1100), 2);
  const auto plan = plan_import(request_of(found())).value();
  CHECK(plan.labels[0] == Labels{{"folder", "plain"}, {"rmem", "unset"}});
  CHECK(plan.labels[1] == Labels{{"folder", "tuned"}, {"rmem", "8M"}});
  CHECK(plan.baseline == plan.labels[0]);
  REQUIRE(import_study(record(), request_of(found())));
  CHECK(view_of(record()).space.find("rmem")->type == ParameterType::categorical);
}

TEST_CASE_METHOD(Results, "the baseline is what was measured first, or what is named") {
  write("threads=10.txt", dnsperf_output(1000), 1);
  write("threads=2.txt", dnsperf_output(2000), 2);
  auto request = request_of(found());
  CHECK(plan_import(request).value().baseline.at("threads") == "10");
  request.baseline = "threads=2";
  CHECK(plan_import(request).value().baseline.at("threads") == "2");
  request.baseline = "threads=3";
  CHECK_THAT(plan_import(request).error().text, Catch::Contains("threads=10; threads=2"));
}

TEST_CASE_METHOD(Results, "names that say nothing and names that cannot be parameters are refused") {
  write("run1.txt", dnsperf_output(1000));
  CHECK_THAT(plan_import(request_of(found())).error().text, Catch::Contains("--label"));
  write("4th=1.txt", dnsperf_output(1000));
  const auto imported = import_study(record(), request_of(found()));
  REQUIRE_FALSE(imported);
  CHECK_THAT(imported.error().text, Catch::Contains("'4th' cannot name a parameter"));
  CHECK_FALSE(std::filesystem::exists(record()));
}

TEST_CASE_METHOD(Results, "the names of sysctls become names of parameters") {
  write("net.core.rmem_max=1.txt", dnsperf_output(1000));
  CHECK(plan_import(request_of(found())).value().labels.at(0).at("net_core_rmem_max") == "1");
}

TEST_CASE_METHOD(Results, "a record that exists is not touched") {
  write("threads=1.txt", dnsperf_output(1000));
  REQUIRE(import_study(record(), request_of(found())));
  CHECK(import_study(record(), request_of(found())).error().code == ErrorCode::conflict);
  CHECK(view_of(record()).trials.size() == 1);
}

TEST_CASE_METHOD(Results, "values keep the type that all of them have") {
  write("a=1_b=0.5_c=x_d=01.1.txt", dnsperf_output(1000), 1);
  write("a=2_b=2_c=3_d=1.1.txt", dnsperf_output(1000), 2);
  REQUIRE(import_study(record(), request_of(found())));
  const StudyView study = view_of(record());
  CHECK(study.space.find("a")->type == ParameterType::integer);
  CHECK(study.space.find("b")->type == ParameterType::real);
  CHECK(study.space.find("c")->type == ParameterType::categorical);
  CHECK(study.space.find("d")->type == ParameterType::categorical);
}
