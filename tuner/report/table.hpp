#pragma once
// Text in aligned columns. A narrow terminal gets fewer columns, never broken lines.

#include <cstddef>
#include <string>
#include <vector>

namespace netsettle::tuner {

enum class Align { left, right };

struct Column {
  std::string title;
  Align align = Align::right;
  int priority = 0;  // where the width does not suffice, columns with the largest number go first; 0 always stays
};

/// The last cell of each row is its note: free text that stands behind the columns, wrapped, or below the row where less than 16 columns
/// are left for it. Lines end without spaces.
std::string render_table(const std::vector<Column>& columns, const std::string& note_title,
                         const std::vector<std::vector<std::string>>& rows, std::size_t width);

}  // namespace netsettle::tuner
