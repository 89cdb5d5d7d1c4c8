#pragma once
// Where a command writes what may be long: standard output, or a file that appears only when it is whole.

#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "tuner/report/text_sink.hpp"

namespace netsettle::tuner {

class TextOutput {
 public:
  /// Of a file, its neighbour "FILE.partial" is written first. Nothing: standard output. io and its kin, with what the system says.
  static Expected<TextOutput> open(const std::optional<std::string>& file);
  TextOutput(TextOutput&&) noexcept = default;
  TextOutput& operator=(TextOutput&&) = delete;
  /// Without `finish`, the partial file is removed.
  ~TextOutput();

  TextSink sink();
  /// Everything is on the disk, and the file has its name.
  Expected<void> finish();

 private:
  struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  TextOutput() = default;
  Expected<void> failure() const;

  std::string name_ = "standard output";
  std::filesystem::path partial_;  // empty: standard output
  std::unique_ptr<std::FILE, Closer> file_;
};

}  // namespace netsettle::tuner
