// Simulated nights, each cut off at random places and resumed from what a crash leaves; every record must be that of the uninterrupted
// night, bit for bit. Usage: resume_sweep [NIGHTS [FIRST_SEED]]; 500 nights without arguments. Exit 1 where one differs.

#include <fmt/format.h>

#include <charconv>
#include <string_view>

#include "tests/support/simulated_night.hpp"
#include "tests/support/temporary_folder.hpp"

namespace {

using namespace netsettle::tests;

std::uint64_t argument(int count, char** values, int index, std::uint64_t otherwise) {
  if (index >= count) return otherwise;
  const std::string_view text = values[index];
  std::from_chars(text.data(), text.data() + text.size(), otherwise);
  return otherwise;
}

}  // namespace

int main(int count, char** arguments) {
  const std::uint64_t nights = argument(count, arguments, 1, 500);
  const std::uint64_t first = argument(count, arguments, 2, 1000);
  int sessions = 0, cut_trials = 0, different = 0;
  std::size_t trials = 0;
  for (std::uint64_t seed = first; seed < first + nights; ++seed) {
    const Night night = night_of(seed);
    const TemporaryFolder folder;
    const CutNight cut = cut_off(night, folder.path(), seed);
    const std::string expected = dump(uninterrupted(night));
    sessions += cut.sessions;
    cut_trials += cut.cut_trials;
    trials += cut.study.trials.size();
    if (dump(cut.study) == expected && dump(cut.in_memory) == expected) continue;
    ++different;
    fmt::print("seed {}: another record than without interruptions\n", seed);
  }
  fmt::print("{} nights, {} trials, {} interruptions ({} of them in the middle of a trial): {} records differ\n", nights, trials,
             sessions - static_cast<int>(nights), cut_trials, different);
  return different == 0 ? 0 : 1;
}
