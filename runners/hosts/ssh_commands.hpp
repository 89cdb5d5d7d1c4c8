#pragma once
// The texts that go over ssh: commands for the other side's shell, and what its programs' messages mean. Pure.
// ssh gives a command to the login shell of the account as one text, so words are quoted; this is the only place where netsettle has to do
// with a shell. It must be one of the sh family (sh, dash, bash, ksh, zsh, busybox).

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/model/error.hpp"

namespace netsettle::runners {

/// One word for a shell of the sh family, whatever bytes it holds. invalid_input for a NUL, which no command can carry.
Expected<std::string> quote(std::string_view word);

/// The text that runs a script of sh with its words as $1, $2, …
Expected<std::string> remote_command(std::string_view script, const std::vector<std::string>& words);

/// The errno that a message of the other side ends with ("cat: /x: No such file or directory"), as glibc and musl word it.
std::optional<int> errno_of_message(std::string_view message);

/// Why the connection failed, from what ssh says on standard error, with what to do about it.
Error connection_error(const std::string& destination, std::string_view message);

/// "root@client1", "client1": nothing that ssh could take for an option.
Expected<void> check_destination(std::string_view destination);

namespace scripts {

// The first session of a connection: tells where the running commands are noted, stays until the connection ends, and then kills what still
// runs.
extern const std::string_view kWatch;
// FILE CPUS PROGRAM WORD…: where PROGRAM exists, runs the words in a session of their own whose number is in FILE while it runs. Its
// standard output begins with one line of kHeaderSize bytes.
extern const std::string_view kRun;
// FOLDER; FILE; FILE BYTES; FILE; PATH; NUMBER PID; ADDRESS PORT SECONDS
extern const std::string_view kList;
extern const std::string_view kRead;
extern const std::string_view kWrite;
extern const std::string_view kMayWrite;
extern const std::string_view kRealPath;
extern const std::string_view kSignal;
extern const std::string_view kDatagram;

inline constexpr std::size_t kHeaderSize = 16;  // "ok 1234", "absent", "denied", "cpus", "unnoted", filled with blanks, and a newline
inline constexpr std::string_view kMark =
    "netsettle ";  // begins the first line of kWatch: "netsettle ready FOLDER", "netsettle missing setsid dd"

}  // namespace scripts

}  // namespace netsettle::runners
