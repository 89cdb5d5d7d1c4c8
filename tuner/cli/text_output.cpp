#include "tuner/cli/text_output.hpp"

#include <unistd.h>

#include <cerrno>

namespace netsettle::tuner {

Expected<TextOutput> TextOutput::open(const std::optional<std::string>& file) {
  TextOutput output;
  if (!file) return output;
  output.name_ = *file;
  const std::filesystem::path partial = *file + ".partial";
  output.file_.reset(std::fopen(partial.c_str(), "wb"));
  if (!output.file_) return std::unexpected(errno_error(errno, *file, "cannot be written"));
  output.partial_ = partial;
  return output;
}

TextOutput::~TextOutput() {
  std::error_code ignored;
  if (file_) std::filesystem::remove(partial_, ignored);
}

TextSink TextOutput::sink() {
  return [this](std::string_view piece) -> Expected<void> {
    std::FILE* const to = file_ ? file_.get() : stdout;
    errno = 0;
    if (std::fwrite(piece.data(), 1, piece.size(), to) == piece.size()) return {};
    return failure();
  };
}

Expected<void> TextOutput::finish() {
  errno = 0;
  if (!file_) {
    if (std::fflush(stdout) != 0) return failure();
    return {};
  }
  if (std::fflush(file_.get()) != 0 || ::fsync(::fileno(file_.get())) != 0) return failure();
  if (std::rename(partial_.c_str(), name_.c_str()) != 0) return failure();
  file_.reset();
  return {};
}

Expected<void> TextOutput::failure() const { return std::unexpected(errno_error(errno, name_, "cannot be written")); }

}  // namespace netsettle::tuner
