#pragma once
// TOML text → Experiment. Strict: an unknown key, a wrong type, an impossible range is an error with line and column; all
// errors of a file come together.

#include <expected>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/model/experiment.hpp"

namespace netsettle {

struct Diagnostic {
  std::string file;
  int line = 0;    // 1-based; 0 where it is about no single place
  int column = 0;  // 1-based
  std::string message;
};

/// "file:line:column: message".
std::string to_text(const Diagnostic& diagnostic);

/// `--set budget.trials=40`: the value is TOML, or a bare word taken as a string.
struct Override {
  std::string key;
  std::string value;
};

/// Failure: invalid_input for a text without '='.
Expected<Override> parse_override(std::string_view text);

/// Parses `text`. Relative paths inside are taken relative to the folder of `file`. Pure: no file is opened, so whether the
/// query file exists is not checked here. Diagnostics are sorted by position.
std::expected<Experiment, std::vector<Diagnostic>> parse_experiment(std::string_view text, const std::filesystem::path& file,
                                                                    const std::vector<Override>& overrides);

}  // namespace netsettle
