// compare, confirm and explain on a record that the real programs have made.

#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>

#include "tests/cli/study_text.hpp"
#include "tests/support/workspace.hpp"

using namespace netsettle;
using namespace netsettle::tests;
using Catch::Matchers::Contains;

namespace {

using Json = nlohmann::json;

std::size_t trials_in(Workspace& here) {
  return Json::parse(here.netsettle({"show", "trials", "--json", "--db", "loop.netsettle.db"}).standard_output).at("trials").size();
}

Json json_of(const runners::Finished& run) {
  INFO(run.standard_output << run.standard_error);
  REQUIRE((run.status.code == 0 || run.status.code == 5));  // a busy machine may spoil a trial; the document is there all the same
  return Json::parse(run.standard_output);
}

}  // namespace

TEST_CASE("configurations of a record are compared, confirmed and explained, and its decisions stay as they are") {
  Workspace here;
  here.write("queries.txt", "example.com A\n");
  here.write("loop.toml", loopback_study("loop"));
  const auto study = here.netsettle({"run", "loop.toml"});
  INFO(study.standard_output << study.standard_error);
  REQUIRE(study.status.code == 0);
  const std::string best = here.netsettle({"show", "best", "--json"}).standard_output;
  const std::size_t before = trials_in(here);

  const Json one = json_of(here.netsettle({"show", "configuration", "2", "--json"}));
  CHECK(one.at("n").get<int>() >= 6);
  CHECK(one.at("versus_baseline").at("low").is_number());
  CHECK_THAT(here.netsettle({"show", "configuration", "baseline"}).standard_output, Contains("Configuration 1: as found"));
  const auto unknown = here.netsettle({"show", "configuration", "99"});
  CHECK(unknown.status.code == 2);
  CHECK_THAT(unknown.standard_error, Contains("the record has no configuration 99; netsettle show configurations lists them"));

  const Json planned = json_of(here.netsettle({"compare", "baseline", "2", "--blocks", "3", "--dry-run", "--json"}));
  CHECK(planned.at("planned_trials") == 6);
  CHECK_THAT(here.netsettle({"confirm", "--dry-run"}).standard_output, Contains("6 fresh blocks") && Contains("nothing was measured"));
  const auto read = here.netsettle({"compare", "baseline", "2", "--no-run"});
  CHECK(read.status.code == 0);
  CHECK_THAT(read.standard_output, Contains("configuration 2 against the baseline") && Contains("for exploring"));
  CHECK(trials_in(here) == before);

  const Json compared = json_of(here.netsettle({"compare", "2", "baseline", "--blocks", "3", "--json"}));
  CHECK(compared.at("complete") == true);
  CHECK(compared.at("pairs").at(0).at("versus") == 1);
  CHECK(compared.at("configurations").size() == 2);
  CHECK(compared.at("trials").at(0).at("purpose") == "manual");
  CHECK(trials_in(here) >= before + 6);
  const std::size_t between = trials_in(here);
  const auto confirmed = here.netsettle({"confirm", "--top", "2", "--blocks", "2", "--no-record"});
  INFO(confirmed.standard_output << confirmed.standard_error);
  CHECK_THAT(confirmed.standard_output, Contains("configuration 2 against the baseline") && Contains("2.5 % / 1 one-sided") &&
                                            Contains("the study's verdict stays as it is"));
  CHECK(trials_in(here) == between);

  const auto explained = here.netsettle({"explain"});
  INFO(explained.standard_output << explained.standard_error);
  CHECK(explained.status.code == 0);
  CHECK_THAT(explained.standard_output, Contains("by the model") && Contains("processes: as found → 2"));
  const Json document = json_of(here.netsettle({"explain", "--json"}));
  CHECK(document.at("explained").at("configuration_id") == 2);
  CHECK(document.at("path").size() == 1);
  CHECK(document.at("path").at(0).at("blocks") >= 2);
  CHECK_THAT(here.netsettle({"report"}).standard_output, Contains("## What bought the gain"));

  CHECK(here.netsettle({"show", "best", "--json"}).standard_output == best);
  CHECK_THAT(here.netsettle({"replay"}).standard_output, Contains("all come out the same"));
  CHECK(here.netsettle({"db", "check", "loop.netsettle.db"}).status.code == 0);
}

TEST_CASE("ctrl-C ends a comparison with what is complete, and everything is given back") {
  Workspace here;
  here.write("queries.txt", "example.com A\n");
  here.write("loop.toml", loopback_study("loop"));
  REQUIRE(here.netsettle({"run", "loop.toml"}).status.code == 0);
  const std::size_t before = trials_in(here);
  auto process = here.start({"compare", "baseline", "2", "--blocks", "200", "--json"});
  REQUIRE(eventually([&] { return trials_in(here) > before + 5; }, std::chrono::seconds(60)));
  REQUIRE(process->signal(SIGINT));
  const auto status = process->wait(std::chrono::seconds(30));
  REQUIRE(status);
  CHECK(status->code == 130);
  CHECK(here.netsettle({"db", "check", "loop.netsettle.db"}).status.code == 0);
  CHECK_THAT(here.netsettle({"replay"}).standard_output, Contains("all come out the same"));
}

TEST_CASE("what cannot be compared is refused with what to do") {
  Workspace here;
  here.write("queries.txt", "example.com A\n");
  here.write("outside.toml",
             "schema = 1\n[study]\nname = \"outside\"\n[rig]\nkind = \"external\"\n[objective]\nmaximize = \"value\"\n"
             "[parameters.size]\ntype = \"integer\"\nrange = [1, 8]\ndefault = 1\n[budget]\ntrials = 30\n");
  const auto check = [&](const std::vector<std::string>& arguments, int code, const std::string& text) {
    const auto run = here.netsettle(arguments);
    INFO(run.standard_output << run.standard_error);
    CHECK(run.status.code == code);
    CHECK_THAT(run.standard_error, Contains(text));
  };
  check({"compare", "1", "2"}, 3, "--db");
  const auto made = here.program({"/bin/sh", "-c", NETSETTLE_BIN_DIR "/netsettle ask-tell outside.toml < /dev/null"});
  INFO(made.standard_output << made.standard_error);
  REQUIRE(std::filesystem::exists(here.path("outside.netsettle.db")));
  check({"compare", "baseline", "1"}, 3, "ask-tell");
  check({"confirm"}, 3, "ask-tell");
  check({"compare", "baseline", "1", "--no-run"}, 2, "named twice");
  check({"compare", "baseline", "--no-run"}, 2, "two configurations");
  check({"compare", "baseline", "7", "--no-run"}, 2, "no configuration 7");
  check({"compare", "baseline", "winner", "--no-run"}, 2, "has no winner");
  check({"compare", "baseline", "fast", "--no-run"}, 2, "neither");
  check({"compare", "baseline", "1", "--no-run", "--blocks", "3"}, 2, "only reads");
  check({"confirm", "--top", "0"}, 2, "--top");
  check({"confirm", "--blocks", "1"}, 2, "--blocks");
  const auto nothing = here.netsettle({"explain"});
  CHECK(nothing.status.code == 0);
  CHECK_THAT(nothing.standard_output, Contains("nothing to explain"));
}
