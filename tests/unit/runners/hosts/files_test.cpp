#include "runners/hosts/files.hpp"

#include <cerrno>
#include <fstream>

#include <catch2/catch.hpp>

#include "tests/support/temporary_folder.hpp"

using namespace netsettle;
using namespace netsettle::runners;
using netsettle::tests::TemporaryFolder;

TEST_CASE("a file of more than 16 MiB is not read into memory") {
  const TemporaryFolder folder;
  std::ofstream(folder.file("large"));
  std::filesystem::resize_file(folder.file("large"), kMaxFileSize);
  CHECK(read_whole_file(folder.file("large")).value().size() == kMaxFileSize);
  std::filesystem::resize_file(folder.file("large"), kMaxFileSize + 1);
  CHECK(read_whole_file(folder.file("large")).error().code == ErrorCode::unsupported);
}

TEST_CASE("reading an endless file ends") { CHECK(read_whole_file("/dev/zero").error().code == ErrorCode::unsupported); }

TEST_CASE("the kernel's refusal comes with its errno") {
  CHECK(overwrite_file("/dev/full", "x").error().code == ErrorCode::disk_full);
  CHECK(overwrite_file("/proc/sys/kernel/osrelease", "x").error().code == ErrorCode::permission_denied);
  CHECK(read_whole_file("/").error().errno_value == EISDIR);
}

TEST_CASE("replacing a file leaves the old one whole where the new one cannot be written") {
  const TemporaryFolder folder;
  REQUIRE(replace_durably(folder.file("a"), "one"));
  REQUIRE(replace_durably(folder.file("a"), "two"));
  CHECK(read_whole_file(folder.file("a")).value() == "two");
  std::filesystem::create_directory(folder.file("a.new"));
  CHECK(!replace_durably(folder.file("a"), "three"));
  CHECK(read_whole_file(folder.file("a")).value() == "two");
}
