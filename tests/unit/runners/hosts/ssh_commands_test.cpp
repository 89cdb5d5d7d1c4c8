#include "runners/hosts/ssh_commands.hpp"

#include <cerrno>

#include <catch2/catch.hpp>

#include "runners/hosts/local_host.hpp"

using namespace netsettle;
using namespace netsettle::runners;

namespace {

/// What a shell makes of a text.
std::string after_shell(const std::string& shell, const std::string& text) {
  const auto host = make_local_host();
  return run_checked(*host, {shell, "-c", text}).value();
}

}  // namespace

TEST_CASE("every byte but NUL passes through a shell as it is") {
  std::string all;
  for (int byte = 1; byte < 256; ++byte) all += static_cast<char>(byte);
  for (const char* shell : {"sh", "bash"}) {
    INFO(shell);
    CHECK(after_shell(shell, "printf %s " + quote(all).value()) == all);
    for (const char byte : all) CHECK(after_shell(shell, "printf %s_ " + quote({&byte, 1}).value()) == std::string(1, byte) + "_");
  }
}

TEST_CASE("words stay apart and whole whatever is in them") {
  const std::vector<std::string> words = {"", " ", "a b", "'", "''", "$HOME", "`id`", "\\", "\n", "*", "-n", "\"", "a'b'c", "!!", "~", "#"};
  const std::string command = remote_command("for word; do printf '<%s>' \"$word\"; done", words).value();
  std::string expected;
  for (const auto& word : words) expected += "<" + word + ">";
  CHECK(after_shell("sh", command) == expected);
  CHECK(after_shell("bash", command) == expected);
  // As ssh gives it on: one text for the login shell, which may be given another one within.
  CHECK(after_shell("sh", "bash -c " + quote(command).value()) == expected);
}

TEST_CASE("a NUL, which no command can carry, is refused") {
  CHECK(quote(std::string_view("a\0b", 3)).error().code == ErrorCode::invalid_input);
  CHECK(remote_command("true", {std::string("\0", 1)}).error().code == ErrorCode::invalid_input);
}

TEST_CASE("the errno is known by the message's end") {
  CHECK(errno_of_message("cat: /x: No such file or directory\n") == ENOENT);
  CHECK(errno_of_message("dd: error writing '/proc/sys/x': Invalid argument\n") == EINVAL);
  CHECK(errno_of_message("dd: failed to open '/x': Permission denied") == EACCES);
  CHECK(errno_of_message("a warning before\nkill: Operation not permitted\n") == EPERM);
  CHECK(errno_of_message("sh: 1: kill: No such process\n\n") == ESRCH);
  for (const char* message : {"", "\n", "something else", "No such file or directory, or so"}) CHECK(!errno_of_message(message));
}

TEST_CASE("what ssh says about a failed connection gets a code and advice") {
  struct Row {
    const char* message;
    ErrorCode code;
    const char* advice;
  };
  const Row rows[] = {
      {"ssh: Could not resolve hostname nowhere: Name or service not known\r\n", ErrorCode::not_found, "the name is not known"},
      {"ssh: connect to host 10.0.0.1 port 22: Connection refused\r\n", ErrorCode::io, "is sshd running"},
      {"ssh: connect to host 10.0.0.1 port 22: Connection timed out\r\n", ErrorCode::timed_out, "is it up"},
      {"ssh: connect to host 10.0.0.1 port 22: No route to host\r\n", ErrorCode::io, "check address and network"},
      {"root@h: Permission denied (publickey).\r\n", ErrorCode::permission_denied, "ssh-copy-id"},
      {"No ED25519 host key is known for h and you have requested strict checking.\r\nHost key verification failed.\r\n",
       ErrorCode::refused, "connect once by hand"},
      {"@ WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED! @\nHost key verification failed.\r\n", ErrorCode::mismatch, "ssh-keygen -R"},
      {"Received disconnect from h port 22:2: Too many authentication failures\r\n", ErrorCode::permission_denied, "IdentitiesOnly"},
      {"mux_client_request_session: session request failed: Session open refused by peer\nchannel 2: open failed: connect failed: \n",
       ErrorCode::busy, "MaxSessions"},
      {"something new\n", ErrorCode::io, "(something new)"},
      {"", ErrorCode::io, "the connection ended"},
  };
  for (const auto& row : rows) {
    INFO(row.message);
    const Error error = connection_error("h", row.message);
    CHECK(error.code == row.code);
    CHECK(error.subject == "ssh h");
    CHECK(error.text.find(row.advice) != std::string::npos);
    CHECK(error.text.find('\r') == std::string::npos);
  }
}

TEST_CASE("a destination that ssh could take for something else is refused") {
  for (const char* name : {"root@client1", "client1", "10.0.0.1", "root@fe80::1%eth0"}) CHECK(check_destination(name));
  for (const char* name : {"", "-oProxyCommand=x", "a b", "a\nb", "a\tb"})
    CHECK(check_destination(name).error().code == ErrorCode::invalid_input);
}
