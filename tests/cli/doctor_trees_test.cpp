// Every captured machine of datasets/captures/trees, read as `netsettle doctor --root` reads it.

#include <catch2/catch.hpp>
#include <fstream>
#include <map>
#include <regex>

#include <fmt/format.h>

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

namespace {

/// What must not change with a name: kind, node, numbers of the queue interrupts.
Json without_names(const Json& interface) {
  Json kept = {{"numbers", Json::array()}};
  for (const char* key : {"node", "node_source", "kind", "evidence", "placement_cpus", "placement_fallback"})
    if (interface.contains(key)) kept[key] = interface.at(key);
  for (const auto& irq : interface.at("queue_irqs")) kept["numbers"].push_back(irq.at("irq"));
  return kept;
}

std::string replaced_words(const std::string& text, const std::map<std::string, std::string>& names) {
  std::string result;
  const auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.'; };
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_part(text[end])) ++end;
    const std::string word = text.substr(at, end - at);
    const auto name = names.find(word);
    result += name == names.end() ? word : name->second;
    if (end < text.size()) result += text[end++];
    at = end;
  }
  return result;
}

/// The tree with other names of its interfaces, in paths, links and /proc/interrupts.
runners::FileTree renamed(const runners::FileTree& tree, const std::map<std::string, std::string>& names) {
  const auto in_path = [&](std::string path) {
    std::string result;
    for (std::size_t at = 0; at < path.size();) {
      const std::size_t end = std::min(path.find('/', at), path.size());
      std::string part = path.substr(at, end - at);
      const std::string prefix = part.starts_with("lower_") || part.starts_with("upper_") ? part.substr(0, 6) : "";
      const auto name = names.find(part.substr(prefix.size()));
      result += name == names.end() ? part : prefix + name->second;
      if (end < path.size()) result += '/';
      at = end + 1;
    }
    return result;
  };
  runners::FileTree result;
  for (const auto& [path, node] : tree) {
    runners::TreeNode copy = node;
    if (auto* link = std::get_if<runners::TreeLink>(&copy)) link->target = in_path(link->target);
    if (auto* file = std::get_if<runners::TreeFile>(&copy); file != nullptr && path == "/proc/interrupts")
      file->content = replaced_words(file->content, names);
    result.emplace(path.starts_with("/sys/") || path.starts_with("/proc/irq/") ? in_path(path) : path, std::move(copy));
  }
  return result;
}

}  // namespace

TEST_CASE("a captured machine whose interfaces have other names has the same interrupts and nodes") {
  for (const Json& expected : cases()) {
    const std::string id = expected["id"];
    const auto tree = runners::read_tree_archive(kFolder + id + ".tar.gz").value();
    const auto original = shown(*runners::make_tree_host(tree));
    // Names that are beginnings of each other, with every character that a name may have.
    for (const char* form : {"wan{}", "enp{}s0f1np1", "p_{}.x"}) {
      INFO(id << " " << form);
      std::map<std::string, std::string> names;
      for (const auto& [name, interface] : original["interfaces"].items())
        if (name != "lo" && interface["kind"] != "virtual") names[name] = fmt::format(fmt::runtime(form), names.size() + 1);
      const auto found = shown(*runners::make_tree_host(renamed(tree, names)));
      for (const auto& [name, other] : names) {
        INFO(name << " as " << other);
        REQUIRE(found["interfaces"].contains(other));
        CHECK(without_names(found["interfaces"][other]) == without_names(original["interfaces"][name]));
      }
    }
  }
}

TEST_CASE("a captured machine without its lists of message interrupts has the same ones by their names") {
  int interfaces = 0;
  for (const Json& expected : cases()) {
    const std::string id = expected["id"];
    INFO(id);
    auto tree = runners::read_tree_archive(kFolder + id + ".tar.gz").value();
    const auto original = shown(*runners::make_tree_host(tree));
    std::erase_if(tree, [](const auto& entry) { return entry.first.find("/msi_irqs") != std::string::npos; });
    const auto found = shown(*runners::make_tree_host(std::move(tree)));
    for (const auto& [name, interface] : original["interfaces"].items()) {
      if (interface["evidence"] != "msi_irqs" && interface["evidence"] != "msi_irqs_of_parent") continue;
      INFO(name);
      ++interfaces;
      CHECK(found["interfaces"][name]["queue_irqs"] == interface["queue_irqs"]);
    }
  }
  CHECK(interfaces > 20);
}

TEST_CASE("a captured machine whose cards have other PCI addresses has the same interrupts and nodes") {
  const std::regex address("[0-9a-f]{4}:[0-9a-f]{2}:([0-9a-f]{2}\\.[0-7])");
  for (const Json& expected : cases()) {
    const std::string id = expected["id"];
    INFO(id);
    const auto tree = runners::read_tree_archive(kFolder + id + ".tar.gz").value();
    const auto original = shown(*runners::make_tree_host(tree));
    std::map<std::string, std::string> buses;  // each old bus → a new one, with digits and letters
    const auto moved = [&](const std::string& text) {
      std::string result;
      auto rest = text.begin();
      for (std::sregex_iterator match(text.begin(), text.end(), address), end; match != end; ++match) {
        const std::string old = match->str().substr(0, 7);
        const auto bus = buses.emplace(old, fmt::format("1a2b:{:02x}", 0xc0 + buses.size())).first->second;
        result.append(rest, text.begin() + match->position());
        result += bus + ":" + match->str(1);
        rest = text.begin() + match->position() + match->length();
      }
      return result.append(rest, text.end());
    };
    runners::FileTree other;
    for (const auto& [path, node] : tree) {
      runners::TreeNode copy = node;
      if (auto* link = std::get_if<runners::TreeLink>(&copy)) link->target = moved(link->target);
      if (auto* file = std::get_if<runners::TreeFile>(&copy)) file->content = moved(file->content);
      other.emplace(moved(path), std::move(copy));
    }
    const auto found = shown(*runners::make_tree_host(std::move(other)));
    for (const auto& [name, interface] : original["interfaces"].items()) {
      INFO(name);
      CHECK(without_names(found["interfaces"][name]) == without_names(interface));
    }
  }
}
