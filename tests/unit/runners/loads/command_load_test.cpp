#include "runners/loads/command_load.hpp"

#include <catch2/catch.hpp>

namespace netsettle::runners {
namespace {

using Words = std::vector<std::string>;

LoadSection example_load() {
  LoadSection load;
  load.kind = "command";
  load.argv = {"flood", "--to={address}:{port}", "-t", "{seconds}", "{queries}", "-r{rate}", "-c", "{clients}", "--id", "{instance}"};
  load.queries = "/q/mixed.txt";
  load.rate = 3000;
  load.instances = 2;
  load.clients = 4;
  load.result = {{"sent", "/end/sent"}, {"completed", "/end/received"}, {"seconds", "/end/seconds"}};
  return load;
}

LoadTarget target() { return {.address = "198.18.0.1", .port = 53, .seconds = 2.5, .instance = 1}; }

LoadReport parse(const LoadSection& load, std::string_view text) { return CommandLoad(load).parse(text, ""); }

TEST_CASE("placeholders are filled in, also within a word, and the rate is that of one instance") {
  const auto argv = CommandLoad(example_load()).command_line(example_load(), target());
  REQUIRE(argv);
  CHECK(*argv == Words{"flood", "--to=198.18.0.1:53", "-t", "2.5", "/q/mixed.txt", "-r1500", "-c", "4", "--id", "1"});
  CHECK(CommandLoad(example_load()).program() == "flood");
}

TEST_CASE("an unknown placeholder is a mistake that names those that there are") {
  LoadSection load = example_load();
  load.argv = {"flood", "{adress}"};
  const auto checked = CommandLoad(load).check(load);
  REQUIRE_FALSE(checked);
  CHECK(checked.error().subject == "load.argv");
  CHECK(checked.error().text.find("there is no {adress}; there are {address}") == 0);
}

TEST_CASE("braces that are no placeholder stay as they are") {
  LoadSection load = example_load();
  load.argv = {"flood", R"({"a":1})", "{}", "{", "a}", "{X}", "{{port}}"};
  CHECK(CommandLoad(load).command_line(load, target()).value() == Words{"flood", R"({"a":1})", "{}", "{", "a}", "{X}", "{53}"});
}

TEST_CASE("what a placeholder needs must be there") {
  LoadSection load = example_load();
  load.rate.reset();
  CHECK(CommandLoad(load).check(load).error().subject == "load.rate");
  load = example_load();
  load.queries.clear();
  CHECK(CommandLoad(load).check(load).error().subject == "load.queries");
  load = example_load();
  load.tsig_key_file = "/k";
  CHECK(CommandLoad(load).check(load).error().subject == "load.tsig_key_file");
  load = example_load();
  load.argv.clear();
  CHECK(CommandLoad(load).check(load).error().subject == "load.argv");
}

TEST_CASE("counts are taken by their pointers, and what follows from them is computed") {
  const LoadReport report = parse(example_load(), R"({"end": {"sent": 1000, "received": 990, "seconds": 2}})");
  CHECK(report.complete);
  CHECK(report.sent == 1000);
  CHECK(report.completed == 990);
  CHECK(report.lost == 10);
  CHECK(report.runtime_s == 2.0);
  CHECK(report.qps == 495.0);
  CHECK(report.errors.empty());
}

TEST_CASE("of several objects the last one counts, among other text") {
  const LoadReport report = parse(example_load(),
                                  "starting {1}\n{\"end\": {\"sent\": 1, \"received\": 1, \"seconds\": 1}}\n"
                                  "{\"end\": {\"sent\": 7, \"received\": 6,\n \"seconds\": 2}}\ndone }\n{\"end\": {\"sent\"");
  CHECK(report.sent == 7);
  CHECK(report.completed == 6);
}

TEST_CASE("pointers reach into lists and names with slashes") {
  LoadSection load = example_load();
  load.result = {{"completed", "/streams/1/a~1b/c~0d"}};
  CHECK(parse(load, R"({"streams": [0, {"a/b": {"c~d": 42}}]})").completed == 42);
}

TEST_CASE("a pointer that leads to no number is an error of the report, and the value is absent") {
  LoadSection load = example_load();
  load.result = {{"completed", "/n"}, {"sent", "/list/7"}};
  for (const char* text : {R"({"n": "12"})", R"({"n": null})", R"({"n": -1})", R"({"m": 1})", R"({"n": {}})"}) {
    INFO(text);
    const LoadReport report = parse(load, text);
    CHECK_FALSE(report.complete);
    CHECK_FALSE(report.completed);
    REQUIRE(report.errors.size() == 2);
    CHECK(report.errors[1].starts_with("/n: there is no such number") != report.errors[0].starts_with("/n: there is no such number"));
  }
}

TEST_CASE("without a JSON object there is no result") {
  for (const char* text : {"", "no json", "[1, 2]", "{\"end\": ", "{broken}"}) {
    const LoadReport report = parse(example_load(), text);
    CHECK_FALSE(report.complete);
    CHECK(report.errors == std::vector<std::string>{"there is no JSON object in its output"});
  }
}

TEST_CASE("whole numbers are exact, others are rounded") {
  LoadSection load = example_load();
  load.result = {{"completed", "/n"}};
  CHECK(parse(load, R"({"n": 9007199254740993})").completed == 9007199254740993);
  CHECK(parse(load, R"({"n": 1e6})").completed == 1'000'000);
  CHECK_FALSE(parse(load, R"({"n": 18446744073709551615})").completed);
}

TEST_CASE("a number that no count can hold is named, not dropped") {
  const LoadReport report = parse(example_load(), R"({"end": {"sent": 12, "received": 900719925474099888888888883, "seconds": 1}})");
  CHECK_FALSE(report.completed);
  CHECK_FALSE(report.complete);
  REQUIRE(report.errors.size() == 1);
  CHECK(report.errors.front().find("/end/received: the number is too large") == 0);
}

TEST_CASE("braces within texts and deep nesting do not disturb") {
  LoadSection load = example_load();
  load.result = {{"completed", "/n"}};
  CHECK(parse(load, R"({"text": "}{\"", "n": 5})").completed == 5);
  CHECK_FALSE(parse(load, std::string(100'000, '{') + std::string(100'000, '}')).completed);
}

TEST_CASE("the rate alone is a result too") {
  LoadSection load = example_load();
  load.result = {{"qps", "/rate"}};
  const LoadReport report = parse(load, R"({"rate": 123.5})");
  CHECK(report.complete);
  CHECK(report.qps == 123.5);
  CHECK_FALSE(report.completed);
}

}  // namespace
}  // namespace netsettle::runners
