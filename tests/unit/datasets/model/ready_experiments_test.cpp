// The experiment files that people meet first: those that come with netsettle and those in the documentation.

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "datasets/model/experiment_file.hpp"
#include "datasets/model/metric.hpp"

using namespace netsettle;
namespace fs = std::filesystem;

namespace {

const fs::path kSource = NETSETTLE_SOURCE_DIR;

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  REQUIRE(file);
  return {std::istreambuf_iterator<char>(file), {}};
}

Experiment parse_ready(const std::string& name) {
  const fs::path path = kSource / "datasets/experiments" / name;
  auto experiment = parse_experiment(read(path), path, {});
  if (!experiment) FAIL(to_text(experiment.error().front()));
  if (experiment->rig.kind != RigKind::external) CHECK(fs::exists(experiment->load.queries));  // there another program has the load
  return *experiment;
}

/// The blocks between ```toml and ``` that are whole experiment files.
std::vector<std::string> experiment_blocks(const std::string& page) {
  std::vector<std::string> blocks;
  std::istringstream lines(page);
  std::string block;
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (inside && line.starts_with("```")) {
      if (block.starts_with("schema = 1")) blocks.push_back(block);
      inside = false;
    } else if (inside) {
      block += line + "\n";
    } else if (line == "```toml") {
      inside = true;
      block.clear();
    }
  }
  return blocks;
}

std::vector<fs::path> pages() {
  std::vector<fs::path> found;
  if (fs::exists(kSource / "README.md")) found.push_back(kSource / "README.md");
  for (const auto& entry : fs::recursive_directory_iterator(kSource / "docs"))
    if (entry.path().extension() == ".md") found.push_back(entry.path());
  return found;
}

}  // namespace

TEST_CASE("The quick start tunes four parameters within 46 trials") {
  const Experiment experiment = parse_ready("quickstart.toml");
  CHECK(experiment.rig.kind == RigKind::namespaces);
  CHECK(experiment.budget.trials == 46);
  CHECK(experiment.trial.measure == std::chrono::seconds(2));
  CHECK(experiment.parameters.size() == 4);
}

TEST_CASE("The ISC study measures 1 to 8 processes ten times for 30 seconds") {
  const Experiment experiment = parse_ready("isc-echo-sweep.toml");
  CHECK(experiment.search.strategy == StrategyKind::sweep);
  CHECK(experiment.search.repeats == 10);
  CHECK(experiment.trial.measure == std::chrono::seconds(30));
  REQUIRE(experiment.parameters.size() == 1);
  CHECK(experiment.parameters[0].sets == std::vector<std::string>{"server.processes"});
}

TEST_CASE("Every experiment file that comes with netsettle parses") {
  for (const auto& entry : fs::directory_iterator(kSource / "datasets/experiments"))
    if (entry.path().extension() == ".toml") parse_ready(entry.path().filename());
}

TEST_CASE("The reference page lists every metric with its unit and meaning") {
  const std::string page = read(kSource / "docs/experiment-file.md");
  for (const Metric& metric : metrics()) {
    const std::string_view better = metric.better == Better::higher ? "↑" : metric.better == Better::lower ? "↓" : "–";
    CHECK_THAT(page, Catch::Contains(fmt::format("| `{}` | {} | {} | {} |", metric.name, metric.unit, better, metric.meaning)));
  }
}

TEST_CASE("Every experiment file in the documentation parses") {
  std::size_t blocks = 0;
  for (const fs::path& page : pages())
    for (const std::string& block : experiment_blocks(read(page))) {
      INFO(page << "\n" << block);
      const auto experiment = parse_experiment(block, page, {});
      if (!experiment) FAIL_CHECK(to_text(experiment.error().front()));
      ++blocks;
    }
  CHECK(blocks >= 2);
}
