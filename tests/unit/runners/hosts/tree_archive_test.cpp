#include "runners/hosts/tree_archive.hpp"

#include <catch2/catch.hpp>
#include <cstring>
#include <fstream>

#include "runners/hosts/tree_host.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace netsettle;
using namespace netsettle::runners;
using tests::TemporaryFolder;

namespace {

/// One entry of a tar file by hand (POSIX ustar): what no archive of ours would hold.
std::string entry(const std::string& name, char type, const std::string& content, const std::string& link = "") {
  std::string block(512, '\0');
  const auto put = [&](std::size_t at, const std::string& text) { block.replace(at, text.size(), text); };
  put(0, name);
  put(100, "0000644");
  put(108, "0000000");
  put(116, "0000000");
  put(124, fmt::format("{:011o}", content.size()));
  put(136, "00000000000");
  put(148, "        ");
  block[156] = type;
  put(157, link);
  put(257, std::string("ustar\0"
                       "00",
                       8));
  unsigned sum = 0;
  for (const char c : block) sum += static_cast<unsigned char>(c);
  put(148, fmt::format("{:06o}", sum));
  block[154] = '\0';
  return block + content + std::string((512 - content.size() % 512) % 512, '\0');
}

std::string archive(const std::string& entries) { return entries + std::string(1024, '\0'); }

std::string content(const FileTree& tree, const std::string& path) { return std::get<TreeFile>(tree.at(path)).content; }

}  // namespace

TEST_CASE("a tree comes out of its archive as it went in, and the same tree gives the same bytes") {
  const FileTree tree = {{"/proc", TreeFolder{}},
                         {"/proc/empty", TreeFile{""}},
                         {"/proc/irq/30/eth2 (queue 0)", TreeFolder{}},
                         {"/proc/stat", TreeFile{std::string("a\0b", 3)}},
                         {"/sys/class/net/eth0", TreeLink{"../../devices/eth0"}}};
  const std::string bytes = make_tree_archive(tree).value();
  CHECK(bytes == make_tree_archive(tree).value());
  const FileTree back = parse_tree_archive(bytes, "x").value();
  CHECK(back.size() == tree.size());
  CHECK(content(back, "/proc/stat") == std::string("a\0b", 3));
  CHECK(content(back, "/proc/empty").empty());
  CHECK(std::holds_alternative<TreeFolder>(back.at("/proc/irq/30/eth2 (queue 0)")));
  CHECK(std::get<TreeLink>(back.at("/sys/class/net/eth0")).target == "../../devices/eth0");
}

TEST_CASE("names with dots and slashes are tidied, hard links are copies, devices are left out") {
  const auto tree = parse_tree_archive(archive(entry("./proc//stat", '0', "x") + entry("/sys/./copy", '1', "", "proc/stat") +
                                               entry("dev/null", '3', "") + entry("pipe", '6', "") + entry("./", '5', "")),
                                       "x");
  REQUIRE(tree);
  CHECK(tree->size() == 2);
  CHECK(content(*tree, "/proc/stat") == "x");
  CHECK(content(*tree, "/sys/copy") == "x");
}

TEST_CASE("an archive that leads out of the tree, or is none, is refused with its name") {
  struct Row {
    std::string bytes, reason;
  };
  for (const Row& row :
       {Row{archive(entry("../etc/passwd", '0', "x")), "leads out"}, Row{archive(entry("proc/../../x", '0', "x")), "leads out"},
        Row{archive(entry("proc/x", '1', "", "proc/nothing")), "what is not there"},
        Row{entry("proc/stat", '0', std::string(5000, 'x')).substr(0, 2000), "breaks off"}, Row{"PK\x03\x04 no tar at all", ""},
        Row{std::string(600, 'x'), ""}}) {
    INFO(row.reason);
    const auto tree = parse_tree_archive(row.bytes, "some.tar");
    REQUIRE(!tree);
    CHECK(tree.error().code == ErrorCode::invalid_input);
    CHECK(tree.error().subject == "some.tar");
    CHECK(tree.error().text.find(row.reason) != std::string::npos);
  }
}

TEST_CASE("a small archive of something huge is refused before it fills the memory") {
  const FileTree large = {{"/proc/large", TreeFile{std::string((16u << 20) + 1, '\0')}}};
  const std::string bytes = make_tree_archive(large).value();
  CHECK(bytes.size() < 100'000);
  CHECK(parse_tree_archive(bytes, "x").error().text.find("16 MiB") != std::string::npos);
  FileTree many;
  for (int i = 0; i < 17; ++i) many[fmt::format("/proc/{}", i)] = TreeFile{std::string(16u << 20, '\0')};
  CHECK(parse_tree_archive(make_tree_archive(many).value(), "x").error().text.find("256 MiB") != std::string::npos);
}

TEST_CASE("what is opened as a tree has proc or sys in it") {
  TemporaryFolder folder;
  CHECK(open_tree(folder.file("missing")).error().code == ErrorCode::not_found);
  CHECK(open_tree(folder.path().string()).error().code == ErrorCode::invalid_input);
  std::ofstream(folder.file("empty.tar"), std::ios::binary) << archive("");
  CHECK(open_tree(folder.file("empty.tar")).error().code == ErrorCode::invalid_input);
  CHECK(open_tree("/dev/null").error().code == ErrorCode::invalid_input);
  std::ofstream(folder.file("good.tar"), std::ios::binary) << archive(entry("sys/x", '0', "1"));
  CHECK(open_tree(folder.file("good.tar")).value()->read_file("/sys/x").value() == "1");
}
