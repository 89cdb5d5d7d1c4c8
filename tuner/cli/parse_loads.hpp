#pragma once
// `netsettle parse dnsperf|resperf|kxdpgun`: the output of a load generator that a person has, as values or as a text.

#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "datasets/model/error.hpp"

namespace netsettle::tuner {

/// Whether `kind` is one of dnsperf, resperf, kxdpgun.
bool is_load_kind(std::string_view kind);

/// Files of one run. Only `output` is needed; "-" is standard input.
struct LoadFiles {
  std::string output;
  std::optional<std::string> errors;  // what it wrote to standard error
  std::optional<std::string> meta;    // JSON: argv, exit, wall_s, accepted_rcodes, snmp_udp_delta, id
  std::optional<std::string> plot;    // resperf -P; absent: the file of that name beside `output`, or one named "plot"
};

/// Every value, what was computed from them, and the verdict. Failures name the file: not_found, io, invalid_input.
Expected<nlohmann::ordered_json> parsed_load(std::string_view kind, const LoadFiles& files);

/// The most important of it, for a person; `json` is what parsed_load gave.
std::string load_text(const nlohmann::ordered_json& json);

}  // namespace netsettle::tuner
