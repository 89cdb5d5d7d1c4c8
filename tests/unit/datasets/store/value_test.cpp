// Values as JSON, SQLite's own words in errors.

#include <catch2/catch.hpp>

#include "datasets/store/compression.hpp"
#include "datasets/store/value_columns.hpp"
#include "tests/unit/datasets/store/sample_record.hpp"

using namespace netsettle;
using namespace netsettle::datasets;
using namespace netsettle::datasets::testing;

TEST_CASE("Every kind of value survives JSON") {
  const std::vector<Value> values = {AsFound{}, true, false, std::int64_t{1},         std::int64_t{INT64_MAX},     std::int64_t{INT64_MIN},
                                     1.0,       0.1,  1e300, std::string("as-found"), std::string("\"quoted\"\n"), std::string()};
  CHECK(values_from_json(to_json(values)).value() == values);
  for (const Value& value : values) CHECK(value_from_json(to_json(value)).value() == value);
}

TEST_CASE("JSON that is no list of values is a damaged record") {
  const std::string text = GENERATE("", "{", "{}", "3", "[[]]", "[{}]");
  CHECK(values_from_json(text).error().code == ErrorCode::io);
}

TEST_CASE("A list of texts with something else in it is a damaged record") {
  CHECK(texts_from_json(R"(["a","b"])").value() == std::vector<std::string>{"a", "b"});
  CHECK(texts_from_json(R"(["a",1])").error().code == ErrorCode::io);
}

TEST_CASE("Bytes that are no UTF-8 do not stop an argument list from being kept") {
  CHECK(texts_from_json(to_json(std::vector<std::string>{"a\xff"}))->size() == 1);
}

TEST_CASE("Packed text is smaller, and the same when unpacked") {
  const std::string text = GENERATE(std::string(), std::string("x"), std::string(100'000, 'q'), std::string("\0\xff\n", 3));
  const PackedText packed = pack(text).value();
  CHECK(packed.bytes == static_cast<std::int64_t>(text.size()));
  CHECK(unpack(packed.content, packed.bytes, packed.sha256).value() == text);
}

TEST_CASE("A file whose name looks like a URI is an ordinary file") {
  const TemporaryFolder folder;
  const auto path = folder.path() / "file:odd?mode=memory";
  {
    fill(*std::make_unique<Store>(new_record(path)));
  }
  CHECK(std::filesystem::exists(path));
  CHECK(Store::open_reader(path)->trials()->size() == 8);
}

TEST_CASE("An error of the database names the file and the cause") {
  const TemporaryFolder folder;
  const Connection connection = raw(folder.record(), Access::create);
  const auto failed = connection.execute("SELECT * FROM nowhere");
  REQUIRE_FALSE(failed);
  CHECK(failed.error().subject == folder.record().string());
  CHECK_THAT(failed.error().text, Catch::Contains("no such table: nowhere"));
}

TEST_CASE("A transaction that is not committed is rolled back") {
  const TemporaryFolder folder;
  const Connection connection = raw(folder.record(), Access::create);
  {
    const auto transaction = Transaction::begin(connection, Transaction::Kind::write);
    REQUIRE(connection.execute("CREATE TABLE t (x)"));
  }
  CHECK(first_text(connection, "SELECT count(*) FROM sqlite_schema") == "0");
}
