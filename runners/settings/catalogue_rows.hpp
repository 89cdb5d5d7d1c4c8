#pragma once
// The catalogue as data: what is known of settings by their names alone. Private to this folder; the public part is in catalogue.hpp.

#include <optional>
#include <string_view>

#include "runners/settings/catalogue.hpp"

namespace netsettle::runners {

struct CatalogueRow {
  std::string_view name;  // exact, or with '*' at its end: all that begin so
  std::string_view unit;
  TakesEffect takes_effect = TakesEffect::at_once;
  std::optional<Comparator> comparator;  // none: the text that is found tells
  std::optional<std::int64_t> smallest, largest;
  std::int64_t ram_divisor = 0;  // where not 0: no number is above RAM / ram_divisor, so that no trial takes the machine's memory
};

/// The first row that fits; the last one fits all.
const CatalogueRow& catalogue_row(std::string_view name);

}  // namespace netsettle::runners
