#include "tuner/loop/ask_tell.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "datasets/model/experiment_file.hpp"
#include "runners/hosts/local_host.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace netsettle;
using nlohmann::json;
using tuner::AskTell;

namespace {

constexpr std::string_view kFile = R"(schema = 1
[study]
name = "mine"
[rig]
kind = "external"
[parameters.threads]
type = "integer"
range = [1, 16]
default = 4
[parameters.model]
type = "categorical"
values = ["epoll", "poll"]
default = "poll"
[parameters.batch]
type = "integer"
range = [1, 64]
default = 16
when = "model == 'epoll'"
[budget]
trials = 40
)";

/// One record, opened as often as a test wants.
struct Client {
  explicit Client(std::string file = std::string(kFile)) : text(std::move(file)) {}

  std::expected<std::unique_ptr<AskTell>, Errors> try_open() {
    const auto experiment = parse_experiment(text, "mine.toml", {});
    REQUIRE(experiment);
    return AskTell::open(*host, *experiment, {.database = folder.path() / "mine.netsettle.db", .overrides = {}, .argv = {"test"}});
  }
  void open() {
    auto opened = try_open();
    if (!opened) FAIL(to_text(opened.error().front()));
    session = std::move(*opened);
  }
  void reopen() {
    session.reset();
    open();
  }
  json say(const std::string& line) {
    const std::string answer = session->answer(line);
    CHECK(answer.find('\n') == std::string::npos);
    return json::parse(answer);
  }
  json ask() { return say(R"({"ask":{}})"); }
  json tell(const json& trial, double value) { return say(json{{"tell", {{"trial", trial}, {"value", value}}}}.dump()); }
  std::string error(const std::string& line) {
    const json answer = say(line);
    return answer.contains("error") ? answer.at("error").get<std::string>() : "no error: " + answer.dump();
  }
  /// Until done.
  json run(const std::function<double(const json&, int)>& machine) {
    for (int n = 0;; ++n) {
      const json asked = ask();
      if (asked.contains("done")) return asked.at("done");
      REQUIRE(asked.contains("trial"));
      REQUIRE(tell(asked.at("trial"), machine(asked.at("configuration"), n)) == json{{"ok", true}});
    }
  }

  std::string text;
  tests::TemporaryFolder folder;
  std::unique_ptr<runners::Host> host = runners::make_local_host();
  std::unique_ptr<AskTell> session;
};

double wobble(int n) { return 1 + 0.01 * ((n * 7) % 11 - 5); }

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a study by ask and tell begins with the defaults, keeps to its budget and ends with a verdict for every further ask") {
  Client client;
  client.open();
  const json first = client.ask();
  CHECK(first.at("trial") == 1);
  CHECK(first.at("purpose") == "pilot");
  CHECK(first.at("configuration") == json{{"threads", 4}, {"model", "poll"}});  // batch plays no part
  CHECK(client.tell(1, 100) == json{{"ok", true}});
  int trials = 1, with_batch = 0;
  const json done = client.run([&](const json& configuration, int n) {
    ++trials;
    CHECK(configuration.contains("batch") == (configuration.at("model") == "epoll"));
    with_batch += configuration.contains("batch") ? 1 : 0;
    return (configuration.at("model") == "epoll" ? 150 : 100) * wobble(n);
  });
  CHECK(trials <= 40);
  CHECK(with_batch > 0);
  CHECK(done.at("verdict") == "winner");
  CHECK(done.at("configuration").at("model") == "epoll");
  CHECK(done.at("smallest") == done.at("configuration"));
  CHECK(done.at("effect").at("low").get<double>() > 0.3);
  CHECK(contains(done.at("statement"), "beats the settings you had"));
  CHECK(client.ask().at("done") == done);
  CHECK(client.say(R"({"finish":{}})").at("done") == done);
  REQUIRE(client.session->close("test"));
  client.reopen();
  CHECK(client.ask().at("done") == done);
}

TEST_CASE("trials that were open when the program ended are asked again under their numbers, and those that were told are not") {
  Client client;
  client.open();
  const json one = client.ask(), two = client.ask(), three = client.ask();
  CHECK(client.tell(two.at("trial"), 100) == json{{"ok", true}});
  client.reopen();
  CHECK(client.ask() == one);
  CHECK(client.ask() == three);
  CHECK(contains(client.error(R"({"tell":{"trial":2,"value":100}})"), "trial 2 was told already"));
  CHECK(client.tell(1, 100) == json{{"ok", true}});
  client.reopen();
  CHECK(client.tell(three.at("trial"), 100) == json{{"ok", true}});  // asked before the restart
}

