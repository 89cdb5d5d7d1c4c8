#pragma once
// What a person who watches a study is told of a decision.

#include <string>

#include "datasets/model/study_view.hpp"

namespace netsettle::strategies {

/// One line; empty for decisions that are told in another way (pilot and verdict) or not at all.
std::string note_on(const Decision& decision, const StudyView& study);

}  // namespace netsettle::strategies
