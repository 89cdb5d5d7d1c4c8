#include "datasets/model/pseudonyms.hpp"

#include <catch2/catch.hpp>

using namespace netsettle;

namespace {

std::string once(const std::string& text, PersonalWords words = {}) { return Pseudonyms(std::move(words)).apply(text); }

}  // namespace

TEST_CASE("IPv4 addresses keep their last octet and what was one network") {
  CHECK(once("192.168.7.9 192.168.7.10:53, (10.1.2.3/24) 192.168.7.9.") == "198.18.0.9 198.18.0.10:53, (198.18.1.3/24) 198.18.0.9.");
  CHECK(once("10.0.0.1.53 > 10.0.0.2.5353:") == "198.18.0.1.53 > 198.18.0.2.5353:");
  CHECK(once("::ffff:10.0.0.1 eth0:10.0.0.1") == "::ffff:198.18.0.1 eth0:198.18.0.1");
}

TEST_CASE("Addresses that every machine has stay as they are") {
  const std::string text = "127.0.0.1 0.0.0.0 255.255.255.0 224.0.0.1 ::1 :: ff02::1 00:00:00:00:00:00 ff:ff:ff:ff:ff:ff";
  CHECK(once(text) == text);
}

TEST_CASE("Numbers that are no addresses stay as they are") {
  const std::string text =
      "6.1.0-31 1.2.3 1796027685.200000: 12:34:56 1.3.6.1.4.1.9 300.1.1.1 01.2.3.4 0000:00:04.0 std::vector a:b c0ffee: 5e-3 v1.2.3.4x";
  CHECK(once(text) == text);
}

TEST_CASE("IPv6 addresses get a network and an interface of the documentation's prefix") {
  CHECK(once("fe80::5054:ff:fe12:3456%eth0 [2a00:1450:4001:81b::1]:53 inet6:fe80::5054:ff:fe12:3456") ==
        "2001:db8:0:1::1%eth0 [2001:db8:0:2::2]:53 inet6:2001:db8:0:1::1");
}

TEST_CASE("Hardware addresses are numbered, in either writing, whatever case") {
  CHECK(once("52:54:00:12:34:56 52:54:00:AB:cd:ef 52:54:00:12:34:56") == "02:00:00:00:00:01 02:00:00:00:00:02 02:00:00:00:00:01");
  CHECK(once("52-54-00-12-34-56") == "02:00:00:00:00:01");
}

TEST_CASE("UUIDs are numbered and stay UUIDs") {
  CHECK(once("boot 4f02372e-1201-424e-b8fb-f1a73e299fcd, 4F02372E-1201-424E-B8FB-F1A73E299FCD") ==
        "boot 00000000-0000-4000-8000-000000000001, 00000000-0000-4000-8000-000000000001");
}

TEST_CASE("What is below a home folder has one name, with its ending") {
  const std::string homes = "/home", root = "/root";
  const std::string file = homes + "/alice/lab/quick.toml";
  CHECK(once("\"" + file + "\" " + homes + "/alice " + homes + "/bob/x " + file) ==
        "\"" + homes + "/user-1/path-1.toml\" " + homes + "/user-1 " + homes + "/user-2/path-2 " + homes + "/user-1/path-1.toml");
  CHECK(once(root + "/zone.db /rooted/x /srv/root/x", {.homes = {root}}) == homes + "/user-1/path-1.db /rooted/x /srv/root/x");
  CHECK(once(homes + "/ " + homes) == homes + "/ " + homes);
}

TEST_CASE("Names are replaced as whole words, whatever case for hosts, in order of length") {
  const PersonalWords words{.hosts = {"labhost", "labhost.example.org"}, .users = {"alice"}};
  CHECK(once("LABHOST labhost.example.org labhosts my-labhost alice@labhost: malice alice_x", words) ==
        "host-2 host-1 labhosts my-labhost user-1@host-2: malice alice_x");
}

TEST_CASE("A short name is one only where it stands alone") {
  CHECK(once("vm: sysctl.vm.swappiness /proc/sys/vm/x user@vm", {.hosts = {"vm"}}) ==
        "host-1: sysctl.vm.swappiness /proc/sys/vm/x user@host-1");
}

TEST_CASE("A name that every record is made of is left, and said to be") {
  Pseudonyms pseudonyms({.hosts = {"server"}, .users = {"test"}});
  CHECK(pseudonyms.apply("[server]\ntest = 1") == "[server]\ntest = 1");
  CHECK(pseudonyms.left_alone() == std::vector<std::string>{"server", "test"});
}

TEST_CASE("A serial number is one wherever it stands") {
  CHECK(once("xSN12345y sn12345", {.serials = {"SN12345"}}) == "xserial-1y serial-1");
}

TEST_CASE("The kernel's socket tables have other addresses in their own writing") {
  Pseudonyms pseudonyms({});
  CHECK(pseudonyms.apply("192.168.7.9") == "198.18.0.9");
  CHECK(pseudonyms.apply_to_sockets("  87: 0907A8C0:0035 00000000:0000 07 0100007F:14E9 12345678\n") ==
        "  87: 090012C6:0035 00000000:0000 07 0100007F:14E9 12345678\n");
  CHECK(pseudonyms.apply_to_sockets("00000000000000000000000001000000:0035 000080FE00000000FF54505256341202:0035") ==
        "00000000000000000000000001000000:0035 B80D0120010000000000000001000000:0035");
}

TEST_CASE("The same detail has the same name in every text, and the kinds are counted") {
  Pseudonyms pseudonyms({.hosts = {"labhost"}});
  CHECK(pseudonyms.apply("labhost 10.0.0.1") == "host-1 198.18.0.1");
  CHECK(pseudonyms.apply("10.0.1.1 labhost 10.0.0.1") == "198.18.1.1 host-1 198.18.0.1");
  CHECK(pseudonyms.counts() == std::map<std::string, std::size_t>{{"IPv4 network", 2}, {"host", 1}});
}

TEST_CASE("Texts that the caller names are replaced first") {
  CHECK(once("/srv/alice/q.txt 10.0.0.1", {.users = {"alice"}, .texts = {{"/srv/alice/q.txt", "queries.txt"}}}) ==
        "queries.txt 198.18.0.1");
}

TEST_CASE("A long run of digits stays as it is") {
  const std::string digits(200'000, '7');
  CHECK(once(digits) == digits);
}