TEST_CASE("several trials may be open, and an ask that must wait says for which") {
  Client client;
  client.open();
  for (int i = 1; i <= 6; ++i) CHECK(client.ask().at("trial") == i);
  const json waiting = client.ask();
  CHECK(waiting.at("open") == json{1, 2, 3, 4, 5, 6});
  CHECK(contains(waiting.at("error"), "nothing more can be begun before the trials that are out are told: 1, 2, 3, 4, 5, 6"));
  for (const int trial : {6, 2, 4, 1, 5, 3}) CHECK(client.tell(trial, 100 + trial) == json{{"ok", true}});
  CHECK(client.ask().at("purpose") == "search");
}

TEST_CASE("an invalid measurement is asked again within the budget, a configuration that fails is not") {
  Client client;
  client.open();
  for (int i = 0; i < 6; ++i) CHECK(client.tell(client.ask().at("trial"), 100 + i) == json{{"ok", true}});
  const json asked = client.ask();
  CHECK(client.say(json{{"tell", {{"trial", asked.at("trial")}, {"invalid", "client-limited"}}}}.dump()) == json{{"ok", true}});
  const json again = client.ask();
  CHECK(again.at("trial") != asked.at("trial"));
  CHECK(again.at("configuration") == asked.at("configuration"));
  CHECK(client.say(json{{"tell", {{"trial", again.at("trial")}, {"failed", "it hung, twice"}}}}.dump()) == json{{"ok", true}});
  const auto& trials = client.session->study().trials;
  const Trial& failed = trials[again.at("trial").get<std::size_t>() - 1];
  CHECK(failed.state == TrialState::failed);
  CHECK(failed.reasons.front().code == "told");
  CHECK(failed.reasons.front().detail == "it hung, twice");
  CHECK(trials[asked.at("trial").get<std::size_t>() - 1].reasons.front().code == "client-limited");
  CHECK(client.ask().at("configuration") != asked.at("configuration"));
}

TEST_CASE("a study in which nothing can be measured ends") {
  Client client;
  client.open();
  int asked = 0;
  for (;; ++asked) {
    const json answer = client.ask();
    if (answer.contains("done")) {
      CHECK(answer.at("done").at("verdict") == "cannot-tell");
      CHECK(answer.at("done").at("effect").is_null());
      break;
    }
    REQUIRE(asked < 40);
    REQUIRE(client.say(json{{"tell", {{"trial", answer.at("trial")}, {"invalid", "client-limited"}}}}.dump()) == json{{"ok", true}});
  }
  CHECK(asked == 12);
}

TEST_CASE("what is no message is answered with what is, and changes nothing") {
  Client client;
  client.open();
  CHECK(client.ask().at("trial") == 1);
  CHECK(contains(client.error("{"), "no JSON"));
  CHECK(contains(client.error(""), "no JSON"));
  CHECK(contains(client.error("[]"), "a message is"));
  CHECK(contains(client.error(R"({"ask":{},"finish":{}})"), "a message is"));
  CHECK(contains(client.error(R"({"aks":{}})"), "did you mean 'ask'?"));
  CHECK(contains(client.error(R"({"ask":{"count":2}})"), "unknown key \"count\""));
  CHECK(contains(client.error(R"({"tell":{"value":1}})"), "the number of its trial"));
  CHECK(contains(client.error(R"({"tell":{"trial":1}})"), "needs one of"));
  CHECK(contains(client.error(R"({"tell":{"trial":1,"value":1,"failed":"x"}})"), "needs one of"));
  CHECK(contains(client.error(R"({"tell":{"trial":1,"value":0}})"), "above 0"));
  CHECK(contains(client.error(R"({"tell":{"trial":1,"value":-3}})"), "above 0"));
  CHECK(contains(client.error(R"({"tell":{"trial":1,"value":"fast"}})"), "is a number"));
  CHECK(contains(client.error(R"({"tell":{"trial":1,"value":1,"metrics":{"lost":"no"}}})"), "not a number"));
  CHECK(contains(client.error(R"({"tell":{"trial":1,"failed":""}})"), "says why"));
  CHECK(contains(client.error(R"({"tell":{"trial":99,"value":1}})"), "never asked"));
  CHECK(contains(client.error(R"({"tell":{"trial":2,"value":1}})"), "was not asked yet"));
  CHECK(client.error("{\"tell\":{\"trial\":1,\"failed\":\"\xff\"}}") != "");
  CHECK(client.session->study().trials.front().state == TrialState::planned);
  CHECK(client.tell(1, 5) == json{{"ok", true}});
  CHECK(contains(client.error(R"({"tell":{"trial":1,"value":6}})"), "told already"));
  CHECK(client.session->study().trials.front().measurements.at("value") == 5);
}

