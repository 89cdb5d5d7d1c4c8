// `netsettle doctor`: this machine, a captured one, and the way from one to the other.

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "runners/hosts/tree_archive.hpp"
#include "tests/cli/study_text.hpp"
#include "tests/support/workspace.hpp"

using namespace netsettle;
using namespace netsettle::tests;
using Json = nlohmann::json;

namespace {

const std::string kTree = std::string(NETSETTLE_SOURCE_DIR) + "/datasets/captures/trees/bond-vlan-bridge.tar.gz";

Json json_of(const runners::Finished& finished) {
  INFO(finished.standard_error);
  REQUIRE(finished.status.code == 0);
  return Json::parse(finished.standard_output);
}

}  // namespace

TEST_CASE("doctor says what this machine allows and changes nothing") {
  Workspace here;
  const auto before = network_state();
  const auto shown = here.netsettle({"doctor"});
  INFO(shown.standard_error);
  REQUIRE(shown.status.code == 0);
  for (const char* part :
       {"rights", "dnsperf", "undo journal", "Settings that can be changed (interface ", "sysctl.net.core.rmem_max", "cannot matter"}) {
    INFO(part);
    CHECK(shown.standard_output.find(part) != std::string::npos);
  }
  CHECK(network_state() == before);
}

TEST_CASE("doctor as JSON has findings, settings and the machine as a tree has it") {
  Workspace here;
  const Json json = json_of(here.netsettle({"doctor", "--json", "--interface", "lo"}));
  CHECK(json["findings"].size() > 3);
  CHECK(json["host"].contains("kernel_release"));
  CHECK(json["interfaces"].size() == 1);
  CHECK(json["interfaces"]["lo"]["driver"] == "loopback");
  CHECK(json["interfaces"]["lo"]["evidence"] == "none");
  CHECK(json["cpus"]["allowed"].size() >= 1);
  bool found = false;
  for (const auto& setting : json["settings"])
    if (setting["name"] == "sysctl.net.core.netdev_max_backlog") {
      found = true;
      CHECK(setting["can_change"].is_boolean());
      CHECK(setting["can_change"] == setting["why_not"].is_null());
    }
  CHECK(found);
}

TEST_CASE("doctor of a captured machine, as text and as JSON, whole and one interface") {
  Workspace here;
  const auto text = here.netsettle({"doctor", "--root", kTree});
  REQUIRE(text.status.code == 0);
  CHECK(text.standard_output.find("eth1: ixgbe, 0000:85:00.0, node 1") != std::string::npos);
  CHECK(text.standard_output.find("dummy0") == std::string::npos);
  const Json all = json_of(here.netsettle({"doctor", "--root", kTree, "--json"}));
  CHECK(all["interfaces"].size() == 9);
  CHECK(!all.contains("host"));
  const Json one = json_of(here.netsettle({"doctor", "--root", kTree, "--json", "--interface", "bond0"}));
  REQUIRE(one["interfaces"].size() == 1);
  CHECK(one["interfaces"]["bond0"] == all["interfaces"]["bond0"]);
}

TEST_CASE("a captured machine that is unpacked gives the same as its archive") {
  Workspace here;
  std::filesystem::create_directory(here.path("tree"));
  REQUIRE(here.program({"tar", "-xzf", kTree, "-C", here.path("tree").string()}).status.code == 0);
  CHECK(json_of(here.netsettle({"doctor", "--json", "--root", here.path("tree").string()})) ==
        json_of(here.netsettle({"doctor", "--json", "--root", kTree})));
}

