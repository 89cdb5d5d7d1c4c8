#include "runners/settings/journal.hpp"

#include <sys/stat.h>

#include <fstream>

#include <catch2/catch.hpp>

#include "runners/hosts/files.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace netsettle;
using namespace netsettle::runners;
using netsettle::tests::TemporaryFolder;

namespace {

JournalEntry file_entry(const std::string& original) {
  JournalEntry entry;
  entry.setting = "sysctl.net.core.rmem_max";
  entry.path = "/proc/sys/net/core/rmem_max";
  entry.netns = "nss-1";
  entry.netns_inode = 4026532000;
  entry.comparator = Comparator::number;
  entry.original = original;
  return entry;
}

std::string text_of(const TemporaryFolder& folder) { return read_whole_file(folder.file("undo/journal")).value_or(""); }

Journal open_in(const TemporaryFolder& folder) { return Journal::open(folder.path() / "undo").value(); }

}  // namespace

TEST_CASE("a journal read again says what was written into it") {
  const TemporaryFolder folder;
  {
    Journal journal = open_in(folder);
    const int id = journal.add(file_entry("212992\n")).value();
    REQUIRE(journal.write_begins(id, "4194304"));
    REQUIRE(journal.write_ended(id, "4194304\n"));
    REQUIRE(journal.write_begins(id, "1000"));
    JournalEntry process;
    process.kind = EntryKind::process;
    process.pid = 123;
    process.pid_start = 456;
    REQUIRE(journal.add(process));
  }
  const Journal journal = open_in(folder);
  REQUIRE(journal.entries().size() == 2);
  const JournalEntry& file = journal.entries()[0];
  CHECK(file.setting == "sysctl.net.core.rmem_max");
  CHECK(file.path == "/proc/sys/net/core/rmem_max");
  CHECK(file.netns == "nss-1");
  CHECK(file.netns_inode == 4026532000u);
  CHECK(file.comparator == Comparator::number);
  CHECK(file.original == "212992\n");
  CHECK(file.in_force == "4194304\n");
  CHECK(file.in_flight == "1000");
  CHECK(file.state == EntryState::open);
  CHECK(file.boot == this_boot().value());
  CHECK(journal.entries()[1].pid == 123);
  CHECK(journal.entries()[1].pid_start == 456);
  CHECK(describe(journal.entries()[1]) == "process 123");
}

TEST_CASE("the bytes of a file come back exactly, whatever they are") {
  const TemporaryFolder folder;
  std::string bytes;
  for (int byte = 0; byte < 256; ++byte) bytes += static_cast<char>(byte);
  const int id = open_in(folder).add(file_entry(bytes)).value();
  CHECK(open_in(folder).entry(id).original == bytes);
}

TEST_CASE("a journal cut off anywhere says what was whole, and goes on from there") {
  const TemporaryFolder folder;
  {
    Journal journal = open_in(folder);
    const int id = journal.add(file_entry("1\n")).value();
    REQUIRE(journal.write_begins(id, "2"));
    REQUIRE(journal.write_ended(id, "2\n"));
  }
  const std::string whole = text_of(folder);
  for (std::size_t length = 0; length <= whole.size(); ++length) {
    CAPTURE(length);
    std::ofstream(folder.file("undo/journal"), std::ios::trunc) << whole.substr(0, length);
    const auto lines = std::ranges::count(whole.substr(0, length), '\n');
    {
      Journal journal = open_in(folder);
      CHECK(journal.unreadable_lines().empty());
      REQUIRE(journal.entries().size() == (lines > 0 ? 1u : 0u));
      if (lines > 0) CHECK(journal.entries()[0].in_force.has_value() == (lines == 3));
      REQUIRE(journal.add(file_entry("x")));
    }
    const auto again = Journal::read(folder.path() / "undo").value();
    CHECK(again.unreadable_lines.empty());
    CHECK(again.entries.size() == (lines > 0 ? 2u : 1u));
  }
}

TEST_CASE("a line that cannot be understood is counted, and the others are kept") {
  const std::string good = entry_line(file_entry("1\n"));
  for (const std::string bad : {"garbage\n", "{}\n", "[1]\n", "{\"what\":\"closed\",\"id\":99}\n", "{\"what\":\"unheard-of\",\"id\":0}\n",
                                "\n", "{\"what\":\"file\",\"id\":\"x\"}\n"}) {
    CAPTURE(bad);
    const auto replayed = replay(good + bad + good);
    CHECK(replayed.entries.size() == 2);
    CHECK(replayed.unreadable_lines == std::vector<int>{2});
  }
}

TEST_CASE("a journal with unreadable lines is never thrown away") {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.file("undo"));
  std::ofstream(folder.file("undo/journal")) << "garbage\n";
  Journal journal = open_in(folder);
  REQUIRE(journal.finish());
  CHECK(text_of(folder) == "garbage\n");
}

TEST_CASE("a finished journal is removed, a conflict stays in it") {
  const TemporaryFolder folder;
  Journal journal = open_in(folder);
  const int first = journal.add(file_entry("1\n")).value();
  const int second = journal.add(file_entry("2\n")).value();
  REQUIRE(journal.set_state(first, EntryState::closed));
  REQUIRE(journal.set_state(second, EntryState::conflict));
  CHECK(!journal.has_open_entries());
  REQUIRE(journal.finish());
  const auto left = Journal::read(folder.path() / "undo").value();
  REQUIRE(left.entries.size() == 1);
  CHECK(left.entries[0].original == "2\n");
  CHECK(left.entries[0].state == EntryState::conflict);
  REQUIRE(journal.set_state(second, EntryState::closed));
  REQUIRE(journal.finish());
  CHECK(!std::filesystem::exists(folder.file("undo/journal")));
}

TEST_CASE("a long study does not make a long journal") {
  const TemporaryFolder folder;
  Journal journal = open_in(folder);
  const int id = journal.add(file_entry("212992\n")).value();
  for (int trial = 0; trial < 5000; ++trial) {
    REQUIRE(journal.write_begins(id, "4194304"));
    REQUIRE(journal.write_ended(id, "4194304\n"));
  }
  REQUIRE(journal.write_begins(id, "5"));
  CHECK(std::filesystem::file_size(folder.file("undo/journal")) < 300'000);
  const auto again = Journal::read(folder.path() / "undo").value();
  REQUIRE(again.entries.size() == 1);
  CHECK(again.entries[0].original == "212992\n");
  CHECK(again.entries[0].in_force == "4194304\n");
  CHECK(again.entries[0].in_flight == "5");
}

TEST_CASE("no journal is an empty one") {
  const TemporaryFolder folder;
  CHECK(Journal::read(folder.path() / "undo").value().entries.empty());
}

TEST_CASE("space for giving back is reserved when the journal is made") {
  const TemporaryFolder folder;
  const Journal journal = open_in(folder);
  struct stat status{};
  REQUIRE(::stat(folder.file("undo/journal").c_str(), &status) == 0);
  CHECK(status.st_size == 0);
  CHECK(status.st_blocks * 512 >= 1 << 20);
}
