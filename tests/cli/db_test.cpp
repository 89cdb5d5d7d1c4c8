// `netsettle db …` by the real program, on a record that the first released schema wrote, and on one full of this machine's names.

#include <ifaddrs.h>
#include <netdb.h>
#include <netpacket/packet.h>
#include <unistd.h>
#include <catch2/catch.hpp>

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "datasets/store/connection.hpp"
#include "datasets/store/store.hpp"
#include "runners/hosts/local_host.hpp"
#include "runners/hosts/personal_words.hpp"
#include "runners/hosts/tree_archive.hpp"
#include "tests/support/workspace.hpp"

using namespace netsettle;
using namespace netsettle::tests;
using nlohmann::json;

namespace {

const std::string kAlice = std::string("/home") + "/alice";

std::string read_file(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

void make_old_record(const std::filesystem::path& path) {
  const auto connection = datasets::Connection::open(path, datasets::Access::create);
  REQUIRE(connection);
  const auto loaded = connection->execute(read_file(NETSETTLE_SOURCE_DIR "/tests/unit/datasets/store/records/schema_1.sql"));
  if (!loaded) FAIL(to_text(loaded.error()));
}

/// What can be found out about this machine without netsettle's own list of it.
std::set<std::string> details_of_this_machine() {
  std::set<std::string> details;
  char name[256] = {};
  REQUIRE(::gethostname(name, sizeof name - 1) == 0);
  details.insert(name);
  ifaddrs* first = nullptr;
  REQUIRE(::getifaddrs(&first) == 0);
  for (const ifaddrs* one = first; one != nullptr; one = one->ifa_next) {
    if (one->ifa_addr == nullptr || std::string_view(one->ifa_name) == "lo") continue;
    if (one->ifa_addr->sa_family == AF_PACKET) {
      const auto* link = reinterpret_cast<const sockaddr_ll*>(one->ifa_addr);
      std::string text;
      for (int i = 0; i < 6; ++i) text += fmt::format("{}{:02x}", i == 0 ? "" : ":", link->sll_addr[i]);
      if (text != "00:00:00:00:00:00") details.insert(text);
      continue;
    }
    if (one->ifa_addr->sa_family != AF_INET && one->ifa_addr->sa_family != AF_INET6) continue;
    const auto size = one->ifa_addr->sa_family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
    if (::getnameinfo(one->ifa_addr, static_cast<socklen_t>(size), name, sizeof name, nullptr, 0, NI_NUMERICHOST) == 0)
      details.insert(std::string(name).substr(0, std::string(name).find('%')));
  }
  ::freeifaddrs(first);
  return details;
}

/// A record that says each detail in every place where a text can be.
void make_telling_record(const std::filesystem::path& path, const std::set<std::string>& details) {
  std::string all;
  for (const std::string& detail : details) all += detail + " ";
  datasets::StudyRecord study;
  study.name = "telling";
  study.spec_file = kAlice + "/telling.toml";
  study.spec_text =
      "schema = 1\n[study]\nname = \"telling\"\n# " + all + "\n[parameters.processes]\nsets = \"server.processes\"\nrange = [1, 2]\n";
  study.host_facts_json = json{{"note", all}}.dump();
  auto store = datasets::Store::create(path, study);
  REQUIRE(store);
  REQUIRE(
      store->begin_session({.boot_id = "4f02372e-1201-424e-b8fb-f1a73e299fcd", .argv = {"netsettle", "run", kAlice + "/telling.toml"}}));
  REQUIRE(store->add_configuration({{{"place", all}}}, "baseline"));
  TrialEvidence evidence;
  evidence.applied = {{.setting = "server.place", .target = all, .before = all, .files = {{all, all, all, all}}}};
  evidence.artifacts = {{"load.stdout", all}, {"link.server.before", json{{"address", all}}.dump()}};
  datasets::TrialResult result;
  result.verdict.reasons = {{"clock-step", all}};
  result.evidence = &evidence;
  REQUIRE(store->record_trial(store->plan_trials({{.configuration_id = 1, .block = 1}})->front(), result));
  REQUIRE(store->add_decision({.kind = DecisionKind::stop, .inputs_json = json(all).dump()}));
  REQUIRE(store->add_bundle(1, "shell", all));
  REQUIRE(store->end_session(all));
}

const std::string& content(const runners::FileTree& tree, const std::string& path) {
  const auto found = tree.find(path);
  REQUIRE(found != tree.end());
  return std::get<runners::TreeFile>(found->second).content;
}

}  // namespace

TEST_CASE("a record of the first released schema is shown, checked and reported by the program") {
  Workspace here;
  make_old_record(here.path("old.netsettle.db"));
  const auto best = here.netsettle({"show", "best", "--db", "old.netsettle.db"});
  CHECK(best.status.code == 0);
  CHECK_THAT(best.standard_output, Catch::Contains("processes=2 beats the settings you had by 42 %"));
  CHECK(here.netsettle({"report", "--db", "old.netsettle.db"}).status.code == 0);
  const auto checked = here.netsettle({"db", "check", "old.netsettle.db", "--json"});
  CHECK(checked.status.code == 0);
  const auto document = json::parse(checked.standard_output);
  CHECK(document.at("whole") == true);
  CHECK(document.at("schema") == 1);
  CHECK(document.at("rows").at("trials") == 24);
}

TEST_CASE("a damaged record has exit code 1 and says what is damaged") {
  Workspace here;
  make_old_record(here.path("old.netsettle.db"));
  REQUIRE(datasets::Connection::open(here.path("old.netsettle.db"), datasets::Access::write)
              ->execute("UPDATE artifact SET content = X'00' WHERE trial_id = 24 AND kind = 'load.stdout'"));
  const auto checked = here.netsettle({"db", "check", "old.netsettle.db"});
  CHECK(checked.status.code == 1);
  CHECK_THAT(checked.standard_output, Catch::Contains("FOUND: trial 24, load.stdout"));
}

TEST_CASE("a copy, a pruned copy and a merged record are records") {
  Workspace here;
  make_old_record(here.path("old.netsettle.db"));
  CHECK(here.netsettle({"db", "backup", "old.netsettle.db", "copy.netsettle.db"}).status.code == 0);
  CHECK(here.netsettle({"db", "backup", "old.netsettle.db", "copy.netsettle.db"}).status.code == 3);
  const auto counted = here.netsettle({"db", "prune", "copy.netsettle.db"});
  CHECK(counted.status.code == 0);
  CHECK_THAT(counted.standard_output, Catch::Contains("4 raw texts of 2 trials") && Catch::Contains("Nothing was changed"));
  const auto pruned = here.netsettle({"db", "prune", "copy.netsettle.db", "--artifacts", "--keep", "1", "--json"});
  CHECK(pruned.status.code == 0);
  CHECK(json::parse(pruned.standard_output).at("texts") == 2);
  const auto merged = here.netsettle({"db", "merge", "old.netsettle.db", "copy.netsettle.db", "-o", "both.netsettle.db", "--json"});
  INFO(merged.standard_error);
  REQUIRE(merged.status.code == 0);
  const auto document = json::parse(merged.standard_output);
  CHECK(document.at("first").at("trials") == 24);
  CHECK(document.at("in_both") == 24);
  CHECK(here.netsettle({"db", "check", "both.netsettle.db"}).status.code == 0);
  CHECK(here.netsettle({"show", "configurations", "--db", "both.netsettle.db"}).status.code == 0);
}

TEST_CASE("records of different studies are not merged, and each difference is named") {
  Workspace here;
  make_old_record(here.path("a.db"));
  make_old_record(here.path("b.db"));
  REQUIRE(datasets::Connection::open(here.path("b.db"), datasets::Access::write)
              ->execute("UPDATE study SET workload_hash = 'x', spec_hash = 'y'; UPDATE host SET fingerprint = 'z', facts_json = "
                        "replace(facts_json, '\"cpu_model\":\"', '\"cpu_model\":\"Other ')"));
  const auto merged = here.netsettle({"db", "merge", "a.db", "b.db", "-o", "both.db"});
  CHECK(merged.status.code == 6);
  CHECK_THAT(merged.standard_error,
             Catch::Contains("the experiment") && Catch::Contains("the workload") && Catch::Contains("cpu_model was"));
  CHECK_FALSE(std::filesystem::exists(here.path("both.db")));
}

TEST_CASE("mistakes of db commands are explained") {
  Workspace here;
  CHECK(here.netsettle({"db"}).status.code == 2);
  CHECK(here.netsettle({"db", "frobnicate"}).status.code == 2);
  CHECK(here.netsettle({"db", "check"}).status.code == 2);
  CHECK(here.netsettle({"db", "backup", "one"}).status.code == 2);
  CHECK(here.netsettle({"db", "merge", "a", "b"}).status.code == 2);
  CHECK(here.netsettle({"db", "prune", "x", "--keep", "some"}).status.code == 2);
  CHECK(here.netsettle({"db", "check", "nothing.db"}).status.code == 3);
  for (const char* command : {"check", "backup", "merge", "prune", "publish"}) {
    const auto help = here.netsettle({"db", command, "--help"});
    CHECK(help.status.code == 0);
    CHECK_THAT(help.standard_output, Catch::Contains("Example:"));
  }
}

TEST_CASE("a published archive holds no name, address, serial number or user of this machine") {
  Workspace here;
  std::set<std::string> details = details_of_this_machine();
  const auto host = runners::make_local_host();
  const PersonalWords words = runners::personal_words(*host);
  for (const auto* more : {&words.hosts, &words.users, &words.serials}) details.insert(more->begin(), more->end());
  details.insert({"192.168.77.5", "52:54:00:ab:cd:ef", "fe80::5054:ff:feab:cdef", "labhost-9", kAlice});
  make_telling_record(here.path("telling.netsettle.db"), details);
  const auto published = here.netsettle({"db", "publish", "telling.netsettle.db", "-o", "out.tar.zst", "--hide", "labhost-9"});
  INFO(published.standard_error);
  REQUIRE(published.status.code == 0);
  const auto tree = runners::read_tree_archive(here.path("out.tar.zst"));
  REQUIRE(tree);
  here.write("record.db", content(*tree, "/record.netsettle.db"));
  const auto store = datasets::Store::open_reader(here.path("record.db"));
  REQUIRE(store);
  std::string everything = content(*tree, "/record.netsettle.db") + content(*tree, "/experiment.toml");
  const auto texts = store->artifacts(1).value();
  for (const auto& text : texts) everything += text.content;
  for (const std::string& detail : details) {
    // A very short host name is a part of many words: it must not stand alone.
    const bool stands_alone = detail.size() < 4;
    INFO(detail);
    CHECK(everything.find(stands_alone ? " " + detail + " " : detail) == std::string::npos);
  }
  CHECK(here.netsettle({"db", "check", "record.db"}).status.code == 0);
  CHECK(here.netsettle({"db", "publish", "telling.netsettle.db", "-o", "out.tar.zst"}).status.code == 3);
}