TEST_CASE("what doctor captures of this machine shows this machine") {
  Workspace here;
  const std::string file = here.path("machine.tar.zst").string();
  const auto captured = here.netsettle({"doctor", "--capture", file});
  INFO(captured.standard_error);
  REQUIRE(captured.status.code == 0);
  const Json tree = json_of(here.netsettle({"doctor", "--json", "--root", file}));
  const Json live = json_of(here.netsettle({"doctor", "--json"}));
  // Counters move on, and an interrupt's effective CPU too.
  for (const char* part : {"kernel", "cpus", "self_affinity", "nodes", "net_core"}) {
    INFO(part);
    CHECK(tree[part] == live[part]);
  }
  // Interfaces of other tests come and go; those with a device stay.
  int with_device = 0;
  for (const auto& [name, interface] : tree["interfaces"].items()) {
    INFO(name);
    if (interface["kind"] == "virtual" && name != "lo") continue;
    ++with_device;
    CHECK(live["interfaces"][name] == interface);
  }
  CHECK(with_device >= 1);
  CHECK(tree["interrupt_counts"].size() == live["interrupt_counts"].size());
  CHECK(tree["softnet"]["cpus"].size() == live["softnet"]["cpus"].size());
}

TEST_CASE("a capture of this machine has no hardware address and no name of the machine") {
  Workspace here;
  const std::string file = here.path("machine.tar.zst").string();
  REQUIRE(here.netsettle({"doctor", "--capture", file}).status.code == 0);
  const std::string name = here.host().read_file("/proc/sys/kernel/hostname").value();
  std::vector<std::string> secrets = {name.substr(0, name.find('\n'))};
  const auto interfaces = here.host().list_directory("/sys/class/net").value();
  for (const auto& interface : interfaces)
    if (const auto address = here.host().read_file("/sys/class/net/" + interface + "/address"))
      if (!address->starts_with("00:00:00:00:00:00")) secrets.push_back(address->substr(0, address->find('\n')));
  const auto tree = runners::read_tree_archive(file);
  REQUIRE(tree);
  REQUIRE(tree->size() > 20);
  for (const auto& [path, node] : *tree) {
    INFO(path);
    const auto* content = std::get_if<runners::TreeFile>(&node);
    for (const std::string& secret : secrets)
      if (secret.size() > 3) CHECK((content ? content->content : path).find(secret) == std::string::npos);
  }
}

TEST_CASE("names in a tree that somebody else made do not reach the terminal as they are") {
  Workspace here;
  const std::string net = "/sys/devices/pci0000:00/0000:01:00.0/net/eth0";
  const runners::FileTree tree = {{"/proc/interrupts", runners::TreeFile{"  CPU0\n 30: 1  PCI-MSI 1-edge      eth0-\x1b[2J\xff-TxRx-0\n"}},
                                  {"/sys/class/net/eth0", runners::TreeLink{"../../devices/pci0000:00/0000:01:00.0/net/eth0"}},
                                  {"/sys/devices/pci0000:00/0000:01:00.0/msi_irqs/30", runners::TreeFile{"msix\n"}},
                                  {"/sys/devices/system/cpu/online", runners::TreeFile{"0\n"}},
                                  {net + "/device", runners::TreeLink{"../.."}},
                                  {net + "/mtu", runners::TreeFile{"1500\n"}}};
  here.write("odd.tar.zst", runners::make_tree_archive(tree).value());
  const std::string file = here.path("odd.tar.zst").string();
  const auto text = here.netsettle({"doctor", "--root", file});
  CHECK(text.status.code == 0);
  CHECK(text.standard_output.find("TxRx-0") != std::string::npos);
  CHECK(text.standard_output.find('\x1b') == std::string::npos);
  const Json json = json_of(here.netsettle({"doctor", "--root", file, "--json"}));
  CHECK(json["interfaces"]["eth0"]["queue_irqs"].size() == 1);
}

TEST_CASE("doctor of an experiment says of each setting whether it is there, and that it can run") {
  Workspace here;
  here.write("fits.toml", short_study("fits", 24));
  const auto shown = here.netsettle({"doctor", "fits.toml"});
  INFO(shown.standard_output << shown.standard_error);
  CHECK(shown.status.code == 0);
  CHECK(shown.standard_output.find("sysctl.net.core.netdev_max_backlog: is ") != std::string::npos);
  CHECK(shown.standard_output.find("This machine can run it") != std::string::npos);
  const Json json = json_of(here.netsettle({"doctor", "fits.toml", "--json"}));
  CHECK(json["can_run"] == true);
  CHECK(json["problems"].empty());
  CHECK(json["settings"].size() >= 2);
}

