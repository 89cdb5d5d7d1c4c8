#pragma once
// A whole study on a simulated machine through a real record, cut off at random places and continued from what a crash would have left.

#include <cstdint>
#include <filesystem>
#include <string>

#include "datasets/model/study_view.hpp"
#include "strategies/worlds/world.hpp"

namespace netsettle::tests {

/// One study, all of it from the seed: experiment, machine, noise.
struct Night {
  std::string experiment;  // the file
  AsFoundValues as_found;
  strategies::World world;
};
Night night_of(std::uint64_t seed);

struct CutNight {
  StudyView study;      // as the record has it in the end
  StudyView in_memory;  // as the last session had it
  int sessions = 0;
  int cut_trials = 0;  // that were live
};

/// Run through, in memory.
StudyView uninterrupted(const Night& night);

/// Run in `folder`, cut off at places drawn from `seed`: before and after each thing that is written down, and in the middle of trials. A
/// cut leaves the files as they are at that moment; the next session goes on from a copy of them.
CutNight cut_off(const Night& night, const std::filesystem::path& folder, std::uint64_t seed);

/// Everything of a study but times and what an interruption leaves behind: trials that were cut off are left out and the others numbered as
/// if there had been none. Numbers are written bit by bit.
std::string dump(const StudyView& study);

}  // namespace netsettle::tests
