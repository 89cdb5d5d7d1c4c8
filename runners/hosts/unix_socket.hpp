#pragma once
// One question to a daemon of this machine over its Unix stream socket, as daemons ask for it that check who is asking.

#include <cstdint>
#include <string>
#include <string_view>

#include "datasets/model/error.hpp"
#include "runners/hosts/clock.hpp"

namespace netsettle::runners {

struct UnixPeer {
  std::string name;      // a path; or a NUL and the name of an abstract socket, of exactly that length
  std::int64_t pid = 0;  // who must be listening there
};

/// Connects, sends the question with this process's credentials (SCM_CREDENTIALS), and returns all that comes until the other side closes.
/// not_found: nothing listens there; conflict: another process than `peer.pid` does, nothing is sent then; permission_denied; timed_out
/// after `patience` of silence.
Expected<std::string> ask_unix_socket(const UnixPeer& peer, std::string_view question, Microseconds patience);

}  // namespace netsettle::runners
