// What cannot be a record is refused, with a sentence that says why.

#include <catch2/catch.hpp>

#include <fstream>

#include "datasets/store/location.hpp"
#include "tests/unit/datasets/store/sample_record.hpp"

using namespace netsettle;
using namespace netsettle::datasets;
using namespace netsettle::datasets::testing;

namespace {

/// The error of opening `path` for reading, checked to be the same for writing.
Error opening_error(const std::filesystem::path& path) {
  const auto reader = Store::open_reader(path);
  const auto writer = Store::open_writer(path);
  REQUIRE_FALSE(reader);
  REQUIRE_FALSE(writer);
  CHECK(to_text(reader.error()) == to_text(writer.error()));
  CHECK(reader.error().code == writer.error().code);
  CHECK(reader.error().subject == path.string());
  return reader.error();
}

}  // namespace

TEST_CASE("A record is never made where something exists") {
  const TemporaryFolder folder;
  std::ofstream(folder.record()) << "precious";
  const auto made = Store::create(folder.record(), sample_study(), 4096);
  REQUIRE_FALSE(made);
  CHECK(made.error().code == ErrorCode::conflict);
  CHECK_THAT(made.error().text, Catch::Contains("exists already"));
  CHECK(std::filesystem::file_size(folder.record()) == 8);
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);  // no reserve left behind
}

TEST_CASE("A missing record is not found") {
  const TemporaryFolder folder;
  const Error error = opening_error(folder.record());
  CHECK(error.code == ErrorCode::not_found);
  CHECK_FALSE(std::filesystem::exists(folder.record()));
}

TEST_CASE("A record in a folder that does not exist is not found") {
  const TemporaryFolder folder;
  const auto made = Store::create(folder.path() / "no" / "study.db", sample_study(), 0);
  CHECK(made.error().code == ErrorCode::not_found);
  CHECK_THAT(made.error().text, Catch::Contains("folder does not exist"));
}

TEST_CASE("A study whose objective names no metric is refused, and nothing is left behind") {
  const TemporaryFolder folder;
  StudyRecord study = sample_study();
  study.objective_json = GENERATE("qps", "{}", "[]", R"({"maximize":1})");
  CHECK(Store::create(folder.record(), study, 4096).error().code == ErrorCode::invalid_input);
  CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("A text file is no record") {
  const TemporaryFolder folder;
  std::ofstream(folder.record()) << std::string(5000, 'x');
  const Error error = opening_error(folder.record());
  CHECK(error.code == ErrorCode::mismatch);
  CHECK(error.text == "is not a netsettle record: not an SQLite database");
}

TEST_CASE("An empty file and a folder are no records") {
  const TemporaryFolder folder;
  std::ofstream(folder.record()).close();
  CHECK(opening_error(folder.record()).code == ErrorCode::mismatch);
  CHECK(opening_error(folder.path()).code == ErrorCode::mismatch);
}

TEST_CASE("Another program's database is no record and is left as it is") {
  const TemporaryFolder folder;
  REQUIRE(raw(folder.record(), Access::create).execute("CREATE TABLE study (x); PRAGMA user_version = 1"));
  const Error error = opening_error(folder.record());
  CHECK(error.code == ErrorCode::mismatch);
  CHECK(error.text == "is not a netsettle record: an SQLite database of another program");
  CHECK(first_text(raw(folder.record()), "SELECT count(*) FROM sqlite_schema") == "1");
}

TEST_CASE("A record of a newer version is refused with both numbers") {
  const TemporaryFolder folder;
  REQUIRE(Store::create(folder.record(), sample_study(), 0));
  REQUIRE(raw(folder.record()).execute("PRAGMA user_version = 7"));
  const Error error = opening_error(folder.record());
  CHECK(error.code == ErrorCode::mismatch);
  CHECK(error.text == "was written by a newer netsettle (schema 7, this one knows 2): use that version or a later one");
}

TEST_CASE("A record whose study is gone is damaged") {
  const TemporaryFolder folder;
  REQUIRE(Store::create(folder.record(), StudyRecord{}, 0));
  REQUIRE(raw(folder.record()).execute("DELETE FROM study_host; DELETE FROM study"));
  CHECK(opening_error(folder.record()).code == ErrorCode::io);
}

TEST_CASE("A second writer is told that the record is being written, and may write afterwards") {
  const TemporaryFolder folder;
  {
    Store first = new_record(folder.record());
    const auto second = Store::open_writer(folder.record());
    REQUIRE_FALSE(second);
    CHECK(second.error().code == ErrorCode::busy);
    CHECK_THAT(second.error().text, Catch::Contains("another netsettle is writing"));
    record(first, 1, 1, 0, sample_result(1));
  }
  CHECK(Store::open_writer(folder.record())->trials()->size() == 1);
}

TEST_CASE("Network file systems are known by their numbers, local ones are not among them") {
  CHECK(network_file_system(0x6969) == "NFS");
  CHECK(network_file_system(0xFF534D42) == "CIFS");
  CHECK(network_file_system(0xFE534D42) == "SMB2");
  CHECK(network_file_system(0x517B) == "SMB");
  CHECK(network_file_system(0x00C36400) == "Ceph");
  CHECK(network_file_system(0xEF53) == std::nullopt);      // ext4
  CHECK(network_file_system(0x01021994) == std::nullopt);  // tmpfs
  CHECK(network_file_system(0x01021997) == std::nullopt);  // 9p
}
