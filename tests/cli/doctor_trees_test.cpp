// Every captured machine of datasets/captures/trees, read as `netsettle doctor --root` reads it.

#include <catch2/catch.hpp>
#include <fstream>

#include "runners/hosts/tree_archive.hpp"
#include "runners/hosts/tree_host.hpp"
#include "tuner/cli/machine_json.hpp"

using namespace netsettle;
using Json = nlohmann::json;

namespace {

const std::string kFolder = std::string(NETSETTLE_SOURCE_DIR) + "/datasets/captures/trees/";

std::vector<Json> cases() {
  std::ifstream file(kFolder + "expected.jsonl");
  std::vector<Json> list;
  for (std::string line; std::getline(file, line);) list.push_back(Json::parse(line));
  return list;
}

/// As the command prints it: by way of the text, so that numbers and texts compare.
Json shown(runners::Host& host) {
  const auto view = runners::read_machine(host);
  INFO((view ? std::string() : to_text(view.error())));
  REQUIRE(view);
  return Json::parse(tuner::machine_json(*view).dump());
}

/// The expected object without remarks, and of the found one only those fields that the expected one has.
Json common_fields(const Json& expected, const Json& found) {
  if (!expected.is_object() || !found.is_object()) return found;
  Json common = Json::object();
  for (const auto& [key, value] : expected.items())
    if (found.contains(key)) common[key] = common_fields(value, found.at(key));
  return common;
}

void drop_remarks(Json& expected) {
  for (const char* key : {"id", "origin", "description"}) expected.erase(key);
  for (auto& [name, interface] : expected["interfaces"].items()) interface.erase("note");
}

}  // namespace

TEST_CASE("every captured machine gives what a correct reader must find") {
  const auto all = cases();
  REQUIRE(all.size() == 30);
  for (Json expected : all) {
    const std::string id = expected["id"];
    INFO(id);
    drop_remarks(expected);
    const auto tree = runners::open_tree(kFolder + id + ".tar.gz");
    REQUIRE(tree);
    const Json found = shown(**tree);
    CHECK(common_fields(expected, found) == expected);
    CHECK(found["interfaces"].size() == expected["interfaces"].size());
    // Queue interrupts are compared whole: no key more, none less.
    for (const auto& [name, interface] : expected["interfaces"].items())
      CHECK(found["interfaces"][name]["queue_irqs"] == interface["queue_irqs"]);
  }
}

TEST_CASE("a machine captured again from its tree gives the same") {
  for (const Json& expected : cases()) {
    const std::string id = expected["id"];
    INFO(id);
    const auto tree = runners::open_tree(kFolder + id + ".tar.gz");
    REQUIRE(tree);
    const auto captured = runners::capture_machine(**tree);
    REQUIRE(captured);
    const auto bytes = runners::make_tree_archive(*captured);
    REQUIRE(bytes);
    const auto again = runners::make_tree_host(runners::parse_tree_archive(*bytes, id).value());
    CHECK(shown(*again) == shown(**tree));
  }
}

TEST_CASE("a captured machine without its counters still shows its interfaces") {
  for (const Json& expected : cases()) {
    const std::string id = expected["id"];
    INFO(id);
    auto files = runners::read_tree_archive(kFolder + id + ".tar.gz").value();
    std::erase_if(files, [](const auto& entry) { return entry.first == "/proc/interrupts" || entry.first == "/proc/net/softnet_stat"; });
    const auto host = runners::make_tree_host(std::move(files));
    const Json found = shown(*host);
    CHECK(found["softnet"].is_null());
    for (const auto& [name, interface] : expected["interfaces"].items())
      if (interface["evidence"] == "msi_irqs") CHECK(found["interfaces"][name]["queue_irqs"] == interface["queue_irqs"]);
  }
}
