// Readers beside a writer.

#include <catch2/catch.hpp>

#include "tests/unit/datasets/store/sample_record.hpp"

using namespace netsettle;
using namespace netsettle::datasets;
using namespace netsettle::datasets::testing;

TEST_CASE("A reader sees every committed trial while the writer goes on") {
  const TemporaryFolder folder;
  Store writer = new_record(folder.record());
  const auto reader = Store::open_reader(folder.record());
  REQUIRE(reader);
  CHECK(reader->trials()->empty());
  for (int position = 0; position < 20; ++position) {
    record(writer, 1, 1, position, sample_result(position));
    const auto trials = reader->trials().value();
    REQUIRE(trials.size() == static_cast<std::size_t>(position) + 1);
    CHECK(trials.back().measurements.at("qps") == position);
  }
}

TEST_CASE("A reader in the middle of a query does not block the writer and keeps its view") {
  const TemporaryFolder folder;
  Store writer = new_record(folder.record());
  record(writer, 1, 1, 0, sample_result(1));
  const Connection reader = raw(folder.record(), Access::read);
  auto query = reader.query("SELECT count(*) FROM trial UNION ALL SELECT count(*) FROM trial");
  REQUIRE(query);
  REQUIRE(query->step().value());
  CHECK(query->integer(0) == 1);
  record(writer, 1, 1, 1, sample_result(2));
  REQUIRE(query->step().value());
  CHECK(query->integer(0) == 1);
}

TEST_CASE("A reader may stay open over the end of a session and the start of the next") {
  const TemporaryFolder folder;
  Store writer = new_record(folder.record());
  const auto reader = Store::open_reader(folder.record());
  fill(writer);
  CHECK(reader->trials()->size() == 8);
  REQUIRE(writer.end_session("paused"));
  CHECK(reader->trials()->size() == 8);
  REQUIRE(writer.begin_session({}));
  record(writer, 1, 9, 0, sample_result(1));
  CHECK(reader->trials()->size() == 9);
}

TEST_CASE("A session that ends while a reader is open still leaves everything in the one file") {
  const TemporaryFolder folder;
  Store writer = new_record(folder.record());
  fill(writer);
  const auto reader = Store::open_reader(folder.record());
  CHECK(reader->trials()->size() == 8);
  REQUIRE(writer.end_session("paused"));
  const auto copy = folder.path() / "copy.db";
  std::filesystem::copy_file(folder.record(), copy);
  CHECK(Store::open_reader(copy)->trials()->size() == 8);
}

TEST_CASE("A reader cannot write") {
  const TemporaryFolder folder;
  {
    const Store writer = new_record(folder.record());
  }
  auto reader = Store::open_reader(folder.record());
  REQUIRE(reader);
  CHECK(reader->add_configuration({}, "random").error().code == ErrorCode::permission_denied);
  CHECK(reader->set_status(StudyStatus::aborted).error().code == ErrorCode::permission_denied);
  CHECK(reader->configurations()->size() == 1);
}
