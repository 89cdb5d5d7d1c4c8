#include <catch2/catch.hpp>
#include <sstream>

#include "tests/unit/tuner/report/sample.hpp"
#include "tuner/report/markdown.hpp"
#include "tuner/report/progress.hpp"
#include "tuner/report/study_table.hpp"
#include "tuner/report/text.hpp"

using namespace netsettle;
using namespace netsettle::tuner;
using Catch::Matchers::Contains;

TEST_CASE("the final table has the baseline first, then the better ones, aligned") {
  const Sample study = sample();
  CHECK(configurations_table(study.data(), {.width = 110}) ==
        "id   n    mean     min     max  invalid  vs. baseline (95 %)       settings\n"
        " 1  20  41,234  39,800  42,100                                     as found\n"
        " 3   2  60,000   1,000  61,000           -2.0 % (-30.0 to +26.0)   processes=4\n"
        " 2   9  54,100  52,300  55,900        1  +31.0 % (+24.1 to +38.0)  processes=2, rmem=4 MiB\n");
}

TEST_CASE("no line of the final report is wider than the terminal") {
  const Sample study = sample();
  for (const std::size_t width : {40u, 60u, 80u, 100u, 200u}) {
    std::istringstream report(final_report(study.data(), {.width = width}));
    for (std::string line; std::getline(report, line);) {
      INFO(width << ": " << line);
      CHECK(width_of(line) <= width);
    }
  }
}

TEST_CASE("configurations beyond the limit are counted") {
  const Sample study = sample();
  const std::string table = configurations_table(study.data(), {.width = 110, .rows = 2});
  CHECK_THAT(table, Contains("and 1 more\n") && !Contains("processes=2"));
}

TEST_CASE("a configuration without a measured trial has no numbers") {
  Sample study = sample();
  study.summaries[1] = {.id = 2, .n = 0, .failed = 2};
  CHECK_THAT(configurations_table(study.data(), {.width = 110}), Contains(" 2   0       -       -       -       2"));
}

TEST_CASE("the final report gives the verdict and what must be known before believing it") {
  const Sample study = sample();
  const std::string report = final_report(study.data(), {.width = 200});
  CHECK_THAT(report, Contains("beats the settings you had by 31 %."));
  CHECK_THAT(report, Contains("Laboratory only: measured on one machine (namespaces), not on a network."));
  CHECK_THAT(report, Contains("Load and server shared CPU 1:"));
}

TEST_CASE("what is not known about the CPUs is not claimed") {
  Sample study = sample();
  study.record.host_facts_json = "{}";
  CHECK_THAT(final_report(study.data(), {.width = 200}), Contains("may have taken CPU time from each other"));
  study.record.host_facts_json = R"({"server_cpus":"0-2","load_cpus":"3"})";
  CHECK_THAT(final_report(study.data(), {.width = 200}), !Contains("CPU"));
}

TEST_CASE("without a verdict the report says that the study is not finished") {
  Sample study = sample();
  study.verdict.reset();
  CHECK_THAT(final_report(study.data(), {}), Contains("There is no verdict yet"));
}

TEST_CASE("a dropped parameter is named with its reason") {
  Sample study = sample();
  study.record.dropped = {{"backlog", "the setting does not exist here"}};
  CHECK_THAT(final_report(study.data(), {.width = 200}), Contains("Parameter backlog was left out: the setting does not exist here."));
}

TEST_CASE("the trials are listed with their outcome and reasons") {
  CHECK(trials_table(sample_study(), 100) ==
        "trial  block  configuration     qps  purpose  outcome\n"
        "    1      1              1  41,234  pilot    measured\n"
        "    2      2              2       -  search   invalid, clock-step\n");
}

TEST_CASE("the progress line says phase, trial, time left and the best so far, and fits the terminal") {
  const Progress progress{
      .phase = Purpose::search, .trial = 17, .trials = 46, .left = std::chrono::seconds(480), .best = std::pair{5, 54100.0}};
  CHECK(progress_line(progress, 200) == "search: trial 17 of 46, 8 min left, best so far configuration 5 with 54,100 qps");
  CHECK(width_of(progress_line(progress, 30)) == 30);
  CHECK(progress_line({.phase = Purpose::pilot, .trial = 1}, 200) == "pilot (the machine's own noise): trial 1");
}

TEST_CASE("a trial's line has its number or why there is none") {
  const StudyView study = sample_study();
  CHECK(trial_line(study, study.trials[0], 46) == "trial 1 of 46, pilot: configuration 1 (as found): 41,234 qps\n");
  CHECK(trial_line(study, study.trials[1], std::nullopt) ==
        "trial 2, search: configuration 2 (processes=2, rmem=4 MiB): invalid: clock-step: the clock was set during the measurement\n");
}

TEST_CASE("a suspect trial shows its number and the doubt") {
  StudyView study = sample_study();
  study.trials[0].suspect = true;
  study.trials[0].reasons = {{"window-limited", "the load's window was full"}};
  CHECK_THAT(trial_line(study, study.trials[0], 46), Contains("41,234 qps, suspect (window-limited)"));
}

TEST_CASE("the Markdown report says what was measured, what came out and how to repeat it") {
  const Sample study = sample();
  const AppliedSetting row{.setting = "sysctl.net.core.rmem_max", .requested = "4194304", .effective = "4194304"};
  const std::string report = markdown_report(study.data(), {{.configuration_id = 1, .rows = {}}, {.configuration_id = 2, .rows = {row}}});
  CHECK_THAT(report, Contains("# netsettle: study quick\n") && Contains("beats the settings you had by 31 %.\n"));
  CHECK_THAT(report, Contains("| rig | namespaces |") && Contains("| kernel_release | 6.1.0 |") && Contains("| budget | 46 trials |"));
  CHECK_THAT(report, Contains("`mixed-1k.txt`, 8 clients, 500 queries outstanding") && !Contains("/somewhere/"));
  CHECK_THAT(report, Contains("| 2 | processes=2, rmem=4 MiB | 9 | 54,100 | 52,300 | 55,900 | +31.0 % (+24.1 to +38.0) | 1 |"));
  CHECK_THAT(report, Contains("coefficient of variation 2.1 %") && Contains("differences from 3.4 %"));
  CHECK_THAT(report, Contains("- 1 × invalid: clock-step"));
  CHECK_THAT(report, Contains("| sysctl.net.core.rmem_max | 4194304 | 4194304 | ok |"));
  CHECK_THAT(report, Contains("netsettle run 'it'\\''s/quick.toml' --set budget.trials=46"));
  CHECK_THAT(report, Contains("Seed 20261130, experiment `abc`") && Contains("```toml\nschema = 1\n```"));
}

TEST_CASE("text of the machine cannot break a cell of the Markdown report") {
  Sample study = sample();
  study.record.host_facts_json = R"({"cpu_model":"a|b\nc"})";
  CHECK_THAT(markdown_report(study.data(), {}), Contains("| cpu_model | a\\|b c |\n"));
}
