#pragma once
// One output of a load generator as JSON: every value that it has, what was computed from them, and the verdict. `netsettle parse` prints
// it.

#include <nlohmann/json.hpp>

#include "runners/loads/output_verdict.hpp"

namespace netsettle::runners {

using OrderedJson = nlohmann::ordered_json;

// Absent values are null. Numbers have the value of the text.
OrderedJson json_of(const DnsperfResult& result, const RunFacts& run);
OrderedJson json_of(const ResperfResult& result, const RunFacts& run);
OrderedJson json_of(const KxdpgunResult& result, const RunFacts& run);

/// What a run printed, and the file of resperf's -P.
struct OutputTexts {
  std::string_view standard_output, standard_error;
  std::optional<std::string_view> plot;
};

/// `kind`: dnsperf, resperf, kxdpgun. not_found for others.
Expected<OrderedJson> parsed_output(std::string_view kind, const OutputTexts& texts, const RunFacts& run);

}  // namespace netsettle::runners