TEST_CASE("doctor of an experiment names what is missing, with exit 3") {
  Workspace here;
  here.write("misses.toml",
             short_study("misses", 24) +
                 "\n[parameters.odd]\nsets = \"sysctl.net.core.no_such_setting\"\ntype = \"integer\"\nvalues = [1]\n"
                 "\n[parameters.too_much]\nsets = \"sysctl.net.core.netdev_budget\"\ntype = \"integer\"\nvalues = [9999999999]\n");
  const auto shown = here.netsettle({"doctor", "misses.toml"});
  INFO(shown.standard_output << shown.standard_error);
  CHECK(shown.status.code == 3);
  CHECK(shown.standard_output.find("problem  odd") != std::string::npos);
  CHECK(shown.standard_output.find("no such setting in this kernel") != std::string::npos);
  CHECK(shown.standard_output.find("This machine cannot run it as it is") != std::string::npos);
  here.write("above.toml",
             short_study("above", 24) +
                 "\n[parameters.too_much]\nsets = \"sysctl.net.core.netdev_budget\"\ntype = \"integer\"\nvalues = [9999999999]\n");
  const auto above = here.netsettle({"doctor", "above.toml", "--json"});
  CHECK(above.status.code == 3);
  const Json json = Json::parse(above.standard_output);
  REQUIRE(json["problems"].size() == 1);
  CHECK(json["problems"][0]["what"] == "sysctl.net.core.netdev_budget");
  CHECK(json["problems"][0]["text"].get<std::string>().find("takes at most 2147483647 here") != std::string::npos);
  const auto checked = here.netsettle({"check", "above.toml"});
  CHECK(checked.status.code != 0);
  CHECK(checked.standard_error.find("takes at most 2147483647 here") != std::string::npos);
}

TEST_CASE("init for an interface prints an experiment of two machines that lacks the client alone") {
  Workspace here;
  const auto made = here.netsettle({"init", "--interface", "lo", "--name", "card"});
  INFO(made.standard_output << made.standard_error);
  REQUIRE(made.status.code == 0);
  CHECK(made.standard_output.find("interface = \"lo\"") != std::string::npos);
  CHECK(made.standard_output.find("test_address = \"127.0.0.1\"") != std::string::npos);
  here.write("card.toml", made.standard_output);
  const auto checked = here.netsettle({"doctor", "card.toml"});
  INFO(checked.standard_output << checked.standard_error);
  CHECK(checked.status.code == 3);
  CHECK(checked.standard_output.find("CLIENT") != std::string::npos);
  CHECK(checked.standard_output.find("interrupts.count") == std::string::npos);
  CHECK(here.netsettle({"init", "--interface", "eth77"}).status.code == 2);
  CHECK(here.netsettle({"init", "--interface", "lo", "--from", "/etc/hosts"}).status.code == 2);
}

TEST_CASE("mistakes of doctor's arguments are named") {
  Workspace here;
  struct Row {
    std::vector<std::string> arguments;
    int code;
    std::string text;
  };
  here.write("notes.txt", "this is no archive\n");
  std::filesystem::create_directory(here.path("folder"));
  for (const Row& row :
       {Row{{"doctor", "--interface", "eth77"}, 2, "eth77"}, Row{{"doctor", "--root", kTree, "--interface", "eth77"}, 2, "bond0"},
        Row{{"doctor", "--root", here.path("missing").string()}, 3, "missing"},
        Row{{"doctor", "--root", here.path("notes.txt").string()}, 2, "archive"},
        Row{{"doctor", "--root", here.path("folder").string()}, 2, "neither proc/ nor sys/"},
        Row{{"doctor", "--root", kTree, "--capture", here.path("x").string()}, 2, "do not go together"},
        Row{{"doctor", here.path("notes.txt").string(), "--interface", "lo"}, 2, "names its machine and interface itself"},
        Row{{"doctor", here.path("notes.txt").string()}, 2, "notes.txt:1"}}) {
    const auto finished = here.netsettle(row.arguments);
    INFO(finished.standard_error);
    CHECK(finished.status.code == row.code);
    CHECK(finished.standard_error.find(row.text) != std::string::npos);
    CHECK(finished.standard_output.empty());
  }
}
