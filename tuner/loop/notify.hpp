#pragma once
// Telling somebody's own command that a session has ended ([notify]).

#include <filesystem>

#include "tuner/loop/loop.hpp"

namespace netsettle::tuner {

/// Runs notify.command with one JSON object on its standard input: study, database, event ("finish", "pause", "abort", "restore-conflict"),
/// exit_code, reason, verdict, statement. Waits at most 10 s; its failure changes nothing.
void notify(runners::Host& host, const Experiment& experiment, const std::filesystem::path& database, const SessionResult& result,
            int exit_code);

}  // namespace netsettle::tuner
