// The queries in docs/database.md are run on a filled record, and the document names every table and view.

#include <catch2/catch.hpp>

#include <fstream>
#include <sstream>

#include "tests/unit/datasets/store/sample_record.hpp"

using namespace netsettle;
using namespace netsettle::datasets;
using namespace netsettle::datasets::testing;

namespace {

std::string document() {
  std::ifstream stream(NETSETTLE_SOURCE_DIR "/docs/database.md");
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::vector<std::string> sql_blocks(const std::string& text) {
  constexpr std::string_view kOpen = "```sql\n";
  std::vector<std::string> blocks;
  for (auto at = text.find(kOpen); at != std::string::npos; at = text.find(kOpen, at)) {
    at += kOpen.size();
    blocks.push_back(text.substr(at, text.find("```", at) - at));
  }
  return blocks;
}

}  // namespace

TEST_CASE("Every query of the document runs on a filled record and finds something") {
  const TemporaryFolder folder;
  Store store = new_record(folder.record());
  fill(store);
  const Connection reader = raw(folder.record(), Access::read);
  const std::vector<std::string> blocks = sql_blocks(document());
  REQUIRE(blocks.size() >= 8);
  for (const std::string& block : blocks) {
    INFO(block);
    auto query = reader.query(block);
    if (!query) FAIL(to_text(query.error()));
    const auto row = query->step();
    if (!row) FAIL(to_text(row.error()));
    CHECK(*row);
  }
}

TEST_CASE("The document explains every table, view and column of the record") {
  const TemporaryFolder folder;
  REQUIRE(Store::create(folder.record(), sample_study(), 0));
  const Connection reader = raw(folder.record());
  const std::string text = document();
  auto names = reader.query(
      "SELECT s.name, c.name FROM sqlite_schema s, pragma_table_info(s.name) c WHERE s.type IN ('table', 'view') "
      "AND s.name NOT LIKE 'sqlite_%'");
  REQUIRE(names);
  REQUIRE(names->for_each([&](const Statement& row) {
    INFO(row.text(0) << "." << row.text(1));
    CHECK(text.find("`" + row.text(0) + "`") != std::string::npos);
    CHECK(text.find(row.text(1)) != std::string::npos);
  }));
}
