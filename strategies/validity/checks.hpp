#pragma once
// The rows of the reason table, each a check that adds what it finds. Private to this folder.

#include "datasets/model/experiment.hpp"
#include "strategies/validity/findings.hpp"

namespace netsettle::strategies {

// machine_checks.cpp: the machine and everybody else on it
void check_settings(const TrialEvidence& evidence, Findings& findings);
void check_drift(const TrialEvidence& evidence, Findings& findings);
void check_machine(const TrialEvidence& evidence, Findings& findings);
/// Whether somebody else's programs took CPU time that server and load needed.
void check_company(const TrialEvidence& evidence, Findings& findings);

// load_checks.cpp: the instrument
/// The load did its work, and its report can be true.
void check_load(const Experiment& experiment, const TrialEvidence& evidence, Findings& findings);
/// The window, the rate and the client's own buffers.
void check_instrument(const TrialEvidence& evidence, Findings& findings);

// path_checks.cpp: the way between load and server
void check_witnesses(const TrialEvidence& evidence, Findings& findings);
void check_balance(const Experiment& experiment, const TrialEvidence& evidence, Findings& findings);
void check_path(const TrialEvidence& evidence, Findings& findings);

}  // namespace netsettle::strategies
