#include "tuner/loop/calibration_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "runners/topology/host_facts.hpp"
#include "tuner/report/text.hpp"

namespace netsettle::tuner {
namespace {

using Json = nlohmann::ordered_json;

template <typename T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json level_json(const strategies::LevelResult& level) {
  return {{"load", level.name},
          {"trials", level.n},
          {"mean_qps", level.n > 0 ? Json(level.mean) : Json(nullptr)},
          {"effect", or_null(level.effect)},
          {"low", or_null(level.low)},
          {"high", or_null(level.high)}};
}

}  // namespace

std::string_view to_text(strategies::LoadFit fit) {
  switch (fit) {
    case strategies::LoadFit::enough:
      return "enough";
    case strategies::LoadFit::too_light:
      return "too-light";
    case strategies::LoadFit::cannot_tell:
      return "cannot-tell";
  }
  return "";
}

std::filesystem::path default_calibration_file(const std::string& study) { return "./" + study + ".netsettle.calibration.json"; }

std::string calibration_json(const strategies::Calibration& calibration, const Machine& machine, std::int64_t now_us) {
  Json levels = Json::array();
  for (const auto& level : calibration.levels) levels.push_back(level_json(level));
  const Json json{{"fit", to_text(calibration.fit)},
                  {"sentence", calibration.sentence},
                  {"advice", or_null(calibration.advice)},
                  {"knee_window", or_null(calibration.knee_window)},
                  {"headroom", or_null(calibration.headroom)},
                  {"provable_gain", calibration.provable},
                  {"levels", std::move(levels)},
                  {"workload_sha256", machine.workload_hash},
                  {"machine_sha256", runners::fingerprint(machine.facts)},
                  {"made", utc(now_us)}};
  return json.dump(2) + "\n";
}

Expected<void> write_calibration(const std::filesystem::path& file, const std::string& json) {
  std::ofstream stream(file, std::ios::binary | std::ios::trunc);
  stream << json;
  stream.close();
  if (!stream) return std::unexpected(errno_error(errno, file.string(), "the calibration cannot be written"));
  return {};
}

void note_calibration(const std::filesystem::path& file, Machine& machine) {
  std::ifstream stream(file, std::ios::binary);
  std::stringstream text;
  if (!stream || !(text << stream.rdbuf())) return;
  const auto json = nlohmann::json::parse(text.str(), nullptr, false);
  const auto word = [&](const char* key) {
    return json.is_object() && json.contains(key) && json[key].is_string() ? json[key].get<std::string>() : std::string();
  };
  if (word("workload_sha256") != machine.workload_hash || word("machine_sha256") != runners::fingerprint(machine.facts)) return;
  machine.facts["calibration"] = word("sentence");
  machine.facts["calibration_fit"] = word("fit");
}

}  // namespace netsettle::tuner
