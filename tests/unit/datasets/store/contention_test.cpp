// A moment of what tests/sweep/record_sweep does for a minute.

#include <catch2/catch.hpp>

#include "tests/sweep/record_contention.hpp"
#include "tests/unit/datasets/store/sample_record.hpp"

using namespace netsettle;
using namespace netsettle::datasets::testing;

TEST_CASE("A writer and eight readers in processes of their own are never refused and lose nothing") {
  const TemporaryFolder folder;
  const auto result = tests::contend(folder.record(), 8, std::chrono::seconds(2));
  INFO(result.first_error);
  CHECK(result.locked == 0);
  CHECK(result.failed == 0);
  CHECK(result.wrong == 0);
  CHECK(result.lost == 0);
  CHECK(result.commits > 0);
  CHECK(result.readings > 0);
}
