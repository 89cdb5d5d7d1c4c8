// `netsettle parse` on files that people have.

#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>

#include "tests/support/captures.hpp"
#include "tests/support/workspace.hpp"

using namespace netsettle;
using namespace netsettle::tests;

namespace {

/// A captured case as files; the arguments that name them.
std::vector<std::string> written(const Workspace& here, const std::string& kind, const std::string& id) {
  const auto captures = load_captures(kind);
  for (const auto& capture : captures) {
    if (capture.at("id") != id) continue;
    here.write("stdout", captured_bytes(capture.at("stdout")));
    here.write("stderr", captured_bytes(capture.at("stderr")));
    here.write("meta.json", capture.at("meta").dump());
    if (capture.contains("plot")) here.write("plot", captured_bytes(capture.at("plot")));
    here.write("expected.json", capture.at("expected").dump());
    return {"parse", kind, here.path("stdout"), "--stderr", here.path("stderr"), "--meta", here.path("meta.json")};
  }
  throw std::runtime_error("there is no capture " + id);
}

}  // namespace

TEST_CASE("the values of an output are printed as JSON, one case of each load generator") {
  for (const auto& [kind, id] : std::vector<std::pair<std::string, std::string>>{
           {"dnsperf", "verbose-interval-tcp-2.14.0"}, {"resperf", "loss-L1-2.14.0"}, {"kxdpgun", "json-periodic-3.5.6"}}) {
    INFO(kind);
    Workspace here;
    auto arguments = written(here, kind, id);
    arguments.emplace_back("--json");
    const auto finished = here.netsettle(arguments);
    CHECK(finished.status.ok());
    CHECK(finished.standard_error.empty());
    CHECK(nlohmann::json::parse(finished.standard_output) == nlohmann::json::parse(here.read("expected.json")));
  }
}

TEST_CASE("without facts of the run they are null, and the verdict is that of the output alone") {
  Workspace here;
  written(here, "dnsperf", "clean-2.14.0");
  const auto finished = here.netsettle({"parse", "dnsperf", here.path("stdout"), "--json"});
  CHECK(finished.status.ok());
  const auto json = nlohmann::json::parse(finished.standard_output);
  CHECK(json.at("id").is_null());
  CHECK(json.at("exit") == nlohmann::json({{"code", nullptr}, {"signal", nullptr}}));
  CHECK(json.at("verdict").at("status") == "usable");
}

TEST_CASE("for a person the verdict and its reasons are sentences") {
  Workspace here;
  const auto finished = here.netsettle(written(here, "dnsperf", "loss-0.1pct-default-window-2.10.0"));
  CHECK(finished.status.ok());
  CHECK(finished.standard_output.find("dnsperf 2.10.0: unusable\n") == 0);
  CHECK(finished.standard_output.find("lost queries held the window") != std::string::npos);
  CHECK(finished.standard_output.find("131 lost (0.10 %)") != std::string::npos);
  const auto failed = here.netsettle(written(here, "resperf", "missing-file-2.10.0"));
  CHECK(failed.status.ok());
  CHECK(failed.standard_output.find("unable to open file: no-such-file.txt") != std::string::npos);
}

TEST_CASE("the plot of resperf is found beside the output, by its name or as plot, or as named") {
  Workspace here;
  written(here, "resperf", "loss-L1-2.14.0");
  const auto rows = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"parse", "resperf", here.path("stdout"), "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const auto json = nlohmann::json::parse(here.netsettle(arguments).standard_output);
    return json.at("plot").is_null() ? -1 : json.at("plot").at("rows").get<int>();
  };
  CHECK(rows({}) == 5);
  here.write("plot.txt", "0.5 1 1 1 0 0.1\n");
  CHECK(rows({}) == 5);
  CHECK(rows({"--meta", here.path("meta.json")}) == 1);  // its -P is plot.txt
  CHECK(rows({"--plot", here.path("plot.txt")}) == 1);
  std::filesystem::remove(here.path("plot"));
  CHECK(rows({}) == -1);
}

TEST_CASE("files that cannot be read are named with what is wrong, exit 2") {
  Workspace here;
  written(here, "dnsperf", "clean-2.14.0");
  here.write("packed.gz", "\x1f\x8b\x08");
  here.write("bad.json", "[1]");
  const std::string output = here.path("stdout");
  const std::vector<std::pair<std::vector<std::string>, std::string>> mistakes = {
      {{"parse"}, "a kind is needed"},
      {{"parse", "flood", output}, "no kind of output"},
      {{"parse", "dnsperf"}, "the file with the output is needed"},
      {{"parse", "dnsperf", here.path("missing")}, "No such file"},
      {{"parse", "dnsperf", here.path("")}, "is a folder"},
      {{"parse", "kxdpgun", here.path("packed.gz")}, "zcat"},
      {{"parse", "dnsperf", output, "--meta", here.path("bad.json")}, "is no JSON object"},
      {{"parse", "dnsperf", output, "--stderr", here.path("missing")}, "No such file"},
      {{"parse", "dnsperf", output, "--plot", output}, "--plot: says nothing to dnsperf"},
      {{"parse", "dnsperf", output, "--before", here.path("")}, "--before: says nothing to dnsperf"},
      {{"parse", "softnet", output}, "is no folder"},
      {{"parse", "softnet", here.path(""), "--meta", output}, "--meta: says nothing to softnet"},
      {{"parse", "dnsperf", output, "--wrong"}, "wrong"}};
  for (const auto& [arguments, part] : mistakes) {
    INFO(part);
    const auto finished = here.netsettle(arguments);
    CHECK(finished.status.code == 2);
    CHECK(finished.standard_error.find(part) != std::string::npos);
    CHECK(finished.standard_output.empty());
  }
}

TEST_CASE("names that are no UTF-8 do not break the JSON") {
  Workspace here;
  here.write("stdout", "Error: unable to open file: caf\xe9.txt\n");
  const auto finished = here.netsettle({"parse", "dnsperf", here.path("stdout"), "--json"});
  CHECK(finished.status.ok());
  CHECK(nlohmann::json::parse(finished.standard_output).at("messages").at("errors").size() == 1);
}