TEST_CASE("a condition needs its metric, and a configuration that breaks it cannot win") {
  Client client(std::string(kFile) + "[objective]\nsubject_to = [\"lost_percent <= 0.1\"]\n");
  client.open();
  CHECK(client.ask().at("trial") == 1);
  CHECK(contains(client.error(R"({"tell":{"trial":1,"value":100}})"), "subject_to needs these metrics beside the value: lost_percent"));
  int n = 0;
  json answer = {{"trial", 1}, {"configuration", {{"model", "poll"}}}};
  for (; answer.contains("trial"); answer = client.ask()) {
    const bool fast = answer.at("configuration").at("model") == "epoll";
    const json told = {
        {"trial", answer.at("trial")}, {"value", (fast ? 200 : 100) * wobble(++n)}, {"metrics", {{"lost_percent", fast ? 5 : 0}}}};
    REQUIRE(client.say(json{{"tell", told}}.dump()) == json{{"ok", true}});
  }
  CHECK(answer.at("done").at("configuration").at("model") == "poll");
}

TEST_CASE("finish ends a study early, without a claim") {
  Client client;
  client.open();
  CHECK(client.tell(client.ask().at("trial"), 100) == json{{"ok", true}});
  CHECK(client.ask().at("trial") == 2);
  const json done = client.say(R"({"finish":{}})").at("done");
  CHECK(done.at("verdict") == "cannot-tell");
  CHECK(done.at("configuration") == json{{"threads", 4}, {"model", "poll"}});
  CHECK(contains(done.at("statement"), "was ended before"));
  CHECK(client.ask().at("done") == done);
  CHECK(contains(client.error(R"({"tell":{"trial":2,"value":100}})"), "the study has ended"));
}

TEST_CASE("a study can be finished before it has begun") {
  Client client;
  client.open();
  const json done = client.say(R"({"finish":{}})").at("done");
  CHECK(done.at("verdict") == "cannot-tell");
  CHECK(done.at("configuration") == json{{"threads", 4}, {"model", "poll"}});
  client.reopen();
  CHECK(client.ask().at("done") == done);
}

TEST_CASE("the same answers lead to the same study") {
  const auto course = [] {
    Client client;
    client.open();
    return client.run([](const json& configuration, int n) { return 100.0 * wobble(n) + configuration.at("threads").get<int>(); }).dump();
  };
  CHECK(course() == course());
}

TEST_CASE("a record is continued with another budget and in a wider space, and refused for everything else with its name") {
  Client client;
  client.open();
  CHECK(client.tell(client.ask().at("trial"), 100) == json{{"ok", true}});
  const auto change = [&](std::string_view what, std::string_view instead) {
    client.session.reset();
    client.text = std::string(kFile).replace(kFile.find(what), what.size(), instead);
  };
  const auto refusal = [&] {
    const auto opened = client.try_open();
    return opened ? std::string("opened") : to_text(opened.error().front());
  };
  change("trials = 40", "trials = 60");
  client.reopen();
  CHECK(client.session->study().experiment.budget.trials == 60);
  change("range = [1, 16]", "range = [1, 32]");
  client.reopen();
  CHECK(client.session->study().space.find("threads")->high == 32);
  CHECK(contains(client.session->note(), "The search space is wider than it was: threads."));
  CHECK(client.session->study().trials.front().measurements.at("value") == 100);
  change("range = [1, 16]", "range = [1, 8]");
  CHECK(contains(refusal(), "parameter threads had 1 to 32, which 1 to 8 does not hold"));
  change("[1, 16]\ndefault = 4", "[1, 32]\ndefault = 5");
  CHECK(contains(refusal(), "parameters.threads.default was 4 and is now 5"));
  change("[budget]", "[parameters.more]\ntype = \"boolean\"\ndefault = false\n[budget]");
  CHECK(contains(refusal(), "parameters.more is new"));
  change("name = \"mine\"", "name = \"mine\"\nseed = 7");
  CHECK(contains(refusal(), "study.seed was 1 and is now 7"));
  change("", "");
}

TEST_CASE("two programs cannot write one record") {
  Client client;
  client.open();
  const auto second = client.try_open();
  REQUIRE_FALSE(second);
  CHECK(second.error().front().code == ErrorCode::busy);
}
