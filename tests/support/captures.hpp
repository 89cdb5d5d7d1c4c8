#pragma once
// The captures in datasets/captures: one JSON object per line, texts with one character for each byte.

#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace netsettle::tests {

using Json = nlohmann::json;

/// All cases of a kind ("dnsperf", "counters").
inline std::vector<Json> load_captures(const std::string& kind) {
  std::ifstream file(std::string(NETSETTLE_SOURCE_DIR "/datasets/captures/") + kind + ".jsonl");
  std::vector<Json> cases;
  for (std::string line; std::getline(file, line);) cases.push_back(Json::parse(line));
  if (cases.empty()) throw std::runtime_error("no captures of kind " + kind);
  return cases;
}

/// The bytes of a captured text: JSON has them as characters U+0000 to U+00FF, hence one or two bytes of UTF-8 each.
inline std::string captured_bytes(const Json& text) {
  const auto& utf8 = text.get_ref<const std::string&>();
  std::string bytes;
  for (std::size_t i = 0; i < utf8.size(); ++i) {
    const auto first = static_cast<unsigned char>(utf8[i]);
    if (first < 0x80) {
      bytes += utf8[i];
    } else {
      const auto second = static_cast<unsigned char>(utf8.at(++i));
      bytes += static_cast<char>((first & 0x03) << 6 | (second & 0x3f));
    }
  }
  return bytes;
}

}  // namespace netsettle::tests
