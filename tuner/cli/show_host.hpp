#pragma once
// `netsettle show host`: the machine of a record, as it was when the study began.

#include <string>

#include "tuner/cli/record.hpp"

namespace netsettle::tuner {

/// The facts in groups, for a person. Identity first: where one of those differs, the machine is another one.
std::string host_text(const std::string& host_facts_json);

int show_host(const Record& record, const CommandLine& line);

}  // namespace netsettle::tuner
