#pragma once
// Schema version 2: all files that carry a setting; trials and studies that come from another record. Never edited once released: a change
// is schema_v3.hpp.

#include <string_view>

namespace netsettle::datasets {

inline constexpr std::string_view kSchemaV2 = R"sql(
CREATE TABLE applied_file (
  trial_id INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  ordinal INTEGER NOT NULL,
  path TEXT NOT NULL,
  netns TEXT NOT NULL,
  before TEXT NOT NULL,
  effective TEXT NOT NULL,
  PRIMARY KEY (trial_id, seq, ordinal),
  FOREIGN KEY (trial_id, seq) REFERENCES applied (trial_id, seq)
) STRICT, WITHOUT ROWID;

ALTER TABLE study ADD COLUMN parent_record TEXT;
ALTER TABLE trial ADD COLUMN imported_from TEXT;
ALTER TABLE trial ADD COLUMN imported_trial INTEGER;
)sql";

/// For readers of a file of version 1, which they must not change: what version 2 added, empty, over the file's own tables.
inline constexpr std::string_view kReadingV1 = R"sql(
CREATE TEMP TABLE applied_file (trial_id INTEGER, seq INTEGER, ordinal INTEGER, path TEXT, netns TEXT, before TEXT, effective TEXT);
CREATE TEMP VIEW study AS SELECT *, NULL AS parent_record FROM main.study;
CREATE TEMP VIEW trial AS SELECT *, NULL AS imported_from, NULL AS imported_trial FROM main.trial;
)sql";

}  // namespace netsettle::datasets
