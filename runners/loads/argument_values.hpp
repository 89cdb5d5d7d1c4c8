#pragma once
// Values of options in the argument vector of a load generator, as getopt would find them.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace netsettle::runners {

/// The letters of a program's options. All others are flags.
struct OptionLetters {
  std::string_view with_value;
  std::string_view with_optional_value = "";  // only attached: "-T1"
};
inline constexpr OptionLetters kDnsperfOptions = {"abcdEflmnOpqQsStTxy"};
inline constexpr OptionLetters kResperfOptions = {"abcCdEfFilLmMOpPqrsty"};
inline constexpr OptionLetters kKxdpgunOptions = {"tQbpFIilLRvemGS", "TUV"};

/// What to look for: "-q VALUE", "-qVALUE", or, where it has a long name, "--qps VALUE" and "--qps=VALUE".
struct OptionName {
  char letter;
  std::string_view long_name = "";
};

/// The value of the last occurrence; flags may be grouped before the letter. `argv` starts with the program.
std::optional<std::string> text_argument(const std::vector<std::string>& argv, OptionName option, const OptionLetters& letters);

/// The same as a finite number; absent for anything else.
std::optional<double> number_argument(const std::vector<std::string>& argv, OptionName option, const OptionLetters& letters);

/// A command line that was printed with blanks between its arguments.
std::vector<std::string> words_of(std::string_view command_line);

}  // namespace netsettle::runners
