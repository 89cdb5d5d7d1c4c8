#pragma once
// Is what the load generator printed possible at all? Each rule was broken by a real program in a real report.

#include <string>

#include "datasets/model/trial.hpp"

namespace netsettle::strategies {

/// The first impossible thing as a sentence; empty where there is none. `timeout_s` is the load's time-out of a query.
std::string impossible_in(const LoadReport& load, double timeout_s);

/// Answers with response codes outside `accept`.
std::int64_t unaccepted_answers(const LoadReport& load, const std::vector<std::string>& accept);

}  // namespace netsettle::strategies
