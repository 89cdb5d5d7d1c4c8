#pragma once
// The account of one trial beyond its measurements: where the queries went, who answered them, what the counters did. Kept in the record
// as the artifact "account", and read by people and programs.

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "datasets/model/trial.hpp"

namespace netsettle::tuner {

/// Of a trial's evidence. Objects "ledger", "receive_errors", "softirq", "server", "load", "counters"; what could not be counted is absent.
nlohmann::ordered_json account_of(const TrialEvidence& evidence);

/// As text for a terminal: the ledger with shares, the sentence about receive errors, and the workers with their shares. Places where
/// nothing was lost are left out. Empty where the account holds nothing of it.
std::string account_text(const nlohmann::ordered_json& account);

/// "measured, suspect" and each reason on a line of its own.
std::string verdict_text(const Verdict& verdict, std::size_t width);

}  // namespace netsettle::tuner
