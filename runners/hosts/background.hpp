#pragma once
// Starting a program that outlives the terminal, and what this process knows of itself.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "datasets/model/error.hpp"

namespace netsettle::runners {

struct Background {
  std::string how;       // "systemd unit netsettle-quick", "process 1234"
  std::int64_t pid = 0;  // 0 where systemd started it
};

/// Runs argv in a transient systemd unit `unit` where systemd is PID 1, else in a session of its own (setsid). Output goes to `log`. The
/// environment variable NETSETTLE_DETACHED=1 tells the program.
Expected<Background> start_in_background(const std::vector<std::string>& argv, const std::string& unit, const std::filesystem::path& log);

/// True inside a program that start_in_background started.
bool is_detached();

/// True where the terminal is an ssh session outside tmux and screen: a closed laptop ends it.
bool is_fragile_terminal();

/// Path of the running program.
std::filesystem::path own_program();

/// This process.
std::int64_t own_pid();

/// True for root (effective user id 0).
bool is_root();

}  // namespace netsettle::runners
