#include "tuner/cli/parse_loads.hpp"

#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>

#include "runners/loads/argument_values.hpp"
#include "runners/loads/dnsperf_output.hpp"
#include "runners/loads/parsed_output.hpp"

namespace netsettle::tuner {
namespace {

namespace fs = std::filesystem;
using runners::OrderedJson;

/// Gives a file to `take` piece by piece; "-" is standard input. What is compressed is refused with what to do.
Expected<void> stream_file(const std::string& path, const std::function<void(std::string_view)>& take) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) return fail(ErrorCode::invalid_input, path, "is a folder; the file with the output is needed");
  std::ifstream file;
  errno = 0;
  if (path != "-") file.open(path, std::ios::binary);
  if (path != "-" && !file) return std::unexpected(errno_error(errno, path, "cannot be read"));
  std::istream& input = path == "-" ? std::cin : file;
  std::string piece(1 << 16, '\0');
  for (bool first = true; input; first = false) {
    input.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    const std::string_view read(piece.data(), static_cast<std::size_t>(input.gcount()));
    if (first && read.starts_with("\x1f\x8b"))
      return fail(ErrorCode::invalid_input, path, "is compressed (gzip); unpack it first: zcat FILE | netsettle parse KIND -");
    if (!read.empty()) take(read);
  }
  if (input.bad()) return std::unexpected(errno_error(errno, path, "cannot be read to its end"));
  return {};
}

Expected<std::string> whole_file(const std::string& path) {
  constexpr std::size_t kLargest = std::size_t{256} << 20;  // far above every output but dnsperf's, which is streamed
  std::string text;
  bool too_large = false;
  NETSETTLE_TRY(stream_file(path, [&](std::string_view piece) {
    too_large = too_large || text.size() + piece.size() > kLargest;
    if (!too_large) text += piece;
  }));
  if (too_large) return fail(ErrorCode::invalid_input, path, "has more than 256 MiB");
  return text;
}

Expected<std::string> whole_file_or_nothing(const std::optional<std::string>& path) {
  return path ? whole_file(*path) : Expected<std::string>("");
}

Expected<runners::DnsperfResult> streamed_dnsperf(const std::string& path) {
  runners::DnsperfOutput output;
  NETSETTLE_TRY(stream_file(path, [&output](std::string_view piece) { output.feed(piece); }));
  return output.finish();
}

Expected<OrderedJson> parsed_dnsperf(const LoadFiles& files, const runners::RunFacts& facts) {
  NETSETTLE_ASSIGN(auto result, streamed_dnsperf(files.output));
  if (files.errors) {
    NETSETTLE_ASSIGN(const auto errors, streamed_dnsperf(*files.errors));
    result = runners::with_messages(std::move(result), errors);
  }
  return runners::json_of(result, facts);
}

/// The file of -P: as named, else beside the output under the name that -P gave it, else a file "plot" there.
std::optional<std::string> plot_file(const LoadFiles& files, const runners::RunFacts& facts) {
  if (files.plot) return files.plot;
  if (files.output == "-") return std::nullopt;
  const fs::path folder = fs::path(files.output).parent_path();
  const auto named = runners::text_argument(facts.argv, {'P'}, runners::kResperfOptions);
  for (const fs::path& name : {fs::path(named.value_or("")).filename(), fs::path("plot")}) {
    std::error_code ignored;
    if (!name.empty() && fs::is_regular_file(folder / name, ignored)) return (folder / name).string();
  }
  return std::nullopt;
}

Expected<runners::RunFacts> facts_of(const LoadFiles& files) {
  if (!files.meta) return runners::RunFacts();
  NETSETTLE_ASSIGN(const std::string text, whole_file(*files.meta));
  return runners::read_run_facts(text, *files.meta);
}

}  // namespace

bool is_load_kind(std::string_view kind) { return kind == "dnsperf" || kind == "resperf" || kind == "kxdpgun"; }

Expected<OrderedJson> parsed_load(std::string_view kind, const LoadFiles& files) {
  NETSETTLE_ASSIGN(const runners::RunFacts facts, facts_of(files));
  if (kind == "dnsperf") return parsed_dnsperf(files, facts);
  NETSETTLE_ASSIGN(const std::string output, whole_file(files.output));
  NETSETTLE_ASSIGN(const std::string errors, whole_file_or_nothing(files.errors));
  const auto plot_path = kind == "resperf" ? plot_file(files, facts) : std::nullopt;
  NETSETTLE_ASSIGN(const std::string plot, whole_file_or_nothing(plot_path));
  return runners::parsed_output(kind, {output, errors, plot_path ? std::optional<std::string_view>(plot) : std::nullopt}, facts);
}

}  // namespace netsettle::tuner
