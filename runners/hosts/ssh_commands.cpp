#include "runners/hosts/ssh_commands.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "datasets/model/trimmed.hpp"

namespace netsettle::runners {
namespace {

std::string_view last_line(std::string_view text) {
  text = trimmed(text);
  const auto newline = text.rfind('\n');
  return trimmed(newline == std::string_view::npos ? text : text.substr(newline + 1));
}

struct ConnectionTrouble {
  std::string_view sign;  // what ssh says
  ErrorCode code;
  std::string_view advice;
};

constexpr std::array kTroubles = {
    ConnectionTrouble{"Could not resolve hostname", ErrorCode::not_found, "the name is not known here: check it, or name the address"},
    ConnectionTrouble{"Connection refused", ErrorCode::io,
                      "no ssh server answers there: is sshd running, and is this its port (Port in ~/.ssh/config)"},
    ConnectionTrouble{"REMOTE HOST IDENTIFICATION HAS CHANGED", ErrorCode::mismatch,
                      "the machine has another host key than the one known here: find out why, then remove the old one with ssh-keygen -R"},
    ConnectionTrouble{"Host key verification failed", ErrorCode::refused,
                      "its host key is not known here: connect once by hand with ssh and accept it"},
    ConnectionTrouble{"Permission denied", ErrorCode::permission_denied,
                      "no key was accepted, and netsettle never asks for a password: put one there with ssh-copy-id, or start ssh-agent"},
    ConnectionTrouble{"Too many authentication failures", ErrorCode::permission_denied,
                      "too many keys were tried: name the right one with IdentityFile and IdentitiesOnly in ~/.ssh/config"},
    ConnectionTrouble{"timed out", ErrorCode::timed_out, "it does not answer: is it up, and does a firewall let ssh through"},
    ConnectionTrouble{"No route to host", ErrorCode::io, "it cannot be reached from here: check address and network"},
    ConnectionTrouble{"Network is unreachable", ErrorCode::io, "it cannot be reached from here: check address and network"},
    ConnectionTrouble{"session request failed", ErrorCode::busy,
                      "it allows no more sessions on one connection: raise MaxSessions in its sshd_config"},
};

}  // namespace

Expected<std::string> quote(std::string_view word) {
  if (word.find('\0') != std::string_view::npos) return fail(ErrorCode::invalid_input, "", "a word of a command has a NUL in it");
  std::string quoted = "'";
  for (const char c : word) {
    if (c == '\'')
      quoted += "'\\''";
    else
      quoted += c;
  }
  return quoted + "'";
}

Expected<std::string> remote_command(std::string_view script, const std::vector<std::string>& words) {
  NETSETTLE_ASSIGN(const std::string quoted_script, quote(script));
  std::string command = "exec /bin/sh -c " + quoted_script + " netsettle";
  for (const auto& word : words) {
    NETSETTLE_ASSIGN(const std::string quoted, quote(word));
    command += " " + quoted;
  }
  return command;
}

std::optional<int> errno_of_message(std::string_view message) {
  const std::string_view line = last_line(message);
  constexpr int kLast = 133;
  for (int number = 1; number <= kLast; ++number) {
    const char* const text = ::strerrordesc_np(number);
    if (text != nullptr && line.ends_with(text)) return number;
  }
  return std::nullopt;
}

Error connection_error(const std::string& destination, std::string_view message) {
  for (const auto& trouble : kTroubles)
    if (message.find(trouble.sign) != std::string_view::npos)
      return {trouble.code, "ssh " + destination, fmt::format("{} ({})", trouble.advice, last_line(message)), 0};
  const std::string_view line = last_line(message);
  return {ErrorCode::io, "ssh " + destination, line.empty() ? "the connection ended" : fmt::format("the connection ended ({})", line), 0};
}

Expected<void> check_destination(std::string_view destination) {
  const bool is_plain = std::ranges::all_of(destination, [](unsigned char c) { return c > ' ' && c != 0x7f; });
  if (!destination.empty() && destination.front() != '-' && is_plain) return {};
  return fail(ErrorCode::invalid_input, std::string(destination), "not a machine for ssh: write user@name or name");
}

namespace scripts {

const std::string_view kWatch = R"(missing=
for program in cat dd env find kill mktemp mv printf readlink rm sed setsid taskset timeout; do
  command -v "$program" >/dev/null 2>&1 || missing="$missing $program"
done
if [ -n "$missing" ]; then printf 'netsettle missing%s\n' "$missing"; exit 0; fi
umask 077
folder=$(mktemp -d /tmp/netsettle-ssh.XXXXXX) || { printf 'netsettle nofolder\n'; exit 0; }
trap '' HUP INT TERM PIPE
printf 'netsettle ready %s\n' "$folder"
cat >/dev/null
mv "$folder" "$folder.end"
for file in "$folder.end"/*; do
  read -r group <"$file" && kill -9 "-$group"
done 2>/dev/null
rm -rf "$folder.end")";

// The inner shell becomes the program (exec), so its number is the program's and its session's. The outer one has its standard error closed
// while it waits, because shells report there how a program ended; and it has traps, because a shell whose program ended by SIGINT ends
// itself, too early.
const std::string_view kRun = R"(file=$1 cpus=$2 program=$3
shift 3
case $program in
  */*)
    if [ ! -f "$program" ]; then printf '%-15s\n' absent; exit 0; fi
    if [ ! -x "$program" ]; then printf '%-15s\n' denied; exit 0; fi ;;
  *) if ! command -v "$program" >/dev/null 2>&1; then printf '%-15s\n' absent; exit 0; fi ;;
esac
exec 3>&2 2>/dev/null
trap : HUP INT QUIT TERM
setsid /bin/sh -c 'file=$1 cpus=$2
shift 2
if ! echo $$ >"$file"; then printf "%-15s\n" unnoted; exit 0; fi
if [ -n "$cpus" ]; then
  taskset -cp "$cpus" $$ >/dev/null 2>&1
  granted=$(sed -n "s/^Cpus_allowed_list:[[:space:]]*//p" /proc/$$/status)
  if [ "$granted" != "$cpus" ]; then printf "%-15s\n" cpus; exit 0; fi
fi
printf "%-15s\n" "ok $$"
exec "$@"' netsettle "$file" "$cpus" "$@" 2>&3 3>&-
status=$?
read -r group <"$file" && kill -9 "-$group"
rm -f "$file"
exit $status)";

const std::string_view kList = R"(LC_ALL=C exec find -H "$1/." -mindepth 1 -maxdepth 1 -printf '%f\0')";
const std::string_view kRead = R"(LC_ALL=C exec cat "$1")";
const std::string_view kWrite = R"(LC_ALL=C exec dd of="$1" bs="$2" count=1 iflag=fullblock conv=nocreat status=none)";
const std::string_view kMayWrite =
    R"([ -e "$1" ] || { echo 'No such file or directory' >&2; exit 1; }
[ -w "$1" ] || { echo 'Permission denied' >&2; exit 1; })";
const std::string_view kRealPath = R"(LC_ALL=C exec readlink -ev "$1")";
// The only tool that is everywhere and sends what it is given as one datagram. Exit code 124: no answer in time.
const std::string_view kDatagram = R"(LC_ALL=C exec bash -c 'exec 3<>"/dev/udp/$1/$2" &&
dd bs=65536 count=1 iflag=fullblock status=none >&3 &&
exec timeout "$3" dd bs=65536 count=1 status=none <&3' netsettle "$1" "$2" "$3")";
const std::string_view kSignal = R"(LC_ALL=C kill -"$1" "$2")";

}  // namespace scripts

}  // namespace netsettle::runners
